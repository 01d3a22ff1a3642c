// `approval setup channel telegram`: a bot's token, and the chat that it asks in.
//
// Updates are read without an offset ever, so that nothing is taken from a listener. The token is
// redacted from everything that comes back.
#include <array>
#include <chrono>
#include <map>

#include "channels/telegram/bot_api.h"
#include "channels/telegram/config.h"
#include "core/base/utf8.h"
#include "gateway/secret_variable.h"
#include "gateway/setup/steps.h"
#include "gateway/setup/verbs.h"
#include "render/quote.h"

namespace approval::gateway {
namespace setup {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kWaitForMessage{90};
constexpr int kPollSeconds = 10;

struct Chat {
  std::string id;
  std::string title;
  std::string type;
  std::string sender;  // who wrote, as the Bot API numbers people
  std::int64_t date = 0;
};

std::string Text(const base::JsonObject& object, const char* name) {
  return std::string(base::StringMember(object, name).value_or(""));
}

std::string Number(const base::JsonObject& object, const char* name) {
  const base::Json* member = object.if_contains(name);
  const auto number = member != nullptr ? base::AsInteger(*member) : std::nullopt;
  return number ? std::to_string(*number) : "";
}

const base::JsonObject* Object(const base::JsonObject& object, const char* name) {
  const base::Json* member = object.if_contains(name);
  return member != nullptr ? member->if_object() : nullptr;
}

// One bot, asked one thing at a time.
struct Bot {
  std::string base;
  base::Secret token;

  telegram::ApiReply Call(std::string_view method, const base::JsonObject& parameters,
                          milliseconds deadline = seconds(15)) const {
    return telegram::AskOnce(base, token, method, parameters, deadline,
                             net::HttpOptionsFromEnvironment());
  }
};

// 4 when the API could not be reached, 1 when it said no.
int Refused(const std::string& what, const telegram::ApiReply& reply) {
  const bool transport = reply.kind == telegram::ReplyKind::kUnreachable ||
                         reply.kind == telegram::ReplyKind::kUnknown;
  SayLine(stderr, "✗ " + what + ": " + reply.description);
  return transport ? 4 : 1;
}

// The chats of the updates that wait, newest first.
std::vector<Chat> ChatsOf(const base::Json& updates) {
  std::map<std::string, Chat> by_id;
  const base::JsonArray* list = updates.if_array();
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const base::JsonObject* update = list->at(i).if_object();
    const base::JsonObject* message = update != nullptr ? Object(*update, "message") : nullptr;
    const base::JsonObject* chat = message != nullptr ? Object(*message, "chat") : nullptr;
    if (chat == nullptr) continue;
    Chat seen;
    seen.id = Number(*chat, "id");
    seen.type = Text(*chat, "type");
    seen.title = Text(*chat, "title");
    if (seen.title.empty()) seen.title = Text(*chat, "first_name") + " " + Text(*chat, "last_name");
    if (const auto* from = Object(*message, "from")) seen.sender = Number(*from, "id");
    const base::Json* date = message->if_contains("date");
    seen.date = date != nullptr ? base::AsInteger(*date).value_or(0) : 0;
    if (!seen.id.empty()) by_id[seen.id] = std::move(seen);
  }
  std::vector<Chat> chats;
  for (auto& [id, chat] : by_id) chats.push_back(std::move(chat));
  std::sort(chats.begin(), chats.end(),
            [](const Chat& a, const Chat& b) { return a.date > b.date; });
  return chats;
}

std::string Named(const Chat& chat) {
  return render::QuoteLine(base::TrimEcma(chat.title), 60) + " (" + render::QuoteLine(chat.type) +
         ", " + chat.id + ")";
}

// The one chat that the person means; nothing when they decline or leave.
std::optional<Chat> Choose(Dialogue& ask, const std::vector<Chat>& chats) {
  if (chats.size() == 1) {
    const auto yes = ask.YesNo("Ask in " + Named(chats[0]) + "?", true);
    if (!yes || !*yes) return std::nullopt;
    return chats[0];
  }
  for (std::size_t i = 0; i < chats.size(); ++i) {
    ask.Say("  " + std::to_string(i + 1) + "  " + Named(chats[i]));
  }
  const auto number =
      ask.Ask("Which one? ", [&](const std::string& answer) -> std::optional<std::string> {
        for (std::size_t i = 1; i <= chats.size(); ++i) {
          if (answer == std::to_string(i)) return std::nullopt;
        }
        return "write a number from 1 to " + std::to_string(chats.size());
      });
  if (!number) return std::nullopt;
  return chats[std::stoul(*number) - 1];
}

struct Waited {
  std::vector<Chat> chats;
  std::optional<int> exit;
};

Waited WaitForChats(Session& session, const Bot& bot, const std::string& bot_name) {
  session.ask().Say("Now open Telegram, find @" + render::QuoteLine(bot_name) +
                    " and send it any message (or add it to a group and write there).");
  const auto until = std::chrono::steady_clock::now() + kWaitForMessage;
  do {
    const base::JsonObject ask{{"timeout", kPollSeconds},
                               {"allowed_updates", base::JsonArray{base::Json("message")}}};
    const telegram::ApiReply reply =
        bot.Call("getUpdates", ask, seconds(kPollSeconds) + seconds(10));
    if (!reply.ok()) {
      const std::string hint = reply.kind == telegram::ReplyKind::kConflict
                                   ? " (a webhook or another listener takes the messages)"
                                   : "";
      return {{}, Refused("the bot's messages cannot be read" + hint, reply)};
    }
    auto chats = ChatsOf(reply.result);
    if (!chats.empty()) return {std::move(chats), std::nullopt};
  } while (std::chrono::steady_clock::now() < until);
  const telegram::ApiReply info = bot.Call("getWebhookInfo", {});
  std::string line = "✗ no message reached @" + render::QuoteLine(bot_name);
  if (const base::JsonObject* hook = info.result.if_object()) {
    line += "; updates waiting: " + Number(*hook, "pending_update_count");
    const std::string url = Text(*hook, "url");
    line += url.empty() ? ", no webhook is set" : ", a webhook takes them: delete it first";
  }
  Print(stderr, line);
  return {{}, 1};
}

// The token in hand: the environment's, or one that the person types now.
struct Token {
  base::Secret value;
  bool typed = false;
};

std::optional<Token> AskToken(Session& session, const std::string& variable) {
  if (auto held = SecretVariable(session.call().environment(), variable)) {
    const auto use = session.ask().YesNo(variable + " is set. Use that token?", true);
    if (!use) return std::nullopt;
    if (*use) return Token{std::move(*held), false};
  }
  session.ask().Say("A bot comes from @BotFather: send it /newbot and copy the token it gives.");
  auto typed = session.ask().Secret("Token (not shown): ");
  if (!typed) return std::nullopt;
  base::Secret trimmed(base::TrimEcma(typed->Reveal()));
  if (trimmed.empty()) return std::nullopt;
  return Token{std::move(trimmed), true};
}

void SayGroupRules(Dialogue& ask, const Chat& chat, const std::string& actor) {
  if (chat.type == "private") return;
  ask.Say("In a group the policy must say whose taps count; add and attest:");
  ask.Say("    approvers:");
  ask.Say("      " + render::QuoteLine(actor.substr(6)) +
          ": { channels: [telegram], senders: { telegram: \"" + chat.sender + "\" } }");
}

int AskTelegram(Session& session, const std::string& actor) {
  const policy::TelegramChannel& names = session.policy().channels.telegram;
  const auto may = session.MayReplace(names.token_env);
  if (!may) return session.call().Refuse(may.error());
  if (!*may) return session.Aborted();
  const auto token = AskToken(session, names.token_env);
  if (!token) return session.Aborted();
  const Bot bot{session.call().args().FlagOr("api-base", telegram::kDefaultApiBase),
                token->value.Copy()};
  const telegram::ApiReply me = bot.Call("getMe", {});
  if (!me.ok()) return Refused("Telegram does not take the token", me);
  const base::JsonObject* self = me.result.if_object();
  const std::string bot_name = self != nullptr ? Text(*self, "username") : "";
  session.ask().Say("✓ the bot is @" + render::QuoteLine(bot_name));
  const Waited waited = WaitForChats(session, bot, bot_name);
  if (waited.exit) return *waited.exit;
  const auto chat = Choose(session.ask(), waited.chats);
  if (!chat) return session.Aborted();
  if (token->typed && **may) {
    const auto place =
        session.StoreSecret(names.token_env, session.items().telegram_token, token->value);
    if (!place) return session.call().Refuse(place.error());
    if (!*place) return session.Aborted();
    session.ask().Say("✓ the token is " + **place);
  }
  const auto written = session.WriteLine(names.chat_id_env, secrets::LiteralSpelling(chat->id));
  if (!written) return session.call().Refuse(written.error());
  session.ask().Say("✓ the chat is in " + render::QuoteLine(session.source_map_path()));
  SayGroupRules(session.ask(), *chat, actor);
  const auto test = session.ask().YesNo("Send a test message there?", false);
  if (test && *test) {
    const telegram::ApiReply sent =
        bot.Call("sendMessage",
                 {{"chat_id", chat->id}, {"text", "approval will ask here. Nothing waits yet."}});
    if (!sent.ok()) return Refused("the test message was not taken", sent);
    session.ask().Say("✓ sent");
  }
  return 0;
}

}  // namespace
}  // namespace setup

int SetupTelegramVerb(Invocation& call) {
  setup::Session session(call);
  const std::string item = session.items().telegram_token;
  const policy::TelegramChannel& names = session.policy().channels.telegram;
  const std::array<std::string, 2> commands = {
      "secret-tool store --label " + item + " approval " + item,
      "(umask 077; printf '" + names.token_env + "=secret-service:" + item + "\\n" +
          names.chat_id_env + "=<chat id>\\n' >> .approval/env)"};
  if (const auto refused = setup::RefuseWithoutTerminal(call, commands)) return *refused;
  const auto human = call.HumanActor();
  if (!human) return call.Usage(human.error().message);
  const int exit = setup::AskTelegram(session, *human);
  if (exit != 0) return exit;
  Print(stdout, "next: eval \"$(approval env)\"   then approval up");
  return 0;
}

int SetupChannelVerb(Invocation& call) {
  const auto& words = call.args().positionals;
  if (words.empty()) return call.Usage("which channel? there is: telegram");
  return call.Usage("there is no channel of that name to set up; there is: telegram");
}

}  // namespace approval::gateway
