#include "render/secrets.h"

#include <array>

#include "core/base/utf8.h"
#include "render/hosts.h"

namespace approval::render {
namespace {

struct Token {
  std::string_view prefix;
  std::size_t rest;  // characters that must follow
  std::string_view name;
};

constexpr std::array<Token, 9> kTokens = {{
    {"sk-", 20, "an API key (sk-…)"},
    {"ghp_", 20, "a GitHub token (ghp_…)"},
    {"github_pat_", 20, "a GitHub token (github_pat_…)"},
    {"glpat-", 16, "a GitLab token (glpat-…)"},
    {"xoxb-", 16, "a Slack token (xoxb-…)"},
    {"xoxp-", 16, "a Slack token (xoxp-…)"},
    {"AKIA", 16, "an AWS access key (AKIA…)"},
    {"AIza", 30, "a Google API key (AIza…)"},
    {"Bearer ", 20, "a bearer token"},
}};

bool IsTokenChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.' || c == '+' || c == '/' || c == '=';
}

bool IsWordChar(char c) { return IsTokenChar(c) && c != '=' && c != '/' && c != '+' && c != '.'; }

std::size_t FindToken(std::string_view text, const Token& token) {
  if (text.size() < token.prefix.size() + token.rest) return std::string_view::npos;
  for (std::size_t at = text.find(token.prefix); at != std::string_view::npos;
       at = text.find(token.prefix, at + 1)) {
    if (at > 0 && IsWordChar(text[at - 1])) continue;
    std::size_t end = at + token.prefix.size();
    while (end < text.size() && IsTokenChar(text[end])) ++end;
    if (end - at - token.prefix.size() >= token.rest) return at;
  }
  return std::string_view::npos;
}

}  // namespace

std::vector<std::string> SecretLikeStrings(std::string_view text) {
  constexpr std::size_t kShortest = 6;  // `://a:@`
  std::vector<std::string> found;
  if (text.size() < kShortest) return found;
  const auto report = [&](std::string_view name, std::size_t at) {
    if (at == std::string_view::npos) return;
    found.push_back(std::string(name) + " at character " +
                    std::to_string(base::CountCodePoints(text.substr(0, at)) + 1));
  };
  for (const Token& token : kTokens) report(token.name, FindToken(text, token));
  report("a PEM block", text.find("-----BEGIN "));
  for (const UrlParts& url : FindUrls(text)) {
    if (!url.has_password) continue;
    report("a password in a URL", static_cast<std::size_t>(url.user.data() - text.data()));
    break;
  }
  return found;
}

}  // namespace approval::render
