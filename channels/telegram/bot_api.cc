#include "channels/telegram/bot_api.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace approval::telegram {
namespace {

bool Contains(std::string_view text, std::string_view part) {
  return std::search(text.begin(), text.end(), part.begin(), part.end(), [](char a, char b) {
           return std::tolower(static_cast<unsigned char>(a)) == b;
         }) != text.end();
}

ReplyKind KindOfBadRequest(std::string_view description) {
  if (Contains(description, "message is not modified")) return ReplyKind::kNotModified;
  if (Contains(description, "message to edit not found") ||
      Contains(description, "message can't be edited") ||
      Contains(description, "message_id_invalid")) {
    return ReplyKind::kMessageGone;
  }
  // The bot was never started by this person, or was removed from the group.
  if (Contains(description, "chat not found")) return ReplyKind::kForbidden;
  return ReplyKind::kBadRequest;
}

ReplyKind KindOfStatus(int status, std::string_view description) {
  switch (status) {
    case 400:
      return KindOfBadRequest(description);
    case 413:
      return ReplyKind::kBadRequest;
    case 401:
    case 404:
      return ReplyKind::kUnauthorized;
    case 403:
      return ReplyKind::kForbidden;
    case 409:
      return ReplyKind::kConflict;
    case 429:
      return ReplyKind::kTooMany;
    default:
      return ReplyKind::kServerError;
  }
}

void ReadParameters(const base::JsonObject& body, ApiReply& reply) {
  const base::Json* parameters = body.if_contains("parameters");
  if (parameters == nullptr || !parameters->is_object()) return;
  const base::JsonObject& object = parameters->get_object();
  if (const base::Json* wait = object.if_contains("retry_after")) {
    reply.retry_after_s = std::max<std::int64_t>(0, base::AsInteger(*wait).value_or(0));
  }
  if (const base::Json* chat = object.if_contains("migrate_to_chat_id")) {
    reply.migrated_to = base::AsInteger(*chat).value_or(0);
    if (reply.migrated_to != 0) reply.kind = ReplyKind::kMigrated;
  }
}

}  // namespace

ApiReply ClassifyReply(std::string_view method, const net::HttpResult& result,
                       const net::Redactor& redactor) {
  ApiReply reply;
  const std::string name(method);
  if (!result) {
    reply.kind =
        net::MayHaveArrived(result.error()) ? ReplyKind::kUnknown : ReplyKind::kUnreachable;
    reply.description = name + ": " + result.error().message;
    return reply;
  }
  const auto parsed = base::ParseJson(result->body, base::kLenientJson);
  const std::string status = "HTTP " + std::to_string(result->status);
  if (!parsed || !parsed->is_object()) {
    // A page of some proxy says nothing about the token, whatever its status is.
    reply.kind = ReplyKind::kServerError;
    reply.description = name + ": " + status + " without a JSON answer";
    return reply;
  }
  const base::JsonObject& body = parsed->get_object();
  const base::Json* ok = body.if_contains("ok");
  if (result->status / 100 == 2 && ok != nullptr && ok->is_bool() && ok->get_bool()) {
    reply.kind = ReplyKind::kOk;
    if (const base::Json* value = body.if_contains("result")) reply.result = *value;
    return reply;
  }
  const std::string description =
      redactor.Clean(base::StringMember(body, "description").value_or("no description"));
  const auto error_code = body.if_contains("error_code");
  const int code =
      result->status / 100 != 2
          ? result->status
          : static_cast<int>(error_code ? base::AsInteger(*error_code).value_or(500) : 500);
  reply.kind = KindOfStatus(code, description);
  reply.description = name + ": " + status + ": " + description;
  ReadParameters(body, reply);
  return reply;
}

BotApi::BotApi(net::HttpClient& http, std::string base, base::Secret token)
    : http_(http), base_(std::move(base)), token_(std::move(token)) {
  while (!base_.empty() && base_.back() == '/') base_.pop_back();
}

net::HttpClient::Id BotApi::Submit(std::string_view method, net::HttpRequest request,
                                   ApiCallback callback) {
  request.method = "POST";
  request.url = base_ + "/bot" + std::string(token_.Reveal()) + "/" + std::string(method);
  request.headers.emplace_back("Expect:");
  request.max_body_bytes = std::size_t{8} << 20;
  return http_.Submit(std::move(request),
                      [this, name = std::string(method),
                       callback = std::move(callback)](const net::HttpResult& result) {
                        callback(ClassifyReply(name, result, http_.redactor()));
                      });
}

net::HttpClient::Id BotApi::Call(std::string_view method, const base::JsonObject& parameters,
                                 std::chrono::milliseconds deadline, ApiCallback callback) {
  net::HttpRequest request;
  request.headers = {"Content-Type: application/json"};
  request.body = base::ToText(parameters);
  request.deadline = deadline;
  return Submit(method, std::move(request), std::move(callback));
}

ApiReply BotApi::CallAndWait(std::string_view method, const base::JsonObject& parameters,
                             std::chrono::milliseconds deadline) {
  std::optional<ApiReply> reply;
  Call(method, parameters, deadline, [&](ApiReply got) { reply = std::move(got); });
  while (!reply) http_.Poll(std::chrono::milliseconds(200));
  return std::move(*reply);
}

net::HttpClient::Id BotApi::SendDocument(Document document, std::chrono::milliseconds deadline,
                                         ApiCallback callback) {
  net::HttpRequest request;
  request.parts.push_back({"chat_id", std::move(document.chat_id), {}, {}});
  request.parts.push_back({"disable_notification", "true", {}, {}});
  request.parts.push_back({"caption", std::move(document.caption), {}, {}});
  request.parts.push_back({"document", std::move(document.bytes), std::move(document.file_name),
                           "text/plain; charset=utf-8"});
  request.deadline = deadline;
  return Submit("sendDocument", std::move(request), std::move(callback));
}

ApiReply AskOnce(std::string base, const base::Secret& token, std::string_view method,
                 const base::JsonObject& parameters, std::chrono::milliseconds deadline,
                 net::HttpOptions options) {
  std::vector<base::Secret> secrets;
  secrets.push_back(token.Copy());
  net::HttpClient http(net::Redactor(std::move(secrets)), std::move(options));
  return BotApi(http, std::move(base), token.Copy()).CallAndWait(method, parameters, deadline);
}

}  // namespace approval::telegram
