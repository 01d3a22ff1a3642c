#include "render/quote.h"
#include "render/request_url.h"
#include "render/views.h"

namespace approval::render {
namespace {

std::string Part(std::string_view text, std::string_view when_empty) {
  return text.empty() ? std::string(when_empty) : Quoted(text);
}

std::string HeadersWords(const base::JsonObject& headers) {
  return "headers: " + std::to_string(headers.size());
}

}  // namespace

// The address stands whole; its parts below it are read out of it, for reading.
Lines HttpView(const base::JsonObject& request) {
  Lines out;
  out.push_back(MemberLine(request, "method"));
  out.push_back(MemberLine(request, "url"));
  const RequestUrl url = ReadRequestUrl(Text(request.at("url")));
  if (url.absolute) {
    out.push_back("url scheme: " + Quoted(url.scheme));
    out.push_back("url host: " + Quoted(url.host));
    out.push_back("url port: " + Part(url.port, "(not stated)"));
    out.push_back("url path: " + Part(url.target, "(none)"));
  } else {
    out.emplace_back("url host: (none, this is no absolute address)");
  }
  if (const base::Json* value = request.if_contains("headers")) {
    out.push_back(HeadersWords(value->get_object()));
    std::size_t i = 0;
    for (const auto& member : value->get_object()) {
      const std::string label = Numbered("header", i++);
      out.push_back(label + " name: " + Quoted(member.key()));
      out.push_back(label + " value: " + Quoted(Text(member.value())));
    }
  } else {
    out.push_back(MemberLine(request, "headers"));
  }
  AppendBody(out, request, "body");
  return out;
}

Content HttpContent(const base::JsonObject& request) {
  Content content;
  content.keys.push_back({"method", QuoteLine(Text(request.at("method")))});
  const std::string_view address = Text(request.at("url"));
  const RequestUrl url = ReadRequestUrl(address);
  if (url.absolute) content.keys.push_back({"host", QuoteLine(url.host)});
  content.keys.push_back({"url", QuoteLine(address)});
  if (const base::Json* value = request.if_contains("headers")) {
    std::size_t i = 0;
    for (const auto& member : value->get_object()) {
      // A name is a word without a colon, so the first one ends it.
      content.keys.push_back({Numbered("header", i++),
                              QuoteLine(member.key()) + ": " + QuoteLine(Text(member.value()))});
    }
  }
  const auto body = base::StringMember(request, "body");
  content.label = body ? "body: " + CountWords(*body) : "no body";
  if (body) content.lines = QuoteLines(*body, TabRule::kMark);
  return content;
}

}  // namespace approval::render
