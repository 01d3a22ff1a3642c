#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/names.h"
#include "core/base/utf8.h"
#include "core/policy/schema_parts.h"

namespace approval::policy {
namespace {

// Classes that the renderer words itself (channels.md 1.10).
constexpr std::array<std::string_view, 9> kOwnPhrase = {
    "network.call", "read.web",       "browser.exec", "cron.manage",         "process.write",
    "skill.manage", "agent.delegate", "message.send", "files.delete.scratch"};

struct Range {
  char32_t low, high;
};

// General category Cf: characters that show nothing and steer what stands around them.
constexpr std::array<Range, 21> kFormat = {
    {{0xad, 0xad},       {0x600, 0x605},     {0x61c, 0x61c},     {0x6dd, 0x6dd},
     {0x70f, 0x70f},     {0x890, 0x891},     {0x8e2, 0x8e2},     {0x180e, 0x180e},
     {0x200b, 0x200f},   {0x202a, 0x202e},   {0x2060, 0x2064},   {0x2066, 0x206f},
     {0xfeff, 0xfeff},   {0xfff9, 0xfffb},   {0x110bd, 0x110bd}, {0x110cd, 0x110cd},
     {0x13430, 0x1343f}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0001, 0xe0001},
     {0xe0020, 0xe007f}}};

bool IsFormat(char32_t c) {
  return std::any_of(kFormat.begin(), kFormat.end(),
                     [c](const Range& range) { return c >= range.low && c <= range.high; });
}

bool IsLetter(char32_t c) {
  if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  const bool is_sign = c < 0xc0 || c == 0xd7 || c == 0xf7 || (c >= 0x2000 && c < 0x2c00) ||
                       (c >= 0x2e00 && c < 0x3005) || (c >= 0xe000 && c < 0xf900) || c >= 0x1f000;
  return !is_sign && !IsFormat(c) && !base::IsEcmaSpace(c);
}

// Each code point in turn until `accept` says no.
template <typename Accept>
bool Every(std::string_view text, Accept accept) {
  for (std::size_t at = 0; at < text.size();) {
    const base::CodePoint point = base::DecodeAt(text, at);
    if (!accept(point.value)) return false;
    at += point.length;
  }
  return true;
}

bool IsVerbPhrase(std::string_view text) {
  const std::size_t length = base::CountCodePoints(text);
  if (length < 1 || length > 120 || !IsLetter(base::DecodeAt(text, 0).value)) return false;
  return Every(text, [](char32_t c) {
    constexpr std::u32string_view kRefused = U".!?\u2026:;<>&\u26a0";
    if (c == ' ') return true;
    return c >= 0x20 && !(c >= 0x7f && c < 0xa0) && !base::IsEcmaSpace(c) && !IsFormat(c) &&
           kRefused.find(c) == std::u32string_view::npos;
  });
}

bool IsLabel(std::string_view text) {
  return base::CountCodePoints(text) <= 24 &&
         Every(text, [](char32_t c) { return c == ' ' || (c >= '0' && c <= '9') || IsLetter(c); });
}

std::vector<PromptRow> ReadRows(const Field& field) {
  std::vector<PromptRow> rows;
  if (!field.present()) return rows;
  if (!field.value()->is_array()) {
    field.Report("prompt-block-shape", "must be a list of row names");
    return rows;
  }
  const base::JsonArray& list = field.value()->get_array();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Field item = field.At(i);
    if (!list[i].is_string()) {
      item.Report("prompt-block-shape", "must be the name of a row");
      continue;
    }
    const auto row = PromptRowFrom(TextOf(list[i]));
    if (!row) {
      item.Report("prompt-row-unknown", fmt::format("names no row: \"{}\"", TextOf(list[i])));
    } else if (std::find(rows.begin(), rows.end(), *row) != rows.end()) {
      item.Report("prompt-block-shape", "names a row twice");
    } else {
      rows.push_back(*row);
    }
  }
  return rows;
}

void CheckHidden(const Field& field, const PromptBlock& block) {
  for (const PromptRow row : block.hide) {
    if (IsRequired(row)) {
      field.Report("prompt-row-required", fmt::format("may not hide \"{}\"", Spelling(row)));
    }
    if (std::find(block.always.begin(), block.always.end(), row) != block.always.end()) {
      field.Report("prompt-row-conflict",
                   fmt::format("hides \"{}\", which always shows", Spelling(row)));
    }
  }
}

bool HasOnly(const Field& field, std::initializer_list<std::string_view> names,
             std::string_view shape, std::string_view unknown) {
  if (!field.value()->is_object()) {
    field.Report(shape, "must be a map of keys and values");
    return false;
  }
  for (const auto& member : field.value()->get_object()) {
    if (std::find(names.begin(), names.end(), std::string_view(member.key())) == names.end()) {
      field.Report(unknown, fmt::format("has an unknown key \"{}\"", std::string(member.key())));
    }
  }
  return true;
}

void ReadQuote(const Field& field, PromptSay& out) {
  if (!field.present()) return;
  if (!field.value()->is_object()) {
    field.Report("prompt-say-shape", "must be a map of payload keys to labels");
    return;
  }
  std::size_t labels = 0;
  bool has_empty = false;
  for (const auto& member : field.value()->get_object()) {
    const std::string key(member.key());
    const std::size_t length = base::CountCodePoints(key);
    if (length < 1 || length > 64) {
      field.Report("prompt-say-shape", "may name payload keys of 1 to 64 characters only");
    }
    if (member.value().is_null()) {
      out.quote[key] = std::nullopt;
    } else if (!member.value().is_string() || !IsLabel(TextOf(member.value()))) {
      field.At(key).Report("prompt-say-label",
                           "must be at most 24 letters, digits and spaces, or null");
    } else {
      ++labels;
      has_empty = has_empty || member.value().get_string().empty();
      out.quote[key] = std::string(TextOf(member.value()));
    }
  }
  if (labels == 0) field.Report("prompt-say-label", "must give at least one key a label");
  if (has_empty && labels > 1) {
    field.Report("prompt-say-label", "may have an empty label only when it is the only one");
  }
}

PromptSay ReadSay(std::string_view action_class, const Field& field) {
  PromptSay out;
  if (!HasOnly(field, {"does", "quote", "note"}, "prompt-say-shape", "prompt-say-shape"))
    return out;
  const bool own =
      std::find(kOwnPhrase.begin(), kOwnPhrase.end(), action_class) != kOwnPhrase.end();
  const Field does = field.At("does");
  if (own && does.present()) {
    field.Report("prompt-say-builtin", "may not reword a class that has its own phrase");
  } else if (!own && (!does.present() || !does.value()->is_string() ||
                      !IsVerbPhrase(TextOf(*does.value())))) {
    field.Report("prompt-say-does", "needs `does`: a verb phrase of 1 to 120 plain characters");
  } else if (!own) {
    out.does = std::string(TextOf(*does.value()));
  }
  ReadQuote(field.At("quote"), out);
  const Field note = field.At("note");
  if (note.present()) {
    const bool is_text = note.value()->is_string();
    const std::string_view text = is_text ? TextOf(*note.value()) : std::string_view();
    if (text != "summary" && text != "none") {
      note.Report("prompt-say-shape", "must be summary or none");
    }
    out.note_is_summary = text != "none";
  }
  return out;
}

void ReadSays(const Field& field, PromptBlock& block) {
  if (!field.present()) return;
  if (!field.value()->is_object()) {
    field.Report("prompt-say-shape", "must be a map by class");
    return;
  }
  for (const auto& member : field.value()->get_object()) {
    const std::string name(member.key());
    if (name.find('*') != std::string::npos) {
      field.Report("prompt-say-wildcard", "must name exact classes, without *");
    } else if (!base::IsConcreteClass(name)) {
      field.Report("prompt-say-shape", fmt::format("names no class: \"{}\"", name));
    } else {
      block.say[name] = ReadSay(name, field.At(name));
    }
  }
}

}  // namespace

PromptBlock ReadPrompt(const Field& prompt) {
  PromptBlock block;
  if (!HasOnly(prompt, {"rows", "always", "hide", "style", "say"}, "prompt-block-shape",
               "prompt-key-unknown")) {
    return block;
  }
  block.rows = ReadRows(prompt.At("rows"));
  block.always = ReadRows(prompt.At("always"));
  block.hide = ReadRows(prompt.At("hide"));
  CheckHidden(prompt.At("hide"), block);
  const Field style = prompt.At("style");
  if (style.present()) {
    const bool is_text = style.value()->is_string();
    const std::string_view text = is_text ? TextOf(*style.value()) : std::string_view();
    if (text != "technical" && text != "minimal") {
      style.Report("prompt-style-unknown", "must be technical or minimal");
    }
    block.style = text == "minimal" ? PromptStyle::kMinimal : PromptStyle::kTechnical;
  }
  ReadSays(prompt.At("say"), block);
  return block;
}

}  // namespace approval::policy
