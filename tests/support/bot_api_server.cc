#include "tests/support/bot_api_server.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <utility>

#include "tests/support/bot_api_bodies.h"

namespace approval::testing {
namespace {

using Object = base::JsonObject;

constexpr int kHangStatus = 0;

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

BotApiServer::BotApiServer(std::string token, std::int64_t chat_id, int port)
    : token_(std::move(token)), chat_id_(chat_id), listener_(ListenOnLoopback(port)) {
  accepting_ = std::thread([this] { Accept(); });
}

BotApiServer::~BotApiServer() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    for (const int fd : connections_) ::shutdown(fd, SHUT_RDWR);
  }
  changed_.notify_all();
  ::shutdown(listener_.socket, SHUT_RDWR);
  accepting_.join();
  for (std::thread& thread : threads_) thread.join();
  ::close(listener_.socket);
}

void BotApiServer::Accept() {
  for (;;) {
    const int fd = ::accept4(listener_.socket, nullptr, nullptr, SOCK_CLOEXEC);
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
  while (const auto request = ReadRequest(fd, buffer)) {
    const Answer answer = Handle(fd, *request);
    if (answer.close) break;
    if (answer.hang) {
      std::unique_lock lock(mutex_);
      while (!stop_ && !IsClosed(fd)) changed_.wait_for(lock, std::chrono::milliseconds(20));
      break;
    }
    if (!SendAll(fd, "HTTP/1.1 " + std::to_string(answer.status) +
                         " X\r\nContent-Type: application/json\r\nContent-Length: " +
                         std::to_string(answer.body.size()) + "\r\n\r\n" + answer.body)) {
      break;
    }
  }
  const std::lock_guard lock(mutex_);
  connections_.erase(fd);
  ::close(fd);
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

BotApiServer::Answer BotApiServer::Handle(int fd, const ReceivedRequest& request) {
  std::unique_lock lock(mutex_);
  const std::string prefix = "/bot" + token_ + "/";
  if (!request.target.starts_with(prefix)) {
    return {401, BotError(401, "Unauthorized: " + request.target)};
  }
  const std::string method = request.target.substr(prefix.size());
  Object object;
  const std::string content_type = request.Header("content-type");
  if (content_type.starts_with("multipart/form-data")) {
    object = MultipartFields(content_type, request.body);
  } else {
    const auto parsed = base::ParseJson(request.body, base::kStrictJson);
    if (!parsed || !parsed->is_object()) {
      return {400, BotError(400, "Bad Request: can't parse JSON object")};
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
        answer = {fault->status, BotError(fault->status, fault->description, parameters)};
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
    return {200, BotOk(Object{{"id", 1234567890}, {"is_bot", true}, {"username", "gate_bot"}})};
  }
  if (method == "getUpdates") return GetUpdates(fd, body, lock);
  if (method == "sendMessage") return SendMessage(body);
  if (method == "sendDocument") return SendDocument(body);
  if (method == "editMessageText") return EditMessage(body);
  if (method == "answerCallbackQuery") return AnswerQuery(body);
  if (method == "getWebhookInfo") return {200, BotOk(Object{{"url", ""}})};
  return {404, BotError(404, "Not Found")};
}

BotApiServer::Answer BotApiServer::GetUpdates(int fd, const Object& body,
                                              std::unique_lock<std::mutex>& lock) {
  const std::int64_t offset = BotNumber(body, "offset");
  updates_.erase(updates_.begin(), updates_.lower_bound(offset));
  const std::int64_t turn = ++poll_turn_;
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::seconds(BotNumber(body, "timeout"));
  changed_.notify_all();
  ++open_polls_;
  while (!stop_ && turn == poll_turn_ && updates_.empty() && !IsClosed(fd) &&
         std::chrono::steady_clock::now() < end) {
    changed_.wait_for(lock, std::chrono::milliseconds(20));
  }
  --open_polls_;
  if (turn != poll_turn_) {
    return {409, BotError(409,
                          "Conflict: terminated by other getUpdates request; make sure that only "
                          "one bot instance is running")};
  }
  base::JsonArray list;
  for (const auto& [id, update] : updates_) list.emplace_back(update);
  return {200, BotOk(std::move(list))};
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

std::size_t BotApiServer::Unconfirmed() const {
  const std::lock_guard lock(mutex_);
  return updates_.size();
}

bool BotApiServer::PollOpen() const {
  const std::lock_guard lock(mutex_);
  return open_polls_ > 0;
}

}  // namespace approval::testing
