#include "core/base/names.h"

#include <algorithm>

#include "core/base/utf8.h"

namespace approval::base {
namespace {

bool IsLower(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

}  // namespace

bool IsActorOf(std::string_view prefix, std::string_view text) {
  if (text.substr(0, prefix.size()) != prefix || text.size() == prefix.size()) return false;
  const CodePoint first = DecodeAt(text, prefix.size(), true);
  return first.value != U'\n' && first.value != U'\r' && first.value != 0x2028 &&
         first.value != 0x2029;
}

bool IsActor(std::string_view text) {
  return IsActorOf("human:", text) || IsActorOf("agent:", text) || IsActorOf("system:", text);
}

bool IsHuman(std::string_view text) { return IsActorOf("human:", text); }

bool IsHumanOrAgent(std::string_view text) { return IsHuman(text) || IsActorOf("agent:", text); }

bool IsIdentifier(std::string_view text) {
  return !text.empty() && IsLower(text.front()) &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return IsLower(c) || c == '_' || c == '-'; });
}

bool IsConcreteClass(std::string_view text) {
  for (;;) {
    const std::size_t dot = text.find('.');
    if (!IsIdentifier(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

}  // namespace approval::base
