#include "vault/adapters/agentmail/agentmail_api.h"

#include <algorithm>

#include "core/base/encoding.h"
#include "core/base/utf8.h"
#include "core/net/http_client.h"
#include "core/net/http_url.h"

namespace approval::adapters::agentmail {
namespace {

constexpr std::size_t kMaxAnswer = std::size_t{4} << 20;
constexpr std::size_t kMaxQuoted = 400;
// What the service says is wrong, in its own words.
std::string Said(const ApiAnswer& answer) {
  if (const base::JsonObject* object = answer.object()) {
    for (const char* name : {"message", "error", "detail"}) {
      const auto text = base::StringMember(*object, name);
      if (text && base::IsValidUtf8(*text)) return base::CutText(*text, kMaxQuoted);
    }
  }
  return "the answer has " + std::to_string(answer.length) + " bytes without a reason in them";
}

std::string_view CodeOfStatus(int status) {
  if (status == 401 || status == 403) return "agentmail-unauthorized";
  if (status == 404) return "agentmail-not-found";
  if (status == 409) return "agentmail-conflict";
  if (status == 429) return "agentmail-rate-limited";
  return status >= 500 ? "agentmail-server-error" : "agentmail-rejected";
}

std::string WhatNext(int status) {
  if (status == 401) return "; check agentmail.api_key in the vault";
  if (status == 403) return "; the key in the vault needs draft_send and message_send";
  if (status == 429) return "; nothing is repeated: ask again later";
  return "";
}

}  // namespace

struct Api::Call {
  std::string method;
  std::string path;
  std::string body{};
  std::vector<std::string> headers{};
};

tl::expected<ApiAnswer, ApiError> Api::Send(Call call) const {
  net::HttpOptions trust;
  trust.ca_file = options_.ca_file;
  std::vector<base::Secret> secrets;
  secrets.push_back(key_.Copy());
  net::HttpClient client(net::Redactor(std::move(secrets)), trust);
  net::HttpRequest request;
  request.method = std::move(call.method);
  request.url = options_.base + call.path;
  request.headers = std::move(call.headers);
  request.bearer = key_.Copy();
  request.headers.emplace_back("Accept: application/json");
  request.body = std::move(call.body);
  request.deadline = options_.deadline;
  request.connect_timeout = std::min(request.connect_timeout, options_.deadline);
  request.max_body_bytes = kMaxAnswer;
  std::optional<net::HttpResult> result;
  client.Submit(std::move(request), [&](net::HttpResult got) { result = std::move(got); });
  while (!result) client.Poll(std::chrono::milliseconds(1'000));
  if (!*result) {
    const base::Error& error = result->error();
    return tl::unexpected(ApiError{
        {"agentmail-unreachable", std::string(base::Spelling(error.code)) + ": " + error.message},
        net::MayHaveArrived(error)});
  }
  ApiAnswer answer;
  answer.status = (*result)->status;
  answer.length = (*result)->body.size();
  if (auto parsed = base::ParseJson((*result)->body, base::kStrictJson)) {
    answer.body = std::move(*parsed);
  }
  return answer;
}

tl::expected<ApiAnswer, ApiError> Api::Get(const std::string& path) const {
  return Send({"GET", path});
}

tl::expected<ApiAnswer, ApiError> Api::Post(const std::string& path,
                                            const std::optional<base::JsonObject>& body,
                                            const std::string& idempotency_key) const {
  Call call{"POST", path};
  call.headers.push_back("Idempotency-Key: " + idempotency_key);
  if (body) {
    call.body = base::ToText(*body);
    call.headers.emplace_back("Content-Type: application/json");
  } else {
    // libcurl states the type of a form by itself.
    call.headers.emplace_back("Content-Type:");
  }
  return Send(std::move(call));
}

ActFailed FailureOf(const ApiAnswer& answer) {
  return {std::string(CodeOfStatus(answer.status)), "AgentMail answered " +
                                                        std::to_string(answer.status) + ": " +
                                                        Said(answer) + WhatNext(answer.status)};
}

std::string Escaped(std::string_view text) { return base::PercentEncode(text, "-._~"); }

std::string InboxPath(std::string_view inbox_id, const std::vector<std::string>& parts) {
  std::string path = "/v0/inboxes/" + Escaped(inbox_id);
  for (const std::string& part : parts) path += "/" + Escaped(part);
  return path;
}

std::optional<std::string> CheckKey(std::string_view key) {
  const bool fine = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return c > ' ' && static_cast<unsigned char>(c) < 0x7f;
  });
  if (fine) return std::nullopt;
  return "agentmail.api_key must be a key without blanks";
}

std::optional<std::string> CheckBase(std::string_view base) {
  if (!base.empty() && base.back() != '/' && net::CheckUrl(std::string(base))) return std::nullopt;
  return "agentmail.api_base must be an https URL without a slash at its end";
}

}  // namespace approval::adapters::agentmail
