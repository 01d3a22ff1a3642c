#include "core/classify/protected_path.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/classify/tokenizer.h"
#include "core/policy/protected_paths.h"

namespace approval::classify {
namespace {

constexpr std::string_view kInAWord = "protected-path";
constexpr std::string_view kInARedirect = "redirect-protected";
// Substitutions inside substitutions; each level reads the text of the one above once more.
constexpr int kMostLevels = 16;

bool IsKnownRule(std::string_view rule) {
  static constexpr std::array<std::string_view, 3> kRules = {kInAWord, "protected-path-proposal",
                                                             "protected-name-elsewhere"};
  return std::find(kRules.begin(), kRules.end(), rule) != kRules.end();
}

class Search {
 public:
  explicit Search(const std::vector<policy::ProtectedPath>& entries) : entries_(entries) {}

  void Word(std::string_view word, std::string_view rule) {
    if (word.empty()) return;
    Try(word, word, rule);
    for (const char joint : {'=', '@'}) {
      const std::size_t at = word.find(joint);
      if (at != std::string_view::npos) Try(word, word.substr(at + 1), rule);
    }
  }

  void Command(std::string_view command, int level = 0) {
    const auto segments = Tokenize(command);
    if (!segments) return;
    for (const Segment& segment : *segments) {
      for (const classify::Word& word : segment.words) Word(word.text, kInAWord);
      for (const Redirect& redirect : segment.redirects) {
        if (!redirect.op.starts_with("<<")) Word(redirect.target.text, kInARedirect);
      }
      if (level == kMostLevels) continue;
      for (const std::string& inner : segment.substitutions) Command(inner, level + 1);
    }
  }

  std::optional<std::string> Answer(std::string_view own_rule) const {
    if (tier_ == kNone) return std::nullopt;
    const std::string_view rule = IsKnownRule(own_rule) ? own_rule : rule_;
    return path_ + " (rule " + std::string(rule) + ")";
  }

 private:
  void Try(std::string_view word, std::string_view path, std::string_view rule) {
    const auto protection = policy::ProtectionOf(path, entries_);
    if (!protection || protection->tier >= tier_) return;
    tier_ = protection->tier;
    path_ = word;
    rule_ = rule;
  }

  static constexpr int kNone = 6;
  const std::vector<policy::ProtectedPath>& entries_;
  int tier_ = kNone;
  std::string path_;
  std::string_view rule_;
};

}  // namespace

std::optional<std::string> ProtectedPathOf(const base::Json& payload,
                                           const std::vector<policy::ProtectedPath>& entries) {
  if (!payload.is_object()) return std::nullopt;
  const base::JsonObject& object = payload.get_object();
  Search search(entries);
  if (const auto command = base::StringMember(object, "command")) search.Command(*command);
  const base::Json* argv = object.if_contains("argv");
  if (argv != nullptr && argv->is_array()) {
    for (const base::Json& argument : argv->get_array()) {
      if (argument.is_string()) search.Word(argument.get_string(), kInAWord);
    }
  }
  if (const auto file = base::StringMember(object, "file")) search.Word(*file, kInAWord);
  return search.Answer(base::StringMember(object, "rule").value_or(""));
}

}  // namespace approval::classify
