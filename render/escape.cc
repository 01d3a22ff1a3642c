#include "render/quote.h"

namespace approval::render {
namespace {

std::string_view Entity(char c, bool quotes) {
  if (c == '&') return "&amp;";
  if (c == '<') return "&lt;";
  if (c == '>') return "&gt;";
  if (quotes && c == '"') return "&quot;";
  return quotes && c == '\'' ? "&#39;" : "";
}

void AppendEscaped(std::string& out, std::string_view text, bool quotes) {
  std::size_t kept = 0;  // what stands before is in `out`
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view entity = Entity(text[at], quotes);
    if (entity.empty()) continue;
    out.append(text, kept, at - kept);
    out += entity;
    kept = at + 1;
  }
  out.append(text, kept);
}

std::string Escape(std::string_view text, bool quotes) {
  std::string out;
  out.reserve(text.size());
  AppendEscaped(out, text, quotes);
  return out;
}

}  // namespace

std::string EscapeHtml(std::string_view text) { return Escape(text, true); }

void AppendHtml(std::string& out, std::string_view text) { AppendEscaped(out, text, true); }

std::string EscapeTelegram(std::string_view text) { return Escape(text, false); }

}  // namespace approval::render
