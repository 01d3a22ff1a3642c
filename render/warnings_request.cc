#include "render/warnings_request.h"

#include <algorithm>
#include <string>

#include "core/base/utf8.h"
#include "render/mail_attachment.h"
#include "render/quote.h"
#include "render/request_url.h"
#include "render/views.h"

namespace approval::render {
namespace {

constexpr std::size_t kShown = 120;

// What a Host header says for this address; a port that is stated may be left out.
bool NamesHostOf(const RequestUrl& url, std::string_view header) {
  const std::string named = base::AsciiLower(header);
  const std::string host = base::AsciiLower(url.host);
  return named == host || (!url.port.empty() && named == host + ":" + std::string(url.port));
}

}  // namespace

std::vector<Warning> RequestWarnings(const base::JsonObject& request) {
  std::vector<Warning> out;
  const std::string_view address = Text(request.at("url"));
  const RequestUrl url = ReadRequestUrl(address);
  if (!url.absolute) {
    out.push_back({WarningKind::kHost, "url",
                   "no absolute address, so this does not say which host it goes to, in url: " +
                       QuoteLine(address, kShown)});
  } else if (!url.plain) {
    out.push_back(
        {WarningKind::kHost, "url",
         "an address that programs read in different ways in url: " + QuoteLine(address, kShown)});
  }
  const base::Json* headers = request.if_contains("headers");
  if (headers == nullptr) return out;
  for (const auto& member : headers->get_object()) {
    const std::string_view value = Text(member.value());
    if (base::AsciiLower(member.key()) == "host" && !NamesHostOf(url, value)) {
      out.push_back({WarningKind::kHost, "header Host",
                     "the header Host names another host than the address: " +
                         QuoteLine(value, kShown) + ", not " + QuoteLine(url.host, kShown)});
    }
  }
  return out;
}

std::vector<Warning> BinaryWarnings(const base::JsonObject& binary) {
  MailAttachment file;
  file.name = base::StringMember(binary, "name").value_or("");
  file.type = base::StringMember(binary, "media_type").value_or("");
  const std::string because = RunsBecause(file);
  if (because.empty()) return {};
  return {{WarningKind::kAttachment, "name",
           "these bytes may run as a program when they are opened (" + because +
               "): " + QuoteLine(file.name, kShown)}};
}

}  // namespace approval::render
