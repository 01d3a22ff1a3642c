#include "core/net/http_url.h"

#include <arpa/inet.h>
#include <curl/curl.h>

#include <memory>
#include <string_view>

namespace approval::net {
namespace {

using base::Code;

std::string Part(CURLU* url, CURLUPart part) {
  char* text = nullptr;
  if (curl_url_get(url, part, &text, 0) != CURLUE_OK) return "";
  std::string out(text);
  curl_free(text);
  return out;
}

bool IsLoopback(const std::string& host) {
  if (host == "localhost" || host == "[::1]") return true;
  in_addr address{};
  return inet_pton(AF_INET, host.c_str(), &address) == 1 && (ntohl(address.s_addr) >> 24) == 127;
}

}  // namespace

base::Result<CheckedUrl> CheckUrl(const std::string& url) {
  const std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> parsed(curl_url(), &curl_url_cleanup);
  if (parsed == nullptr || curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK) {
    return base::Fail(Code::kUsage, "this is not a URL");
  }
  const std::string scheme = Part(parsed.get(), CURLUPART_SCHEME);
  const bool loopback = IsLoopback(Part(parsed.get(), CURLUPART_HOST));
  if (scheme != "https" && !(scheme == "http" && loopback)) {
    return base::Fail(Code::kUsage, "only https URLs are opened, and http ones on this machine");
  }
  if (!Part(parsed.get(), CURLUPART_USER).empty()) {
    return base::Fail(Code::kUsage, "a URL with user information is not opened");
  }
  return CheckedUrl{loopback};
}

}  // namespace approval::net
