#include "core/policy/protected_paths.h"

#include <algorithm>
#include <vector>

#include "core/base/utf8.h"

namespace approval::policy {
namespace {

std::vector<std::string_view> PathParts(std::string_view path) {
  std::vector<std::string_view> out;
  while (!path.empty()) {
    const std::size_t end = path.find_first_of("/\\");
    const std::string_view part = path.substr(0, end);
    if (!part.empty() && part != ".") out.push_back(part);
    if (end == std::string_view::npos) break;
    path.remove_prefix(end + 1);
  }
  return out;
}

bool HasSpace(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const base::CodePoint point = base::DecodeAt(text, at);
    if (point.ok && base::IsEcmaSpace(point.value)) return true;
    at += point.length;
  }
  return false;
}

// A `..` behind `.codex` may lead to anything in it.
bool ClimbsBehindCodex(const std::vector<std::string_view>& parts) {
  const auto codex = std::find(parts.begin(), parts.end(), ".codex");
  return std::find(codex, parts.end(), "..") != parts.end();
}

bool IsCodexConfiguration(const std::vector<std::string_view>& parts, std::size_t at) {
  if (at + 1 == parts.size()) return true;
  const std::string_view next = parts[at + 1];
  return next == "config.toml" || next == "hooks.json" || next == "hooks";
}

bool IsCore(const std::vector<std::string_view>& parts) {
  if (parts.back() == "APPROVAL.md" || parts.back() == "APPROVALS.md") return true;
  if (ClimbsBehindCodex(parts)) return true;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string_view next = i + 1 < parts.size() ? parts[i + 1] : std::string_view();
    if (parts[i] == ".approval") return true;
    if (parts[i] == ".claude" && next.starts_with("settings")) return true;
    if (parts[i] == ".cursor" && (next == "hooks.json" || next == "hooks" || next == "agents")) {
      return true;
    }
    if (parts[i] == ".codex" && IsCodexConfiguration(parts, i)) return true;
  }
  return false;
}

std::optional<std::string_view> ClassOf(const std::vector<std::string_view>& parts) {
  if (parts.empty()) return std::nullopt;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    if (parts[i] == ".approval" && parts[i + 1] == "log") return "log.mutate";
  }
  if (IsCore(parts)) return "policy.core";
  if (parts.back() == "CLAUDE.md" || parts.back() == "AGENTS.md" || parts.back() == ".npmrc") {
    return "policy.edit";
  }
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    if (parts[i] == ".github" && parts[i + 1] == "workflows") return "policy.edit";
  }
  return std::nullopt;
}

// The built-in name that differs from the part in nothing but case, else the part.
std::string_view InBuiltinCase(std::string_view part) {
  static constexpr std::string_view kNames[] = {
      "APPROVAL.md", "APPROVALS.md", "CLAUDE.md", "AGENTS.md", ".npmrc",      ".approval",
      "log",         ".claude",      ".cursor",   ".codex",    "config.toml", "hooks.json",
      "hooks",       "agents",       ".github",   "workflows"};
  constexpr std::string_view kSettings = "settings";
  const std::string lower = base::AsciiLower(part);
  if (lower.starts_with(kSettings)) return kSettings;
  for (const std::string_view name : kNames) {
    if (lower == base::AsciiLower(name)) return name;
  }
  return part;
}

// The entry that wins: most segments, then first written.
const ProtectedPath* EntryFor(std::string_view path, const std::vector<ProtectedPath>& entries,
                              bool routed) {
  const ProtectedPath* found = nullptr;
  if (entries.empty()) return found;
  const std::string lower = base::AsciiLower(path);
  for (const ProtectedPath& entry : entries) {
    if (routed ? !IsRoutedClass(entry.policy_class) : entry.policy_class != "policy.edit") continue;
    if (!EntryMatches(base::AsciiLower(entry.path), lower)) continue;
    if (found == nullptr || PathParts(entry.path).size() > PathParts(found->path).size()) {
      found = &entry;
    }
  }
  return found;
}

}  // namespace

bool IsProtectedPathEntry(std::string_view entry) {
  if (entry.empty() || entry.front() == '/' || HasSpace(entry)) return false;
  if (entry.find_first_of("*?[]{}\\") != std::string_view::npos) return false;
  if (entry.back() == '/') entry.remove_suffix(1);
  while (true) {
    const std::size_t end = entry.find('/');
    const std::string_view part = entry.substr(0, end);
    if (part.empty() || part == "." || part == "..") return false;
    if (end == std::string_view::npos) return true;
    entry.remove_prefix(end + 1);
  }
}

bool IsRoutedClass(std::string_view text) {
  constexpr std::string_view kPrefix = "policy.edit.";
  if (!text.starts_with(kPrefix)) return false;
  const std::string_view word = text.substr(kPrefix.size());
  return !word.empty() && word.front() >= 'a' && word.front() <= 'z' &&
         word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
}

bool EntryMatches(std::string_view entry, std::string_view path) {
  const std::vector<std::string_view> wanted = PathParts(entry);
  const std::vector<std::string_view> given = PathParts(path);
  if (wanted.empty() || wanted.size() > given.size()) return false;
  if (entry.ends_with('/')) {
    return std::search(given.begin(), given.end(), wanted.begin(), wanted.end()) != given.end();
  }
  return std::equal(wanted.rbegin(), wanted.rend(), given.rbegin());
}

std::optional<std::string_view> BuiltinClass(std::string_view path) {
  return ClassOf(PathParts(path));
}

std::optional<Protection> ProtectionOf(std::string_view path,
                                       const std::vector<ProtectedPath>& entries) {
  std::vector<std::string_view> parts = PathParts(path);
  std::transform(parts.begin(), parts.end(), parts.begin(), InBuiltinCase);
  const auto builtin = ClassOf(parts);
  if (builtin && *builtin != "policy.edit") {
    return Protection{*builtin == "log.mutate" ? 1 : 2, std::string(*builtin)};
  }
  if (const ProtectedPath* entry = EntryFor(path, entries, true)) {
    return Protection{3, entry->policy_class};
  }
  if (builtin) return Protection{4, std::string(*builtin)};
  if (EntryFor(path, entries, false) != nullptr) return Protection{5, "policy.edit"};
  return std::nullopt;
}

}  // namespace approval::policy
