#include "gateway/setup/adapter_questions.h"

#include <vector>

#include "core/base/utf8.h"
#include "render/quote.h"

namespace approval::gateway::setup {
namespace {

using adapters::CredentialKind;
using adapters::CredentialSpec;

constexpr int kTries = 5;

// The words of a text that white space of any kind separates, one character at a time.
std::vector<std::string_view> Groups(std::string_view text) {
  std::vector<std::string_view> groups;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const base::CodePoint point = base::DecodeAt(text, at);
    if (point.ok && base::IsEcmaSpace(point.value)) {
      groups.push_back(text.substr(begin, at - begin));
      begin = at + point.length;
    }
    at += point.length;
  }
  groups.push_back(text.substr(begin));
  return groups;
}

// As providers show an app password: `abcd efgh ijkl mnop`.
bool IsFourTimesFour(const std::vector<std::string_view>& groups) {
  if (groups.size() != 4) return false;
  for (const std::string_view group : groups) {
    if (base::CountCodePoints(group) != 4) return false;
  }
  return true;
}

std::string Prompt(const CredentialSpec& spec, const std::string& fallback) {
  std::string prompt(spec.label);
  if (!spec.describe.empty()) prompt += " (" + std::string(spec.describe) + ")";
  if (!spec.choices.empty()) prompt += " {" + std::string(spec.choices) + "}";
  if (!fallback.empty()) prompt += " [" + render::QuoteLine(fallback) + "]";
  if (fallback.empty() && !spec.required) prompt += " [Enter: none]";
  return prompt + ": ";
}

bool IsChoice(std::string_view choices, std::string_view value) {
  while (!choices.empty()) {
    const std::size_t end = std::min(choices.find(' '), choices.size());
    if (choices.substr(0, end) == value) return true;
    choices.remove_prefix(std::min(end + 1, choices.size()));
  }
  return false;
}

// The value of a setting that may be shown; an empty text for "none".
std::optional<std::string> AskOpen(Dialogue& ask, const Questions& questions,
                                   const CredentialSpec& spec) {
  const auto suggested = questions.suggested.find(std::string(spec.name));
  const std::string fallback =
      suggested != questions.suggested.end() ? suggested->second : std::string(spec.fallback);
  const auto why_not = [&](const std::string& answer) -> std::optional<std::string> {
    const std::string& value = answer.empty() ? fallback : answer;
    if (value.empty()) {
      return spec.required ? std::optional<std::string>("this one is needed") : std::nullopt;
    }
    if (!spec.choices.empty() && !IsChoice(spec.choices, value)) {
      return "one of: " + std::string(spec.choices);
    }
    return questions.adapter.CheckSetting(spec.name, value);
  };
  const auto answer = ask.Ask(Prompt(spec, fallback), why_not);
  if (!answer) return std::nullopt;
  return answer->empty() ? fallback : *answer;
}

std::optional<base::Secret> AskHidden(Dialogue& ask, const Questions& questions,
                                      const CredentialSpec& spec) {
  for (int i = 0; i < kTries; ++i) {
    auto typed = ask.Secret(std::string(spec.label) + " (not shown): ");
    if (!typed) return std::nullopt;
    auto tidy = TidySecret(ask, *typed);
    if (!tidy) return std::nullopt;
    std::optional<std::string> reason;
    if (tidy->empty()) {
      if (!spec.required) return tidy;
      reason = "this one is needed";
    } else {
      reason = questions.adapter.CheckSetting(spec.name, tidy->Reveal());
    }
    if (!reason) return tidy;
    ask.Say("  " + *reason);
  }
  ask.Say("  that was the fifth try; nothing was changed");
  return std::nullopt;
}

}  // namespace

std::optional<base::Secret> TidySecret(Dialogue& ask, const base::Secret& typed) {
  const std::string_view trimmed = base::TrimEcma(typed.Reveal());
  const std::size_t outer = typed.Reveal().size() - trimmed.size();
  if (outer > 0) ask.Say("  blanks around it were dropped");
  ask.Say("  " + std::to_string(base::CountCodePoints(trimmed)) + " characters");
  const std::vector<std::string_view> groups = Groups(trimmed);
  if (IsFourTimesFour(groups)) {
    const auto join =
        ask.YesNo("It looks like an app password in four groups. Drop the blanks inside?", true);
    if (!join) return std::nullopt;
    if (*join) {
      std::string word;
      word.reserve(trimmed.size());
      for (const std::string_view group : groups) word += group;
      return base::Secret(std::move(word));
    }
  }
  return base::Secret(trimmed);
}

std::optional<Answers> AskSettings(Dialogue& ask, const Questions& questions) {
  Answers answers;
  for (const CredentialSpec& spec : questions.adapter.manifest()) {
    const std::string name(spec.name);
    const bool wanted = !spec.rare || questions.every_setting || questions.suggested.contains(name);
    if (!wanted) continue;
    if (questions.stored.contains(name)) {
      const auto replace =
          ask.YesNo(render::QuoteLine(name) + " is stored already. Replace it?", false);
      if (!replace) return std::nullopt;
      if (!*replace) continue;
    }
    if (spec.kind == CredentialKind::kSecret) {
      auto secret = AskHidden(ask, questions, spec);
      if (!secret) return std::nullopt;
      if (!secret->empty()) answers.emplace(name, std::move(*secret));
      continue;
    }
    auto value = AskOpen(ask, questions, spec);
    if (!value) return std::nullopt;
    if (!value->empty()) answers.emplace(name, base::Secret(std::move(*value)));
  }
  return answers;
}

}  // namespace approval::gateway::setup
