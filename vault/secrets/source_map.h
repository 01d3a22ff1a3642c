// The source map `.approval/env`: where each variable's value comes from (adapters.md 7.1).
//
// One bad line refuses the whole file, with its number in `details.line` and never its text. Codes:
// `env-file-io` and `env-file-mode` for the file (exit 4), `env-file-syntax`, `-key-invalid`,
// `-duplicate-key`, `-empty-value`, `-unknown-scheme` for its text. Nothing reads the file unless a
// person's verb asks (`approval env`, setup, doctor) or a grant does; an agent that can edit it
// must not be able to set who the person is. Any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/secret.h"

namespace approval::secrets {

enum class SourceKind { kLiteral, kKeychain, kSecretService, kEnvironment };
std::string_view Spelling(SourceKind kind);

struct SourceLine {
  std::string key;
  SourceKind kind = SourceKind::kLiteral;
  base::Secret argument;  // the literal itself, or the keystore's name for the item
  int line = 0;
};

class SourceMap {
 public:
  static base::Result<SourceMap> Parse(std::string_view text);

  const std::vector<SourceLine>& lines() const { return lines_; }
  // Of the text that was parsed, 64 hex digits.
  const std::string& sha256() const { return sha256_; }
  const SourceLine* Find(std::string_view key) const;

 private:
  std::vector<SourceLine> lines_;
  std::string sha256_;
};

// `home/env` of a log.
std::string SourceMapPath(const std::string& log_path);

// Nothing when there is no file. Links are followed; the mode must be 0600 to the bit.
base::Result<std::optional<SourceMap>> ReadSourceMap(const std::string& path);

// A key and the text after its `=`.
struct Assignment {
  std::string key;
  base::Secret value;
};

// Replaces the lines of these keys in place, else appends; every other line stays to the byte, and
// one line end closes the text. Text that does not parse is left alone.
base::Result<base::Secret> UpsertText(std::string_view before, std::span<const Assignment> set);

// The same to the file, under the folder's lock and in one step, with mode 0600 and its owner kept.
// On failure the file is as it was. True when it was created.
base::Result<bool> UpsertSourceMap(const std::string& path, std::span<const Assignment> set);

// A value spelled so that it reads back as this literal.
base::Secret LiteralSpelling(std::string_view value);

// For a shell: single quotes, each one inside as '\''.
std::string ShellQuote(std::string_view value);

}  // namespace approval::secrets
