// The test Bot API server as a program: prints `port N`, then answers each line of standard input
// with one line of JSON. Ends at end of input.
//
//   messages                          every message, oldest first
//   calls [method]                    every call
//   answers <query id>                texts answered to a tap
//   tap <message id> <from> <button>  presses a button; {"query": "cb-9001"}
//   reply <message id> <from> <text>
//   delete <message id>
//   fault <method> <times> <status> [retry_after]   0 times: until `clear <method>`
//   clear <method>
#include <iostream>
#include <sstream>
#include <string>

#include "tests/support/bot_api_server.h"

namespace approval::testing {
namespace {

using base::JsonArray;
using base::JsonObject;

JsonObject JsonOf(const BotMessage& message) {
  JsonArray buttons;
  for (const BotButton& button : message.buttons) {
    buttons.push_back(JsonObject{{"text", button.text}, {"data", button.data}});
  }
  return {{"id", message.id},
          {"text", message.text},
          {"buttons", std::move(buttons)},
          {"edits", message.edits},
          {"silent", message.silent},
          {"reply_to", message.reply_to},
          {"document_name", message.document_name},
          {"document", message.document}};
}

std::string Rest(std::istringstream& in) {
  std::string rest;
  std::getline(in >> std::ws, rest);
  return rest;
}

base::Json Run(BotApiServer& server, const std::string& line) {
  std::istringstream in(line);
  std::string verb;
  std::string name;
  std::int64_t id = 0;
  std::int64_t from = 0;
  in >> verb;
  JsonArray list;
  if (verb == "messages") {
    for (const BotMessage& message : server.Messages()) list.emplace_back(JsonOf(message));
    return list;
  }
  if (verb == "calls") {
    in >> name;
    for (const BotCall& call : server.Calls(name)) {
      list.push_back(
          JsonObject{{"method", call.method}, {"body", call.body}, {"status", call.status}});
    }
    return list;
  }
  if (verb == "answers") {
    in >> name;
    for (const std::string& text : server.Answers(name)) list.emplace_back(text);
    return list;
  }
  if (verb == "tap") {
    in >> id >> from;
    return JsonObject{{"query", server.Tap(id, Rest(in), from)}};
  }
  if (verb == "reply") {
    in >> id >> from;
    server.Reply(id, Rest(in), from);
    return JsonObject{{"ok", true}};
  }
  if (verb == "delete") {
    in >> id;
    server.Delete(id);
    return JsonObject{{"ok", true}};
  }
  if (verb == "fault") {
    int times = 1;
    BotFault fault;
    in >> name >> times >> fault.status >> fault.retry_after;
    fault.description = "scripted";
    if (times > 0) {
      server.Script(name, fault, times);
    } else {
      server.Always(name, fault);
    }
    return JsonObject{{"ok", true}};
  }
  if (verb == "clear") {
    in >> name;
    server.Always(name, std::nullopt);
    return JsonObject{{"ok", true}};
  }
  return JsonObject{{"ok", false}, {"error", "unknown command"}};
}

}  // namespace
}  // namespace approval::testing

// bot_api_server [token [chat id [port]]]
int main(int argc, char** argv) {
  const std::string token = argc > 1 ? argv[1] : "1234567890:FAKE-token-for-tests_000000";
  const std::int64_t chat = argc > 2 ? std::stoll(argv[2]) : 700000001;
  approval::testing::BotApiServer server(token, chat, argc > 3 ? std::stoi(argv[3]) : 0);
  std::cout << "port " << server.port() << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << approval::base::ToText(approval::testing::Run(server, line)) << std::endl;
  }
  return 0;
}
