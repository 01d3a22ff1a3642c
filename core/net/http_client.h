// An HTTP client for one owner thread: many exchanges at once over libcurl's multi interface.
//
// All members except Wakeup belong to the owner thread. Submit never blocks and never calls back;
// callbacks run inside Poll, each exactly once unless its exchange was cancelled, and may Submit
// and Cancel. Destruction drops what is open without calling back.
//
// Only https, and http when the host is this machine; no redirects; certificates are always
// verified, TLS 1.2 or newer; proxies as the environment names them, never for this machine. One
// deadline covers an exchange from name look-up to the last byte. Any HTTP status is a response,
// not an error. Errors: `usage` (a URL we do not open), `http-unreachable` and `http-tls` (nothing
// of the request was handed over), `http-timeout`, `http-aborted`, `http-too-large` (the server may
// have acted). No error text holds a URL, and every one went through the redactor.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/secret.h"
#include "core/net/redactor.h"

namespace approval::net {

// One part of a multipart/form-data body.
struct HttpPart {
  std::string name;
  std::string value;
  std::optional<std::string> file_name{};
  std::string content_type{};  // empty: none stated
};

struct HttpRequest {
  std::string method = "GET";
  std::string url;
  std::vector<std::string> headers{};  // `Name: value`
  base::Secret bearer{};               // sent as `Authorization: Bearer`; empty: none
  std::string body{};
  std::vector<HttpPart> parts{};  // when not empty the body is these
  std::chrono::milliseconds deadline{30'000};
  std::chrono::milliseconds connect_timeout{10'000};
  std::size_t max_body_bytes = std::size_t{1} << 20;
};

struct HttpResponse {
  int status = 0;
  std::string body;
};

using HttpResult = base::Result<HttpResponse>;
using HttpCallback = std::function<void(HttpResult)>;

struct HttpOptions {
  std::string ca_file;  // PEM; empty: the system's roots
};

// libcurl's own start, once for the process and before any other use of it.
void StartLibrary();

// The options that the environment asks for: SSL_CERT_FILE.
HttpOptions HttpOptionsFromEnvironment();

class HttpClient {
 public:
  using Id = std::uint64_t;

  explicit HttpClient(Redactor redactor, HttpOptions options = {});
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  Id Submit(HttpRequest request, HttpCallback callback);

  // The callback is not called any more. Unknown ids are ignored.
  void Cancel(Id id);

  // Moves data, waits at most this long when there is nothing to do, runs callbacks. Returns early
  // on traffic and on Wakeup.
  void Poll(std::chrono::milliseconds max_wait);

  // Ends a Poll that waits, or the next one. Any thread.
  void Wakeup();

  // Exchanges that have not called back yet.
  std::size_t open() const;

  const Redactor& redactor() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Whether the server may have received the request although this error came back.
bool MayHaveArrived(const base::Error& error);

}  // namespace approval::net
