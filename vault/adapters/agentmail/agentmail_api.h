// One call at a time to the AgentMail API over the HTTP client (adapters.md 4, 4.4).
//
// Blocks its thread until the answer is there or the deadline is over. Nothing is repeated and no
// redirect is followed. No text holds the key. A call that came back with an error may have taken
// effect only when `may_have_arrived` says so.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "core/base/json.h"
#include "core/base/secret.h"
#include "vault/adapters/adapter.h"

namespace approval::adapters::agentmail {

inline constexpr std::string_view kDefaultApiBase = "https://api.agentmail.to";

struct ApiOptions {
  std::string base{kDefaultApiBase};           // without a slash at its end
  std::string ca_file{};                       // replaces the system's roots
  std::chrono::milliseconds deadline{15'000};  // of each call
};

struct ApiAnswer {
  int status = 0;
  base::Json body;  // null when it is not JSON
  std::size_t length = 0;

  bool ok() const { return status >= 200 && status < 300; }
  const base::JsonObject* object() const { return body.if_object(); }
};

struct ApiError {
  ActFailed failure;
  bool may_have_arrived = false;
};

class Api {
 public:
  Api(ApiOptions options, const base::Secret& key) : options_(std::move(options)), key_(key) {}

  tl::expected<ApiAnswer, ApiError> Get(const std::string& path) const;
  // `body` nothing: no body and no content type.
  tl::expected<ApiAnswer, ApiError> Post(const std::string& path,
                                         const std::optional<base::JsonObject>& body,
                                         const std::string& idempotency_key) const;

 private:
  struct Call;
  tl::expected<ApiAnswer, ApiError> Send(Call call) const;

  ApiOptions options_;
  const base::Secret& key_;
};

// The stable code of a status that is not 2xx, and what the service said about it.
ActFailed FailureOf(const ApiAnswer& answer);

// For one segment of a path or one value of a query.
std::string Escaped(std::string_view text);

// `/v0/inboxes/<inbox>` and what follows it, each part one escaped segment.
std::string InboxPath(std::string_view inbox_id, const std::vector<std::string>& parts = {});

// Whether the key may stand in a header, and the base is a URL that is opened.
std::optional<std::string> CheckKey(std::string_view key);
std::optional<std::string> CheckBase(std::string_view base);

}  // namespace approval::adapters::agentmail
