#include "core/classify/breakdown.h"

#include <algorithm>

#include "core/base/utf8.h"
#include "core/classify/tokenizer.h"

namespace approval::classify {
namespace {

constexpr std::size_t kMostSegments = 8;
constexpr std::size_t kMostCodePoints = 40;

bool IsFlag(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

// A flag of one letter, whose value may be the next word.
bool IsBareShortFlag(std::string_view word) {
  return IsFlag(word) && word[1] != '-' && base::CountCodePoints(word) == 2;
}

std::string Shown(const Word& word) { return word.text + (word.substitutes ? "$(…)" : ""); }

void Append(std::string& out, std::string_view text) {
  if (text.empty()) return;
  if (!out.empty()) out += ' ';
  out += text;
}

std::string Cut(const std::string& text) {
  if (base::CountCodePoints(text) <= kMostCodePoints) return text;
  std::size_t end = 0;
  for (std::size_t i = 0; i + 1 < kMostCodePoints; ++i) end += base::DecodeAt(text, end).length;
  return text.substr(0, end) + "…";
}

std::string Brief(const Segment& segment) {
  std::string out;
  bool is_value = false;
  for (std::size_t i = 0; i < segment.words.size(); ++i) {
    const Word& word = segment.words[i];
    const bool is_flag = i > 0 && IsFlag(word.text);
    // A substitution runs whatever it stands behind.
    if ((!is_flag && !is_value) || word.substitutes) Append(out, Shown(word));
    is_value = is_flag && IsBareShortFlag(word.text);
  }
  if (!segment.words.empty()) return Cut(out);
  for (const Redirect& redirect : segment.redirects) {
    Append(out, redirect.op);
    Append(out, Shown(redirect.target));
  }
  return Cut(out);
}

bool IsCommand(const base::JsonObject& object) {
  return std::all_of(object.begin(), object.end(), [](const auto& member) {
    return (member.key() == "command" || member.key() == "cwd") && member.value().is_string();
  });
}

}  // namespace

std::optional<std::string> Breakdown(std::string_view command) {
  const auto segments = Tokenize(command);
  if (!segments || segments->empty()) return std::nullopt;
  std::string out;
  const std::size_t shown = std::min(segments->size(), kMostSegments);
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) out += " · ";
    out += Brief((*segments)[i]);
  }
  if (segments->size() > shown) {
    out += " · … " + std::to_string(segments->size() - shown) + " more";
  }
  return out;
}

std::optional<std::string> BreakdownOf(const base::Json& payload) {
  if (!payload.is_object() || !IsCommand(payload.get_object())) return std::nullopt;
  const auto command = base::StringMember(payload.get_object(), "command");
  return command ? Breakdown(*command) : std::nullopt;
}

}  // namespace approval::classify
