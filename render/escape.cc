#include "render/quote.h"

namespace approval::render {
namespace {

std::string Escape(std::string_view text, bool quotes) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (quotes && c == '"') {
      out += "&quot;";
    } else if (quotes && c == '\'') {
      out += "&#39;";
    } else {
      out.push_back(c);
    }
  }
  return out;
}

}  // namespace

std::string EscapeHtml(std::string_view text) { return Escape(text, true); }

std::string EscapeTelegram(std::string_view text) { return Escape(text, false); }

}  // namespace approval::render
