// The Bot API as this channel uses it: a method, its parameters, and what kind of answer came back
// (channels.md 3.2, 3.3).
//
// Belongs to the thread that owns the HttpClient; callbacks run inside its Poll. The token is part
// of each URL and of nothing else: no description or error text holds it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/json.h"
#include "core/base/secret.h"
#include "core/net/http_client.h"

namespace approval::telegram {

enum class ReplyKind {
  kOk,
  kNotModified,   // 400 on an edit that changes nothing: as good as ok
  kMessageGone,   // 400: the message to edit or to answer is not there or may not be edited
  kBadRequest,    // any other 400 and 413
  kUnauthorized,  // 401, 404: the token is dead
  kForbidden,     // 403, and 400 for a chat that the bot cannot see
  kMigrated,      // the chat has another id now
  kConflict,      // 409
  kTooMany,       // 429
  kServerError,   // any other status, no JSON, `ok` missing
  kUnreachable,   // nothing was handed over
  kUnknown,       // no answer; it may have been done
};

struct ApiReply {
  ReplyKind kind = ReplyKind::kUnknown;
  base::Json result{};
  std::string description;  // one sentence for a person, redacted
  std::int64_t retry_after_s = 0;
  std::int64_t migrated_to = 0;

  bool ok() const { return kind == ReplyKind::kOk || kind == ReplyKind::kNotModified; }
};

using ApiCallback = std::function<void(ApiReply)>;

// The kind of an HTTP answer to this method.
ApiReply ClassifyReply(std::string_view method, const net::HttpResult& result,
                       const net::Redactor& redactor);

class BotApi {
 public:
  // `http` outlives this.
  BotApi(net::HttpClient& http, std::string base, base::Secret token);

  net::HttpClient::Id Call(std::string_view method, const base::JsonObject& parameters,
                           std::chrono::milliseconds deadline, ApiCallback callback);

  // Call, and Poll of the client until the answer is there; callbacks of other exchanges run
  // meanwhile.
  ApiReply CallAndWait(std::string_view method, const base::JsonObject& parameters,
                       std::chrono::milliseconds deadline);

  struct Document {
    std::string chat_id;
    std::string file_name;
    std::string bytes;
    std::string caption;
  };
  // sendDocument without a sound.
  net::HttpClient::Id SendDocument(Document document, std::chrono::milliseconds deadline,
                                   ApiCallback callback);

 private:
  net::HttpClient::Id Submit(std::string_view method, net::HttpRequest request,
                             ApiCallback callback);

  net::HttpClient& http_;
  std::string base_;
  base::Secret token_;
};

// One call over a client of its own, for a verb that asks a thing or two. Blocks its thread.
ApiReply AskOnce(std::string base, const base::Secret& token, std::string_view method,
                 const base::JsonObject& parameters, std::chrono::milliseconds deadline,
                 net::HttpOptions options);

}  // namespace approval::telegram
