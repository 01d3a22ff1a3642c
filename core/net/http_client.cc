#include "core/net/http_client.h"

#include <curl/curl.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <utility>

#include "core/net/http_url.h"
#include "core/net/pipe_guard.h"

namespace approval::net {
namespace {

using base::Code;

struct CurlDelete {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
  void operator()(curl_mime* mime) const { curl_mime_free(mime); }
};
using Easy = std::unique_ptr<CURL, CurlDelete>;
using HeaderList = std::unique_ptr<curl_slist, CurlDelete>;
using Mime = std::unique_ptr<curl_mime, CurlDelete>;

// Everything libcurl points into while an exchange is open.
struct Exchange {
  HttpClient::Id id = 0;
  HttpRequest request;
  HttpCallback callback;
  Easy easy;
  HeaderList headers;
  Mime mime;
  HttpResponse response;
  bool too_large = false;
  char error_text[CURL_ERROR_SIZE] = "";
};

std::size_t TakeBody(char* data, std::size_t size, std::size_t count, void* user) {
  Exchange& exchange = *static_cast<Exchange*>(user);
  const std::size_t bytes = size * count;
  if (exchange.response.body.size() + bytes > exchange.request.max_body_bytes) {
    exchange.too_large = true;
    return 0;
  }
  exchange.response.body.append(data, bytes);
  return bytes;
}

template <typename T>
void Set(const Easy& easy, CURLoption option, T value) {
  curl_easy_setopt(easy.get(), option, value);
}

void AddHeaders(Exchange& exchange) {
  for (const std::string& header : exchange.request.headers) {
    curl_slist* longer = curl_slist_append(exchange.headers.get(), header.c_str());
    if (longer == nullptr) return;
    static_cast<void>(exchange.headers.release());
    exchange.headers.reset(longer);
  }
  Set(exchange.easy, CURLOPT_HTTPHEADER, exchange.headers.get());
}

void AddParts(Exchange& exchange) {
  exchange.mime.reset(curl_mime_init(exchange.easy.get()));
  for (const HttpPart& part : exchange.request.parts) {
    curl_mimepart* out = curl_mime_addpart(exchange.mime.get());
    curl_mime_name(out, part.name.c_str());
    curl_mime_data(out, part.value.data(), part.value.size());
    if (part.file_name) curl_mime_filename(out, part.file_name->c_str());
    if (!part.content_type.empty()) curl_mime_type(out, part.content_type.c_str());
  }
  Set(exchange.easy, CURLOPT_MIMEPOST, exchange.mime.get());
}

// The easy handle with every rule of the header applied.
void Configure(Exchange& exchange, const HttpOptions& options, bool loopback) {
  const Easy& easy = exchange.easy;
  const HttpRequest& request = exchange.request;
  Set(easy, CURLOPT_URL, request.url.c_str());
  Set(easy, CURLOPT_PROTOCOLS_STR, "https,http");
  Set(easy, CURLOPT_FOLLOWLOCATION, 0L);
  Set(easy, CURLOPT_NOSIGNAL, 1L);
  Set(easy, CURLOPT_TCP_KEEPALIVE, 1L);
  Set(easy, CURLOPT_TCP_KEEPIDLE, 20L);
  Set(easy, CURLOPT_TCP_KEEPINTVL, 10L);
  Set(easy, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  Set(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(request.deadline.count()));
  Set(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request.connect_timeout.count()));
  Set(easy, CURLOPT_WRITEFUNCTION, &TakeBody);
  Set(easy, CURLOPT_WRITEDATA, &exchange);
  Set(easy, CURLOPT_ERRORBUFFER, exchange.error_text);
  Set(easy, CURLOPT_PRIVATE, &exchange);
  if (!options.ca_file.empty()) Set(easy, CURLOPT_CAINFO, options.ca_file.c_str());
  // A proxy would carry what is meant for this machine to another one.
  if (loopback) Set(easy, CURLOPT_PROXY, "");
  if (!request.parts.empty()) {
    AddParts(exchange);
  } else if (request.method != "GET") {
    Set(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    Set(easy, CURLOPT_POSTFIELDS, request.body.c_str());
  }
  if (request.method != "GET") Set(easy, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  AddHeaders(exchange);
  if (!request.bearer.empty()) {
    Set(easy, CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BEARER));
    Set(easy, CURLOPT_XOAUTH2_BEARER, request.bearer.Reveal().data());
  }
}

bool IsTls(CURLcode code) {
  return code == CURLE_SSL_CONNECT_ERROR || code == CURLE_PEER_FAILED_VERIFICATION ||
         code == CURLE_SSL_CACERT_BADFILE || code == CURLE_SSL_CERTPROBLEM ||
         code == CURLE_SSL_CIPHER || code == CURLE_SSL_ISSUER_ERROR || code == CURLE_USE_SSL_FAILED;
}

Code CodeOf(const Exchange& exchange, CURLcode code) {
  if (exchange.too_large) return Code::kHttpTooLarge;
  if (IsTls(code)) return Code::kHttpTls;
  curl_off_t before_transfer = 0;
  curl_easy_getinfo(exchange.easy.get(), CURLINFO_PRETRANSFER_TIME_T, &before_transfer);
  if (before_transfer == 0) return Code::kHttpUnreachable;
  return code == CURLE_OPERATION_TIMEDOUT ? Code::kHttpTimeout : Code::kHttpAborted;
}

HttpResult ResultOf(Exchange& exchange, CURLcode code, const Redactor& redactor) {
  if (code == CURLE_OK) {
    long status = 0;
    curl_easy_getinfo(exchange.easy.get(), CURLINFO_RESPONSE_CODE, &status);
    exchange.response.status = static_cast<int>(status);
    return std::move(exchange.response);
  }
  const std::string detail =
      exchange.error_text[0] != '\0' ? exchange.error_text : curl_easy_strerror(code);
  if (exchange.too_large) return base::Fail(Code::kHttpTooLarge, "the answer is too large");
  return base::Fail(CodeOf(exchange, code), redactor.Clean(detail));
}

}  // namespace

struct HttpClient::State {
  Redactor redactor;
  HttpOptions options;
  CURLM* multi = nullptr;
  Id next_id = 1;
  std::map<Id, std::unique_ptr<Exchange>> exchanges;
  std::vector<std::pair<HttpCallback, base::Error>> refused;  // told at the next Poll

  void Finish(Exchange& exchange, CURLcode code) {
    const auto found = exchanges.find(exchange.id);
    const std::unique_ptr<Exchange> owned = std::move(found->second);
    exchanges.erase(found);
    curl_multi_remove_handle(multi, owned->easy.get());
    HttpResult result = ResultOf(*owned, code, redactor);
    owned->callback(std::move(result));
  }
};

void StartLibrary() {
  static std::once_flag once;  // libcurl counts its own initialisations, but not safely
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
}

HttpOptions HttpOptionsFromEnvironment() {
  HttpOptions options;
  const char* file = std::getenv("SSL_CERT_FILE");
  if (file != nullptr) options.ca_file = file;
  return options;
}

HttpClient::HttpClient(Redactor redactor, HttpOptions options) : state_(new State) {
  StartLibrary();
  state_->redactor = std::move(redactor);
  state_->options = std::move(options);
  state_->multi = curl_multi_init();
}

HttpClient::~HttpClient() {
  const PipeGuard guard;
  for (auto& [id, exchange] : state_->exchanges) {
    curl_multi_remove_handle(state_->multi, exchange->easy.get());
  }
  state_->exchanges.clear();
  curl_multi_cleanup(state_->multi);
}

HttpClient::Id HttpClient::Submit(HttpRequest request, HttpCallback callback) {
  const Id id = state_->next_id++;
  const base::Result<CheckedUrl> checked = CheckUrl(request.url);
  if (!checked) {
    state_->refused.emplace_back(std::move(callback), checked.error());
    return id;
  }
  auto exchange = std::make_unique<Exchange>();
  exchange->id = id;
  exchange->request = std::move(request);
  exchange->callback = std::move(callback);
  exchange->easy.reset(curl_easy_init());
  Configure(*exchange, state_->options, checked->loopback);
  curl_multi_add_handle(state_->multi, exchange->easy.get());
  state_->exchanges.emplace(id, std::move(exchange));
  return id;
}

void HttpClient::Cancel(Id id) {
  const auto found = state_->exchanges.find(id);
  if (found == state_->exchanges.end()) return;
  const PipeGuard guard;
  curl_multi_remove_handle(state_->multi, found->second->easy.get());
  state_->exchanges.erase(found);
}

void HttpClient::Poll(std::chrono::milliseconds max_wait) {
  const PipeGuard guard;
  int running = 0;
  curl_multi_perform(state_->multi, &running);
  // Every exchange that is not running any more has a message to read; no waiting then.
  if (state_->refused.empty() && running == static_cast<int>(state_->exchanges.size())) {
    const long wait = std::max<long>(0, static_cast<long>(max_wait.count()));
    curl_multi_poll(state_->multi, nullptr, 0, static_cast<int>(std::min<long>(wait, 3'600'000)),
                    nullptr);
    curl_multi_perform(state_->multi, &running);
  }
  for (auto& [callback, error] : std::exchange(state_->refused, {})) callback(base::Fail(error));
  int left = 0;
  while (CURLMsg* message = curl_multi_info_read(state_->multi, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    char* user = nullptr;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &user);
    state_->Finish(*static_cast<Exchange*>(static_cast<void*>(user)), message->data.result);
  }
}

void HttpClient::Wakeup() { curl_multi_wakeup(state_->multi); }

std::size_t HttpClient::open() const { return state_->exchanges.size() + state_->refused.size(); }

const Redactor& HttpClient::redactor() const { return state_->redactor; }

bool MayHaveArrived(const base::Error& error) {
  return error.code == Code::kHttpTimeout || error.code == Code::kHttpAborted ||
         error.code == Code::kHttpTooLarge;
}

}  // namespace approval::net
