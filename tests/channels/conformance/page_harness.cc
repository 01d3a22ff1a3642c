#include <algorithm>
#include <map>

#include "channels/web/router.h"
#include "core/base/encoding.h"
#include "tests/channels/conformance/harnesses.h"

namespace approval::testing {
namespace {

namespace web = channels::web;

std::string Between(const std::string& text, const std::string& start, const std::string& end) {
  const std::size_t at = text.find(start);
  if (at == std::string::npos) return {};
  const std::size_t from = at + start.size();
  return text.substr(from, text.find(end, from) - from);
}

std::string Unescaped(const std::string& html) {
  static const std::map<std::string, std::string> kNamed{
      {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}};
  std::string out;
  for (std::size_t i = 0; i < html.size();) {
    bool found = false;
    for (const auto& [name, plain] : kNamed) {
      if (html.compare(i, name.size(), name) != 0) continue;
      out += plain;
      i += name.size();
      found = true;
      break;
    }
    if (!found) out += html[i++];
  }
  return out;
}

// What a person reads: tags that begin a line in a browser begin one here.
std::string TextOf(const std::string& html) {
  std::string out;
  for (std::size_t i = 0; i < html.size();) {
    if (html[i] != '<') {
      out += html[i++];
      continue;
    }
    const std::size_t end = std::min(html.find('>', i), html.size() - 1);
    const std::string tag = html.substr(i + 1, end - i - 1);
    const std::string name = tag.substr(0, tag.find(' '));
    const bool line = name == "p" || name == "li" || name == "dt" || name == "div" ||
                      name == "h1" || name == "h2" || name == "section" || name == "summary" ||
                      name == "button" || name == "label" || tag == "span";
    out += line ? '\n' : ' ';
    i = end + 1;
  }
  return Unescaped(out);
}

std::string Trimmed(std::string text) {
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

class Page final : public ChannelUnderTest {
 public:
  explicit Page(Bench& bench)
      : bench_(bench),
        router_(bench.runtime, "human:alice", base::Secret(std::string(32, 'k')), bench.rig.clock,
                random_) {
    router_.SetPort(4680);
    const std::string link = router_.NewLoginLink();
    for (const auto& [name, value] : Get(link.substr(link.find("/login"))).headers) {
      if (name == "Set-Cookie") cookie_ = value.substr(0, value.find(';'));
    }
  }

  std::string name() const override { return "web"; }
  channels::Health health() const override { return {cookie_.has_value(), "the page let us in"}; }

  std::vector<Rendered> Show() override {
    std::vector<Rendered> out;
    const auto view = bench_.Look();
    for (const gate::RequestModel& request : view->requests) {
      const std::string ref = request.chain.value.hash.substr(0, 16);
      const std::string page = Get("/r/" + ref + "?all=1").body;
      forms_[request.action_key.value] = FormOf(page);
      out.push_back(Read(page));
    }
    return out;
  }

  std::string Press(const std::string& key, channels::Gesture gesture) override {
    web::WebRequest request;
    request.method = "POST";
    request.target = "/decide";
    request.host = "127.0.0.1:4680";
    request.origin = "http://127.0.0.1:4680";
    request.cookie = cookie_;
    request.content_type = "application/x-www-form-urlencoded";
    request.body =
        forms_[key] +
        (gesture == channels::Gesture::kGrant ? "decision=grant" : "decision=reject&note=no+more");
    const web::WebAnswer answer = router_.Route(request);
    return std::to_string(answer.status) + " " + TextOf(answer.body);
  }

 private:
  web::WebAnswer Get(const std::string& target) {
    web::WebRequest request;
    request.method = "GET";
    request.target = target;
    request.host = "127.0.0.1:4680";
    request.cookie = cookie_;
    return router_.Route(request);
  }

  static std::string FormOf(const std::string& page) {
    std::string form;
    for (const char* name : {"ref", "request_hash", "display_hash", "token"}) {
      const std::string value = Between(page, "name=\"" + std::string(name) + "\" value=\"", "\"");
      form += std::string(name) + "=" + base::PercentEncode(value, "-_") + "&";
    }
    return form;
  }

  static Rendered Read(const std::string& page) {
    Rendered out;
    const std::string article = Between(page, "<article", "</article>");
    out.text = TextOf(article.substr(article.find('>') + 1));
    const std::string rows = Between(article, "All details</summary><dl>", "</dl>");
    for (std::size_t at = rows.find("<dt>"); at != std::string::npos;
         at = rows.find("<dt>", at + 1)) {
      const std::string row = rows.substr(at, rows.find("</dd>", at) - at);
      const std::string origin = Between(row, "<span class=\"quiet\">[", "]</span>");
      out.fields.push_back({Unescaped(Between(row, "<dt>", "</dt>")),
                            origin.rfind("claimed by ", 0) == 0,
                            Trimmed(Unescaped(Between(row, "<dd>", "<span")))});
    }
    AddClaimedLines(TextOf(Between(article, "<section class=\"claimed\"", "</section>")),
                    out.fields);
    const std::string bytes = Between(article, "<details><summary>The exact bytes", "</details>");
    const std::string region = Between(bytes, "<div class=\"bytes\">", "</div>");
    for (std::size_t at = region.find("<span>"); at != std::string::npos;
         at = region.find("<span>", at + 1)) {
      if (!out.payload.empty()) out.payload += "\n";
      out.payload += Unescaped(Between(region.substr(at), "<span>", "</span>"));
    }
    for (const RenderedField& field : out.fields) {
      if (field.label == "action key") out.action_key = field.text;
    }
    return out;
  }

  Bench& bench_;
  FakeRandom random_;
  web::Router router_;
  std::optional<std::string> cookie_;
  std::map<std::string, std::string> forms_;
};

}  // namespace

std::unique_ptr<ChannelUnderTest> PageUnderTest(Bench& bench) {
  return std::make_unique<Page>(bench);
}

}  // namespace approval::testing
