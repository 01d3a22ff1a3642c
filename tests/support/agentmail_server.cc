#include "tests/support/agentmail_server.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>

#include "core/base/encoding.h"

namespace approval::testing {
namespace {

using base::Json;
using base::JsonArray;
using base::JsonObject;

std::string ErrorBody(const char* code, const char* message) {
  return base::ToText(JsonObject{{"name", "Error"}, {"code", code}, {"message", message}});
}

std::string QueryValue(const std::string& query, const std::string& name) {
  const std::size_t at = query.find(name + "=");
  if (at == std::string::npos) return "";
  const std::size_t start = at + name.size() + 1;
  return query.substr(start, query.find('&', start) - start);
}

// What a path asks for, and the id in it.
struct Route {
  std::string kind;
  std::string id;
};

Route RouteOf(const std::string& method, const std::string& path) {
  const std::string inbox =
      std::string("/v0/inboxes/") + base::PercentEncode(AgentmailServer::kInbox, "-._~");
  if (path.rfind(inbox, 0) != 0) return {};
  const std::string rest = path.substr(inbox.size());
  if (rest.empty()) return {"inbox", ""};
  if (rest == "/api-keys") return {"api_keys", ""};
  if (rest == "/messages") return {"messages", ""};
  if (rest == "/messages/send" && method == "POST") return {"message_send", ""};
  if (rest.rfind("/drafts/", 0) != 0) return {};
  const std::string id = rest.substr(8, rest.find('/', 8) - 8);
  const bool send = rest.size() == 8 + id.size() + 5 && rest.substr(8 + id.size()) == "/send";
  return {send ? "draft_send" : "draft", base::PercentDecode(id, false).value_or("")};
}

const char* PermissionFor(const std::string& kind) {
  if (kind == "inbox") return "inbox_read";
  if (kind == "draft") return "draft_read";
  if (kind == "api_keys") return "api_key_read";
  if (kind == "messages") return "message_read";
  return kind == "draft_send" ? "draft_send" : "message_send";
}

}  // namespace

AgentmailServer::AgentmailServer() : server_([this](int fd) { Serve(fd); }) {
  PutKey(kSendingKey, std::set<std::string>{"inbox_read", "draft_read", "draft_send",
                                            "message_read", "message_send"});
  PutKey(kAgentKey,
         std::set<std::string>{"inbox_read", "draft_create", "draft_read", "draft_update"});
}

void AgentmailServer::Serve(int fd) {
  std::string buffer;
  const auto request = ReadRequest(fd, buffer);
  if (!request) return;
  const Reply reply = Answer(*request);
  if (reply.hang_up) return;
  if (reply.stall) {
    // Until the client gives up or the test ends.
    for (pollfd waiting{fd, POLLIN, 0}; ::poll(&waiting, 1, 20) == 0 && !server_.stopping();) {
    }
    return;
  }
  const std::string head = "HTTP/1.1 " + std::to_string(reply.status) +
                           " x\r\nContent-Type: application/json\r\nConnection: close\r\n"
                           "Content-Length: " +
                           std::to_string(reply.body.size()) + "\r\n\r\n";
  const std::string all = head + reply.body;
  static_cast<void>(::send(fd, all.data(), all.size(), MSG_NOSIGNAL));
}

AgentmailServer::Reply AgentmailServer::Answer(const ReceivedRequest& request) {
  const std::lock_guard lock(mutex_);
  requests_.push_back(request);
  const Route route = RouteOf(request.method, request.target.substr(0, request.target.find('?')));
  const auto script = scripts_.find(route.kind);
  if (script != scripts_.end()) {
    const AgentmailScript& to_do = script->second;
    if (to_do.end == AgentmailScript::End::kAnswer) return {to_do.status, to_do.body};
    if (to_do.end == AgentmailScript::End::kHangUpBefore) return {0, "", true};
  }
  const std::string header = request.Header("authorization");
  const std::string key = header.rfind("Bearer ", 0) == 0 ? header.substr(7) : "";
  const auto known = keys_.find(key);
  if (known == keys_.end()) return {401, ErrorBody("unknown_api_key", "no such key")};
  if (route.kind.empty()) return {404, ErrorBody("not_found", "no such thing")};
  if (known->second && !known->second->contains(PermissionFor(route.kind))) {
    return {403, ErrorBody("missing_permission", "the key may not do this")};
  }
  Reply reply =
      Act(route.kind == "draft" || route.kind == "draft_send" ? route.kind + ":" + route.id
                                                              : route.kind,
          request, key);
  if (script == scripts_.end()) return reply;
  switch (script->second.end) {
    case AgentmailScript::End::kHangUpAfter:
      reply.hang_up = true;
      break;
    case AgentmailScript::End::kStallAfter:
      reply.stall = true;
      break;
    case AgentmailScript::End::kAnswerAfter:
      return {script->second.status, script->second.body};
    case AgentmailScript::End::kAnswer:
    case AgentmailScript::End::kHangUpBefore:
      break;
  }
  return reply;
}

AgentmailServer::Reply AgentmailServer::Act(const std::string& kind, const ReceivedRequest& request,
                                            const std::string& key) {
  if (kind == "inbox") return Inbox(key);
  if (kind == "api_keys") return Keys();
  if (kind == "messages") return Messages(request.target);
  if (kind == "message_send") {
    const auto body = base::ParseJson(request.body, base::kStrictJson);
    if (!body || !body->is_object()) return {400, ErrorBody("validation", "no object")};
    return Send(request, body->get_object());
  }
  const std::string id = kind.substr(kind.find(':') + 1);
  const auto again = request.headers.find("idempotency-key");
  if (again != request.headers.end() && answered_.contains(again->second)) {
    return {200, answered_[again->second]};
  }
  const auto draft = drafts_.find(id);
  if (draft == drafts_.end()) return {404, ErrorBody("not_found", "no such draft")};
  if (kind.rfind("draft_send:", 0) != 0) return {200, base::ToText(draft->second)};
  const JsonObject mail = draft->second;
  drafts_.erase(draft);
  return Send(request, mail);
}

AgentmailServer::Reply AgentmailServer::Send(const ReceivedRequest& request,
                                             const JsonObject& mail) {
  const auto once = request.headers.find("idempotency-key");
  if (once != request.headers.end() && answered_.contains(once->second)) {
    return {200, answered_[once->second]};
  }
  sent_.push_back(mail);
  const std::string number = std::to_string(sent_.size());
  const std::string answer = base::ToText(
      JsonObject{{"message_id", "<m-" + number + "@agentmail>"}, {"thread_id", "t-" + number}});
  if (once != request.headers.end()) answered_[once->second] = answer;
  JsonObject message = mail;
  message["message_id"] = "<m-" + number + "@agentmail>";
  message["labels"] = JsonArray{"sent"};
  message["timestamp"] = "2026-08-04T09:00:00.000Z";
  messages_.push_back(std::move(message));
  return {200, answer};
}

AgentmailServer::Reply AgentmailServer::Inbox(const std::string& key) const {
  JsonObject inbox{{"inbox_id", kInbox}, {"display_name", "Agent"}, {"pod_id", "p-1"}};
  const auto& permissions = keys_.at(key);
  if (disclose_in_inbox_ && permissions) {
    JsonObject map;
    for (const std::string& name : *permissions) map[name] = true;
    inbox["permissions"] = std::move(map);
  }
  return {200, base::ToText(inbox)};
}

AgentmailServer::Reply AgentmailServer::Keys() const {
  JsonArray list;
  for (const auto& [key, permissions] : keys_) {
    JsonObject entry{{"api_key_id", "id"}, {"prefix", key.substr(0, 8)}, {"name", "key"}};
    if (permissions) {
      JsonObject map;
      for (const std::string& name : *permissions) map[name] = true;
      entry["permissions"] = std::move(map);
    }
    list.push_back(std::move(entry));
  }
  return {200, base::ToText(JsonObject{{"count", list.size()}, {"api_keys", list}})};
}

AgentmailServer::Reply AgentmailServer::Messages(const std::string& query) const {
  const std::string token = QueryValue(query, "page_token");
  const std::size_t start = token.empty() ? 0 : std::stoul(token);
  JsonArray list;
  std::size_t at = start;
  for (; at < messages_.size() && list.size() < page_size_; ++at) list.push_back(messages_[at]);
  JsonObject answer{{"count", list.size()}, {"messages", std::move(list)}};
  if (at < messages_.size()) answer["next_page_token"] = std::to_string(at);
  return {200, base::ToText(answer)};
}

void AgentmailServer::PutDraft(const std::string& id, JsonObject draft) {
  const std::lock_guard lock(mutex_);
  draft["draft_id"] = id;
  draft["inbox_id"] = kInbox;
  draft["labels"] = JsonArray{"draft"};
  draft["updated_at"] = "2026-08-04T08:00:00.000Z";
  drafts_[id] = std::move(draft);
}

void AgentmailServer::Edit(const std::string& id, const JsonObject& changes) {
  const std::lock_guard lock(mutex_);
  for (const auto& change : changes) drafts_[id][change.key()] = change.value();
}

void AgentmailServer::PutKey(const std::string& key,
                             std::optional<std::set<std::string>> permissions) {
  const std::lock_guard lock(mutex_);
  keys_[key] = std::move(permissions);
}

void AgentmailServer::Script(const std::string& kind, AgentmailScript script) {
  const std::lock_guard lock(mutex_);
  scripts_[kind] = std::move(script);
}

void AgentmailServer::PutMessage(JsonObject message) {
  const std::lock_guard lock(mutex_);
  messages_.push_back(std::move(message));
}

void AgentmailServer::DisclosePermissions(bool in_inbox) {
  const std::lock_guard lock(mutex_);
  disclose_in_inbox_ = in_inbox;
}

void AgentmailServer::SetPageSize(std::size_t size) {
  const std::lock_guard lock(mutex_);
  page_size_ = size;
}

std::vector<ReceivedRequest> AgentmailServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

std::vector<JsonObject> AgentmailServer::sent() const {
  const std::lock_guard lock(mutex_);
  return sent_;
}

std::size_t AgentmailServer::CountRequests(const std::string& method) const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(
      std::count_if(requests_.begin(), requests_.end(),
                    [&](const ReceivedRequest& one) { return one.method == method; }));
}

}  // namespace approval::testing
