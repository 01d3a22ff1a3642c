#include <algorithm>

#include "core/base/char_table.h"
#include "core/base/utf8.h"
#include "render/card.h"
#include "render/hosts.h"
#include "render/look_alike.h"
#include "render/punycode.h"
#include "render/quote.h"
#include "render/request_url.h"
#include "render/secrets.h"
#include "tests/fuzz/checks.h"
#include "tests/render/payloads.h"

namespace approval::fuzz {
namespace {

using render::QuoteLine;
using render::QuoteLines;
using render::TabRule;
using render::Unquote;

std::string Joined(const std::vector<std::string>& lines) {
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i) out += (i == 0 ? "" : "\n") + lines[i];
  return out;
}

// A cut at `limit`: a beginning of the whole, its limit kept, the rest counted, and the same again.
std::string CutFault(std::string_view text, const std::string& whole, std::size_t limit) {
  const std::string cut = QuoteLine(text, limit);
  const std::size_t mark = cut.rfind("«cut: ");
  if (mark == std::string::npos || whole == cut) {
    return cut == whole && base::CountCodePoints(whole) <= limit ? "" : "an uncut text is cut";
  }
  const std::string kept = cut.substr(0, mark);
  if (!whole.starts_with(kept)) return "a cut is no beginning of the whole";
  const std::size_t width = base::CountCodePoints(kept);
  if (width > limit) return "a cut is longer than its limit";
  if (QuoteLine(text, width) != cut) return "a cut at its own width is another one";
  const auto before = Unquote(kept);
  if (!before || !text.starts_with(*before)) return "a cut lies inside a mark or a cluster";
  std::size_t left = 0;
  for (std::size_t at = before->size(); at < text.size(); ++left) {
    at += base::DecodeAt(text, at, true).length;
  }
  if (cut.substr(mark) !=
      "«cut: " + std::to_string(left) + (left == 1 ? " more character»" : " more characters»")) {
    return "a cut counts wrongly";
  }
  return RawFault(cut);
}

}  // namespace

std::string CheckQuoting(std::string_view bytes) {
  if (bytes.size() < 2) return "";
  const std::size_t first_cut = static_cast<unsigned char>(bytes[0]);
  const std::string_view text = bytes.substr(1);
  const std::string line = QuoteLine(text);
  if (std::string fault = RawFault(line); !fault.empty()) return fault;
  if (line.find('\n') != std::string::npos) return "a quoted line has a line feed";
  if (Unquote(line) != text) return "a quoted line does not give its text back";
  for (const TabRule tabs : {TabRule::kMark, TabRule::kArrow}) {
    const auto lines = QuoteLines(text, tabs);
    const std::string joined = Joined(lines);
    if (std::string fault = RawFault(joined); !fault.empty()) return fault;
    if (Unquote(joined) != text) return "quoted lines do not give their text back";
    for (const std::string& one : lines) {
      if (one.find('\n') != std::string::npos) return "a line of many holds a line feed";
      if (one.starts_with("│")) return "a text begins with the bar";
    }
  }
  for (const std::size_t limit : {first_cut, first_cut / 7, std::size_t{0}}) {
    if (std::string fault = CutFault(text, line, limit); !fault.empty()) return fault;
  }
  // What nobody has quoted ends in a text or in nothing.
  (void)Unquote(text);
  const auto has = [&line](std::string_view mark) { return line.find(mark) != std::string::npos; };
  if (render::CountInvisible(text) != 0 && !has("«U+")) return "invisible, but not marked";
  // Escapes hold no character of markup.
  const std::string html = render::EscapeHtml(line);
  if (html.find_first_of("<>\"'") != std::string::npos) return "an escape lets markup through";
  return render::EscapeTelegram(line).find_first_of("<>") == std::string::npos
             ? ""
             : "an escape lets a tag through";
}

std::string CheckCommand(std::string_view bytes) {
  const std::string text = base::ReplaceIllFormed(bytes);
  std::string shown;
  for (const std::string& word : render::LookAlikeWords(text)) shown += word + "\n";
  for (const std::string& secret : render::SecretLikeStrings(text)) shown += secret + "\n";
  for (const render::UrlParts& url : render::FindUrls(text)) {
    shown += render::OddHost(url.host).value_or("") + "\n";
  }
  shown += render::OddHost(text).value_or("") + "\n";
  const render::RequestUrl url = render::ReadRequestUrl(text);
  const std::string_view all(text);
  for (const std::string_view part : {url.scheme, url.host, url.port, url.target}) {
    if (!part.empty() &&
        (part.data() < all.data() || part.data() + part.size() > all.data() + all.size())) {
      return "a part of an address lies outside of it";
    }
  }
  // A label of a name has at most 63 characters; longer ones are not read back.
  const std::string_view label = std::string_view(text).substr(0, text.find('.'));
  const auto ascii = render::ToAsciiLabel(label);
  if (ascii && ascii->size() <= 63 && !render::IsAscii(label) &&
      render::FromAsciiLabel(*ascii) != base::AsciiLower(label)) {
    return "a label does not come back: " + *ascii;
  }
  (void)render::FromAsciiLabel(text);
  for (const base::Json& payload : {base::Json{{"command", text}, {"cwd", text}},
                                    base::Json{{"method", "GET"}, {"url", text}}}) {
    gate::RequestModel request = render::RequestFor(payload, "exec.shell");
    request.command_breakdown = {text, "classifier"};
    request.protected_path = {text, "classifier"};
    const render::Card card = render::BuildCard(request, render::kTestNow, {});
    if (!card.complete) return "not shown: " + card.incomplete_reason;
    for (const std::string& line : render::CardLines(card)) shown += line + "\n";
  }
  return RawFault(shown);
}

}  // namespace approval::fuzz
