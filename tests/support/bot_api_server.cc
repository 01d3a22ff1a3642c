#include "tests/support/bot_api_server.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "core/base/utf8.h"
#include "tests/support/bot_html.h"

namespace approval::testing {
namespace {

using Json = base::Json;
using Object = base::JsonObject;

constexpr int kHangStatus = 0;

std::string Text(const Object& object, std::string_view name) {
  const Json* value = object.if_contains(name);
  if (value == nullptr) return "";
  if (value->is_string()) return std::string(value->get_string());
  return base::ToText(*value);
}

std::int64_t Number(const Object& object, std::string_view name) {
  const Json* value = object.if_contains(name);
  return value == nullptr ? 0 : base::AsInteger(*value).value_or(0);
}

std::string Error(int code, const std::string& description, Object parameters = {}) {
  Object body{{"ok", false}, {"error_code", code}, {"description", description}};
  if (!parameters.empty()) body["parameters"] = std::move(parameters);
  return base::ToText(body);
}

std::string Ok(Json result) {
  return base::ToText(Object{{"ok", true}, {"result", std::move(result)}});
}

// The value of a header line, lower-case name.
std::string Header(const std::string& head, const std::string& name) {
  std::string lower = head;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const std::size_t at = lower.find("\r\n" + name + ":");
  if (at == std::string::npos) return "";
  std::size_t begin = at + name.size() + 3;
  while (begin < head.size() && head[begin] == ' ') ++begin;
  return head.substr(begin, head.find("\r\n", begin) - begin);
}

// Fields of a multipart body; a file's bytes under its name, its file name under `<name>.name`.
Object Multipart(const std::string& content_type, const std::string& body) {
  Object out;
  const std::string mark = "--" + content_type.substr(content_type.find("boundary=") + 9);
  std::size_t at = body.find(mark);
  while (at != std::string::npos) {
    const std::size_t head_begin = at + mark.size() + 2;
    const std::size_t head_end = body.find("\r\n\r\n", head_begin);
    const std::size_t next = body.find("\r\n" + mark, head_begin);
    if (head_end == std::string::npos || next == std::string::npos) break;
    const std::string head = body.substr(head_begin, head_end - head_begin);
    const auto quoted = [&](const std::string& key) -> std::string {
      const std::size_t begin = head.find(key + "=\"");
      if (begin == std::string::npos) return "";
      const std::size_t from = begin + key.size() + 2;
      return head.substr(from, head.find('"', from) - from);
    };
    const std::string name = quoted("; name");
    out[name] = body.substr(head_end + 4, next - head_end - 4);
    if (const std::string file = quoted("filename"); !file.empty()) out[name + ".name"] = file;
    at = next + 2;
  }
  return out;
}

bool IsClosed(int fd) {
  char byte = 0;
  const ssize_t got = ::recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK);
}

bool SendAll(int fd, const std::string& bytes) {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t put = ::send(fd, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (put <= 0) return false;
    sent += static_cast<std::size_t>(put);
  }
  return true;
}

}  // namespace

std::string BotMessage::Data(const std::string& button_text) const {
  for (const BotButton& button : buttons) {
    if (button.text == button_text) return button.data;
  }
  return "";
}

BotApiServer::BotApiServer(std::string token, std::int64_t chat_id, int port)
    : token_(std::move(token)), chat_id_(chat_id) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int yes = 1;
  ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  auto* raw = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  if (::bind(listener_, raw, size) != 0 || ::listen(listener_, 64) != 0) std::abort();
  ::getsockname(listener_, raw, &size);
  port_ = ntohs(address.sin_port);
  accepting_ = std::thread([this] { Accept(); });
}

BotApiServer::~BotApiServer() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    for (const int fd : connections_) ::shutdown(fd, SHUT_RDWR);
  }
  changed_.notify_all();
  ::shutdown(listener_, SHUT_RDWR);
  accepting_.join();
  for (std::thread& thread : threads_) thread.join();
  ::close(listener_);
}

void BotApiServer::Accept() {
  for (;;) {
    const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    const std::lock_guard lock(mutex_);
    if (fd < 0 || stop_) {
      if (fd >= 0) ::close(fd);
      return;
    }
    const int yes = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    connections_.insert(fd);
    threads_.emplace_back([this, fd] { Serve(fd); });
  }
}

void BotApiServer::Serve(int fd) {
  std::string buffer;
  char block[65536];
  for (;;) {
    std::size_t head_end = std::string::npos;
    std::size_t length = 0;
    for (;;) {
      head_end = buffer.find("\r\n\r\n");
      if (head_end != std::string::npos) {
        const std::string text = Header(buffer.substr(0, head_end), "content-length");
        length = text.empty() ? 0 : std::stoul(text);
        if (buffer.size() >= head_end + 4 + length) break;
      }
      const ssize_t got = ::recv(fd, block, sizeof block, 0);
      if (got <= 0) {
        const std::lock_guard lock(mutex_);
        connections_.erase(fd);
        ::close(fd);
        return;
      }
      buffer.append(block, static_cast<std::size_t>(got));
    }
    const std::string head = buffer.substr(0, head_end);
    const std::string body = buffer.substr(head_end + 4, length);
    buffer.erase(0, head_end + 4 + length);
    const std::size_t space = head.find(' ');
    const std::string path = head.substr(space + 1, head.find(' ', space + 1) - space - 1);
    const Answer answer = Handle(fd, path, Header(head, "content-type"), body);
    bool open = !answer.close;
    if (answer.hang) {
      std::unique_lock lock(mutex_);
      while (!stop_ && !IsClosed(fd)) changed_.wait_for(lock, std::chrono::milliseconds(20));
      open = false;
    } else if (open) {
      open = SendAll(fd, "HTTP/1.1 " + std::to_string(answer.status) +
                             " X\r\nContent-Type: application/json\r\nContent-Length: " +
                             std::to_string(answer.body.size()) + "\r\n\r\n" + answer.body);
    }
    if (open) continue;
    const std::lock_guard lock(mutex_);
    connections_.erase(fd);
    ::close(fd);
    return;
  }
}

std::optional<BotFault> BotApiServer::TakeFault(const std::string& method) {
  const auto queue = scripted_.find(method);
  if (queue != scripted_.end() && !queue->second.empty()) {
    const BotFault fault = queue->second.front();
    queue->second.pop_front();
    return fault;
  }
  const auto always = always_.find(method);
  return always == always_.end() ? std::nullopt : std::optional(always->second);
}

BotApiServer::Answer BotApiServer::Handle(int fd, const std::string& path,
                                          const std::string& content_type,
                                          const std::string& body) {
  std::unique_lock lock(mutex_);
  const std::string prefix = "/bot" + token_ + "/";
  if (!path.starts_with(prefix)) return {401, Error(401, "Unauthorized: " + path), false, false};
  const std::string method = path.substr(prefix.size());
  Object object;
  if (content_type.starts_with("multipart/form-data")) {
    object = Multipart(content_type, body);
  } else {
    const auto parsed = base::ParseJson(body, base::kStrictJson);
    if (!parsed || !parsed->is_object()) {
      return {400, Error(400, "Bad Request: can't parse JSON object"), false, false};
    }
    object = parsed->get_object();
  }
  const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now().time_since_epoch());
  const std::size_t index = calls_.size();
  calls_.push_back({method, object, kHangStatus, now.count()});
  changed_.notify_all();
  Answer answer;
  const std::optional<BotFault> fault = TakeFault(method);
  if (!fault || fault->act_first) answer = Run(fd, method, object, lock);
  if (fault) {
    Object parameters;
    if (fault->retry_after != 0) parameters["retry_after"] = fault->retry_after;
    if (fault->migrate_to != 0) parameters["migrate_to_chat_id"] = fault->migrate_to;
    switch (fault->kind) {
      case BotFault::Kind::kStatus:
        answer = {fault->status, Error(fault->status, fault->description, parameters), false,
                  false};
        break;
      case BotFault::Kind::kHang:
        answer = {0, "", false, true};
        break;
      case BotFault::Kind::kReset:
        answer = {0, "", true, false};
        break;
      case BotFault::Kind::kGarbage:
        answer = {200, "<html><body>Bad gateway</body></html>", false, false};
        break;
    }
  }
  calls_[index].status = answer.status;
  changed_.notify_all();
  return answer;
}

BotApiServer::Answer BotApiServer::Run(int fd, const std::string& method, const Object& body,
                                       std::unique_lock<std::mutex>& lock) {
  if (method == "getMe") {
    return {200, Ok(Object{{"id", 1234567890}, {"is_bot", true}, {"username", "gate_bot"}}), false,
            false};
  }
  if (method == "getUpdates") return GetUpdates(fd, body, lock);
  if (method == "sendMessage") return SendMessage(body);
  if (method == "sendDocument") return SendDocument(body);
  if (method == "editMessageText") return EditMessage(body);
  if (method == "answerCallbackQuery") return AnswerQuery(body);
  if (method == "getWebhookInfo") return {200, Ok(Object{{"url", ""}}), false, false};
  return {404, Error(404, "Not Found"), false, false};
}

BotApiServer::Answer BotApiServer::GetUpdates(int fd, const Object& body,
                                              std::unique_lock<std::mutex>& lock) {
  const std::int64_t offset = Number(body, "offset");
  updates_.erase(updates_.begin(), updates_.lower_bound(offset));
  const std::int64_t turn = ++poll_turn_;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(Number(body, "timeout"));
  changed_.notify_all();
  ++open_polls_;
  while (!stop_ && turn == poll_turn_ && updates_.empty() && !IsClosed(fd) &&
         std::chrono::steady_clock::now() < end) {
    changed_.wait_for(lock, std::chrono::milliseconds(20));
  }
  --open_polls_;
  if (turn != poll_turn_) {
    return {409,
            Error(409,
                  "Conflict: terminated by other getUpdates request; make sure that only "
                  "one bot instance is running"),
            false, false};
  }
  base::JsonArray list;
  for (const auto& [id, update] : updates_) list.emplace_back(update);
  return {200, Ok(std::move(list)), false, false};
}

std::optional<BotApiServer::Answer> BotApiServer::CheckText(const Object& body,
                                                            BotMessage& message) const {
  if (Text(body, "chat_id") != std::to_string(chat_id_)) {
    return Answer{400, Error(400, "Bad Request: chat not found"), false, false};
  }
  message.raw = Text(body, "text");
  message.parse_mode = Text(body, "parse_mode");
  message.text = message.raw;
  if (message.parse_mode == "HTML") {
    const auto parsed = ParseBotHtml(message.raw);
    if (!parsed) {
      return Answer{400, Error(400, "Bad Request: can't parse entities: " + parsed.error()), false,
                    false};
    }
    message.text = *parsed;
  }
  if (base::TrimEcma(message.text).empty()) {
    return Answer{400, Error(400, "Bad Request: message text is empty"), false, false};
  }
  if (!base::IsValidUtf8(message.text)) {
    return Answer{400, Error(400, "Bad Request: strings must be encoded in UTF-8"), false, false};
  }
  if (base::CountUtf16Units(message.text) > 4096) {
    return Answer{400, Error(400, "Bad Request: message is too long"), false, false};
  }
  return CheckKeyboard(body, message);
}

std::optional<BotApiServer::Answer> BotApiServer::CheckKeyboard(const Object& body,
                                                                BotMessage& message) {
  const Json* markup = body.if_contains("reply_markup");
  if (markup == nullptr) return std::nullopt;
  const Json* rows = markup->get_object().if_contains("inline_keyboard");
  if (rows == nullptr) return std::nullopt;
  for (const Json& row : rows->get_array()) {
    ++message.rows;
    for (const Json& button : row.get_array()) {
      BotButton out{Text(button.get_object(), "text"), Text(button.get_object(), "callback_data")};
      if (out.text.empty() || out.data.empty() || out.data.size() > 64) {
        return Answer{400, Error(400, "Bad Request: BUTTON_DATA_INVALID"), false, false};
      }
      message.buttons.push_back(std::move(out));
    }
  }
  return std::nullopt;
}

BotApiServer::Answer BotApiServer::SendMessage(const Object& body) {
  BotMessage message;
  if (auto refused = CheckText(body, message)) return *refused;
  message.id = next_message_++;
  message.silent = Text(body, "disable_notification") == "true";
  if (const Json* reply = body.if_contains("reply_parameters")) {
    message.reply_to = Number(reply->get_object(), "message_id");
  }
  messages_.push_back(message);
  return {200, Ok(Object{{"message_id", message.id}, {"text", message.text}}), false, false};
}

BotApiServer::Answer BotApiServer::SendDocument(const Object& body) {
  if (Text(body, "chat_id") != std::to_string(chat_id_)) {
    return {400, Error(400, "Bad Request: chat not found"), false, false};
  }
  BotMessage message;
  message.text = Text(body, "caption");
  message.document = Text(body, "document");
  message.document_name = Text(body, "document.name");
  message.silent = Text(body, "disable_notification") == "true";
  if (message.document.empty() || base::CountUtf16Units(message.text) > 1024) {
    return {400, Error(400, "Bad Request: file must be non-empty, caption short"), false, false};
  }
  message.id = next_message_++;
  messages_.push_back(message);
  return {200, Ok(Object{{"message_id", message.id}}), false, false};
}

BotApiServer::Answer BotApiServer::EditMessage(const Object& body) {
  BotMessage edited;
  if (auto refused = CheckText(body, edited)) return *refused;
  for (BotMessage& message : messages_) {
    if (message.id != Number(body, "message_id") || message.deleted) continue;
    const bool same_buttons = message.buttons.size() == edited.buttons.size();
    if (message.text == edited.text && message.raw == edited.raw && same_buttons) {
      return {400, Error(400, "Bad Request: message is not modified"), false, false};
    }
    message.text = edited.text;
    message.raw = edited.raw;
    message.parse_mode = edited.parse_mode;
    message.buttons = edited.buttons;
    message.rows = edited.rows;
    ++message.edits;
    return {200, Ok(Object{{"message_id", message.id}}), false, false};
  }
  return {400, Error(400, "Bad Request: message to edit not found"), false, false};
}

BotApiServer::Answer BotApiServer::AnswerQuery(const Object& body) {
  std::vector<std::string>& answers = answers_[Text(body, "callback_query_id")];
  const std::string text = Text(body, "text");
  answers.push_back(text);
  if (answers.size() > 1) {
    return {400, Error(400, "Bad Request: query is too old and response timeout expired"), false,
            false};
  }
  if (base::CountUtf16Units(text) > 200) {
    return {400, Error(400, "Bad Request: MESSAGE_TOO_LONG"), false, false};
  }
  return {200, Ok(true), false, false};
}

void BotApiServer::Script(const std::string& method, BotFault fault, int times) {
  const std::lock_guard lock(mutex_);
  for (int i = 0; i < times; ++i) scripted_[method].push_back(fault);
}

void BotApiServer::Always(const std::string& method, std::optional<BotFault> fault) {
  const std::lock_guard lock(mutex_);
  always_.erase(method);
  if (fault) always_.emplace(method, *fault);
}

std::vector<BotCall> BotApiServer::Calls(const std::string& method) const {
  const std::lock_guard lock(mutex_);
  std::vector<BotCall> out;
  for (const BotCall& call : calls_) {
    if (method.empty() || call.method == method) out.push_back(call);
  }
  return out;
}

std::vector<BotMessage> BotApiServer::Messages() const {
  const std::lock_guard lock(mutex_);
  return messages_;
}

std::optional<BotMessage> BotApiServer::Message(std::int64_t id) const {
  const std::lock_guard lock(mutex_);
  for (const BotMessage& message : messages_) {
    if (message.id == id) return message;
  }
  return std::nullopt;
}

std::vector<std::string> BotApiServer::Answers(const std::string& query_id) const {
  const std::lock_guard lock(mutex_);
  const auto found = answers_.find(query_id);
  return found == answers_.end() ? std::vector<std::string>{} : found->second;
}

std::int64_t BotApiServer::Push(base::JsonObject update) {
  const std::lock_guard lock(mutex_);
  const std::int64_t id = next_update_++;
  update["update_id"] = id;
  updates_[id] = update;
  all_updates_[id] = std::move(update);
  changed_.notify_all();
  return id;
}

void BotApiServer::PushAgain(std::int64_t update_id) {
  const std::lock_guard lock(mutex_);
  updates_[update_id] = all_updates_.at(update_id);
  changed_.notify_all();
}

std::string BotApiServer::TapData(std::int64_t message_id, const std::string& data,
                                  const base::Json& from_id, std::int64_t chat_id) {
  std::string query;
  {
    const std::lock_guard lock(mutex_);
    query = "cb-" + std::to_string(next_update_);
  }
  Push({{"callback_query",
         Object{{"id", query},
                {"from", Object{{"id", from_id}, {"username", "alex_example"}}},
                {"message", Object{{"message_id", message_id}, {"chat", Object{{"id", chat_id}}}}},
                {"data", data}}}});
  return query;
}

std::string BotApiServer::Tap(std::int64_t message_id, const std::string& button_text,
                              std::int64_t from) {
  const std::optional<BotMessage> message = Message(message_id);
  return TapData(message_id, message ? message->Data(button_text) : "", from, chat_id_);
}

void BotApiServer::Reply(std::int64_t message_id, const std::string& text, std::int64_t from) {
  Push({{"message", Object{{"message_id", 100000},
                           {"from", Object{{"id", from}}},
                           {"chat", Object{{"id", chat_id_}}},
                           {"text", text},
                           {"reply_to_message", Object{{"message_id", message_id},
                                                       {"chat", Object{{"id", chat_id_}}}}}}}});
}

void BotApiServer::Delete(std::int64_t message_id) {
  const std::lock_guard lock(mutex_);
  for (BotMessage& message : messages_) message.deleted |= message.id == message_id;
}

std::size_t BotApiServer::Unconfirmed() const {
  const std::lock_guard lock(mutex_);
  return updates_.size();
}

bool BotApiServer::PollOpen() const {
  const std::lock_guard lock(mutex_);
  return open_polls_ > 0;
}

}  // namespace approval::testing
