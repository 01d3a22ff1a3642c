// Takes secrets out of texts on their way out of a room: errors, descriptions, bodies that are
// quoted back.
//
// Every occurrence of a secret, and of its percent-encoded form, becomes `<redacted>`. Empty
// secrets are ignored. Owns its copies; immutable after construction, so any thread may call Clean.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/secret.h"

namespace approval::net {

class Redactor {
 public:
  Redactor() = default;
  explicit Redactor(std::vector<base::Secret> secrets);

  std::string Clean(std::string_view text) const;

 private:
  std::vector<base::Secret> secrets_;  // longest first
};

}  // namespace approval::net
