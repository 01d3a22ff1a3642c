// Takes secrets out of whatever an adapter answers (adapters.md 1.7).
//
// Every occurrence of a secret becomes `[redacted]`, also in its base64, percent-encoded and
// JSON-escaped forms: the longest that fits at each place, and what was replaced is not looked at
// again. Empty secrets are skipped.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/secret.h"

namespace approval::adapters {

class Redaction {
 public:
  // The secret and the forms in which a server or an adapter may repeat it.
  void Add(std::string_view secret);

  std::string Text(std::string_view text);
  // Strings and member names, at every depth.
  base::Json Value(const base::Json& value);

  // Replacements so far.
  int hits() const { return hits_; }

 private:
  std::vector<base::Secret> secrets_;  // longest first
  int hits_ = 0;
};

}  // namespace approval::adapters
