#include "vault/secrets/source_map.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "core/base/files.h"
#include "core/base/sha256.h"
#include "core/base/utf8.h"
#include "core/log/read.h"
#include "vault/folder_lock.h"

namespace approval::secrets {
namespace {

using base::Code;
using base::Error;
using base::Fail;
using base::Result;

constexpr std::size_t kMaxBytes = std::size_t{1} << 20;
constexpr int kLockWaitMs = 30'000;

// Words that people take for a scheme that there is not.
constexpr std::array<std::string_view, 23> kReserved = {
    "keyring",        "keychains",     "keychain-service",
    "secret_service", "secretservice", "secret-tool",
    "secrettool",     "secrets",       "environment",
    "plaintext",      "plain",         "file",
    "exec",           "command",       "shell",
    "pass",           "gopass",        "op",
    "onepassword",    "bitwarden",     "lastpass",
    "vault",          "wincred"};

tl::unexpected<Error> BadLine(Code code, int line, const std::string& what) {
  Error error{code, "line " + std::to_string(line) + " of the source map " + what};
  error.details["line"] = line;
  return Fail(std::move(error));
}

bool IsKey(std::string_view text) {
  const auto starts = [](char c) { return (c >= 'A' && c <= 'Z') || c == '_'; };
  return !text.empty() && starts(text.front()) &&
         std::all_of(text.begin(), text.end(),
                     [&](char c) { return starts(c) || (c >= '0' && c <= '9'); });
}

// The word before the first colon when it has the shape of a scheme.
std::optional<std::string_view> SchemeOf(std::string_view value) {
  const std::size_t colon = value.find(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  const std::string_view word = value.substr(0, colon);
  const bool shaped =
      word.front() >= 'a' && word.front() <= 'z' &&
      std::all_of(word.begin(), word.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
      });
  if (!shaped) return std::nullopt;
  return word;
}

Result<SourceLine> ReadValue(std::string key, std::string_view value, int line) {
  SourceLine made{std::move(key), SourceKind::kLiteral, {}, line};
  if (value.empty()) return BadLine(Code::kEnvFileEmptyValue, line, "gives no value");
  const auto scheme = SchemeOf(value);
  const std::string_view rest = scheme ? value.substr(scheme->size() + 1) : value;
  if (scheme && std::find(kReserved.begin(), kReserved.end(), *scheme) != kReserved.end()) {
    return BadLine(Code::kEnvFileUnknownScheme, line,
                   "names a source that does not exist; there are keychain:, secret-service:, "
                   "env: and literal:");
  }
  if (scheme == "literal") {
    if (rest.empty()) return BadLine(Code::kEnvFileEmptyValue, line, "gives no value");
    made.argument = base::Secret(rest);
    return made;
  }
  if (scheme == "keychain" || scheme == "secret-service") {
    if (rest.empty()) return BadLine(Code::kEnvFileSyntax, line, "names no item of the keystore");
    made.kind = scheme == "keychain" ? SourceKind::kKeychain : SourceKind::kSecretService;
    made.argument = base::Secret(rest);
    return made;
  }
  if (scheme == "env") {
    if (!rest.empty()) return BadLine(Code::kEnvFileSyntax, line, "puts text behind env:");
    made.kind = SourceKind::kEnvironment;
    return made;
  }
  made.argument = base::Secret(value);
  return made;
}

// One line of the file: nothing for a comment or a blank one.
Result<std::optional<SourceLine>> ReadLine(std::string_view raw, int number) {
  const std::string_view line = base::TrimEcma(raw);
  if (line.empty() || line.front() == '#') return std::nullopt;
  const std::size_t equals = line.find('=');
  if (line.substr(0, 7) == "export " || equals == std::string_view::npos) {
    return BadLine(Code::kEnvFileSyntax, number, "is not KEY=source");
  }
  const std::string_view key = line.substr(0, equals);
  if (!IsKey(key)) {
    return BadLine(Code::kEnvFileKeyInvalid, number,
                   "has a key that is not capitals, digits and underscores");
  }
  auto value = ReadValue(std::string(key), line.substr(equals + 1), number);
  if (!value) return tl::unexpected(value.error());
  return std::move(*value);
}

template <typename Each>
void EachLine(std::string_view text, const Each& each) {
  int number = 1;
  for (std::size_t at = 0; at <= text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    each(text.substr(at, end - at), number);
    at = end + 1;
  }
}

Result<std::optional<base::Secret>> ReadGuarded(const std::string& path) {
  struct stat state {};
  if (::stat(path.c_str(), &state) != 0) {
    if (errno == ENOENT) return std::nullopt;
    return Fail(Code::kEnvFileIo, "cannot look at " + path + ": " + base::ErrnoText(errno));
  }
  if (!S_ISREG(state.st_mode)) return Fail(Code::kEnvFileIo, path + " is not a regular file");
  if ((state.st_mode & 07777) != 0600) {
    return Fail(Code::kEnvFileMode,
                path + " must be readable by its owner alone: chmod 600 " + ShellQuote(path));
  }
  auto text = base::ReadFile(path, kMaxBytes);
  if (!text) return Fail(Code::kEnvFileIo, text.error().message);
  return base::Secret(std::move(*text));
}

}  // namespace

std::string_view Spelling(SourceKind kind) {
  switch (kind) {
    case SourceKind::kLiteral:
      return "literal";
    case SourceKind::kKeychain:
      return "keychain";
    case SourceKind::kSecretService:
      return "secret-service";
    case SourceKind::kEnvironment:
      return "env";
  }
  return "";
}

Result<SourceMap> SourceMap::Parse(std::string_view text) {
  SourceMap map;
  std::optional<Error> first;
  EachLine(text, [&](std::string_view raw, int number) {
    if (first) return;
    auto line = ReadLine(raw, number);
    if (!line) {
      first = line.error();
    } else if (*line) {
      if (const SourceLine* other = map.Find((*line)->key)) {
        first = BadLine(Code::kEnvFileDuplicateKey, number,
                        "names a key that line " + std::to_string(other->line) + " names already")
                    .value();
        return;
      }
      map.lines_.push_back(std::move(**line));
    }
  });
  if (first) return Fail(std::move(*first));
  map.sha256_ = base::Sha256Hex(text);
  return map;
}

const SourceLine* SourceMap::Find(std::string_view key) const {
  const auto found = std::find_if(lines_.begin(), lines_.end(),
                                  [key](const SourceLine& line) { return line.key == key; });
  return found == lines_.end() ? nullptr : &*found;
}

std::string SourceMapPath(const std::string& log_path) {
  return base::JoinPath(log::HomeOf(log_path), "env");
}

Result<std::optional<SourceMap>> ReadSourceMap(const std::string& path) {
  const auto text = ReadGuarded(path);
  if (!text) return tl::unexpected(text.error());
  if (!*text) return std::nullopt;
  auto map = SourceMap::Parse((*text)->Reveal());
  if (!map) return tl::unexpected(map.error());
  return std::move(*map);
}

Result<base::Secret> UpsertText(std::string_view before, std::span<const Assignment> set) {
  const auto parsed = SourceMap::Parse(before);
  if (!parsed) return tl::unexpected(parsed.error());
  for (const Assignment& one : set) {
    const std::string_view value = one.value.Reveal();
    if (!IsKey(one.key)) return Fail(Code::kEnvFileKeyInvalid, "the key is not a variable's name");
    if (value.find_first_of("\n\r") != std::string_view::npos) {
      return Fail(Code::kEnvFileSyntax, "a value of the source map is one line");
    }
    if (auto read = ReadValue(one.key, base::TrimEcma(value), 0); !read) {
      return Fail(read.error().code, "the value for " + one.key + " cannot stand in a source map");
    }
  }
  std::size_t most = before.size() + 1;
  for (const Assignment& one : set) most += one.key.size() + one.value.Reveal().size() + 2;
  std::string after;
  after.reserve(most);  // growing would leave copies behind
  const auto put = [&after](const Assignment& one) {
    after += one.key;
    after += '=';
    after += one.value.Reveal();
    after += '\n';
  };
  std::vector<bool> placed(set.size(), false);
  EachLine(before, [&](std::string_view raw, int number) {
    const bool last = raw.data() + raw.size() == before.data() + before.size();
    if (last && raw.empty()) return;
    const auto line = std::find_if(parsed->lines().begin(), parsed->lines().end(),
                                   [&](const SourceLine& one) { return one.line == number; });
    for (std::size_t i = 0; line != parsed->lines().end() && i < set.size(); ++i) {
      if (set[i].key != line->key) continue;
      put(set[i]);
      placed[i] = true;
      return;
    }
    after += raw;
    after += "\n";
  });
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (!placed[i]) put(set[i]);
  }
  return base::Secret(std::move(after));
}

Result<bool> UpsertSourceMap(const std::string& path, std::span<const Assignment> set) {
  const std::string folder = base::FolderOf(path);
  if (auto made = base::MakeFolders(folder, 0700); !made) {
    return Fail(Code::kEnvFileIo, made.error().message);
  }
  const auto lock = vault::FolderLock::Take(folder, kLockWaitMs);
  if (!lock) return Fail(Code::kEnvFileIo, lock.error().message);
  struct stat state {};
  const bool exists = ::lstat(path.c_str(), &state) == 0;
  if (exists && S_ISLNK(state.st_mode)) {
    return Fail(Code::kEnvFileIo, path + " is a symbolic link, which would be replaced by a file");
  }
  const auto before = ReadGuarded(path);
  if (!before) return tl::unexpected(before.error());
  const auto after = UpsertText(*before ? (*before)->Reveal() : std::string_view(), set);
  if (!after) return tl::unexpected(after.error());
  if (auto put = base::ReplaceFile(path, after->Reveal(), {0600, true, true}); !put) {
    return Fail(Code::kEnvFileIo, put.error().message);
  }
  if (exists && state.st_uid != ::geteuid() &&
      ::chown(path.c_str(), state.st_uid, state.st_gid) != 0) {
    return Fail(Code::kEnvFileIo, "cannot give " + path + " back to its owner");
  }
  return !exists;
}

base::Secret LiteralSpelling(std::string_view value) {
  const auto read = ReadValue("A", value, 0);
  const bool plain = read && read->kind == SourceKind::kLiteral && read->argument.Reveal() == value;
  if (plain) return base::Secret(value);
  constexpr std::string_view kScheme = "literal:";
  std::string spelled;
  spelled.reserve(kScheme.size() + value.size());
  spelled += kScheme;
  spelled += value;
  return base::Secret(std::move(spelled));
}

std::string ShellQuote(std::string_view value) {
  std::string quoted;
  // The longest it can get: growing would leave copies behind.
  quoted.reserve(4 * value.size() + 2);
  quoted.push_back('\'');
  for (const char c : value) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted.push_back(c);
    }
  }
  quoted.push_back('\'');
  return quoted;
}

}  // namespace approval::secrets
