// Reads a policy file: find it, take its one block, parse, prove.
//
// Nothing here fails outright: a policy that does not load is a LoadResult with `failure` set,
// which means "every class manual" and says why (core.md 4.3). Its codes: file-missing, no-block,
// multiple-blocks, yaml-error, schema-invalid (details["errors"], a list of {path, keyword,
// message}), protected-route-floor, sender-ambiguous, delegation-not-supported. A path that is
// there but cannot be read is file-missing with cause `io`. Values only, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/policy/policy.h"

namespace approval::policy {

struct LoadResult {
  std::optional<Policy> policy;
  std::optional<base::Error> failure;  // set exactly when `policy` is not
  std::string path;                    // absolute
  std::string sha256;                  // of the file's raw bytes; empty when they could not be read

  // The policy, or the defaults that hold without one.
  const Policy& OrDefaults() const;
};

// APPROVAL.md, else APPROVALS.md, whichever exists first in `folder`; APPROVAL.md when neither
// does. The one rule for loading, attesting and reporting alike.
std::string FindPolicyFile(const std::string& folder);

// `--policy` when given, else FindPolicyFile of the folder.
std::string PolicyPath(const std::optional<std::string>& policy_flag, const std::string& folder);

LoadResult LoadPolicy(const std::string& path);

// The same from bytes that were read already.
LoadResult LoadPolicyBytes(std::string_view bytes, std::string path);

// The members of `loadFailure` in reports: code and message.
base::JsonObject FailureJson(const base::Error& failure);

}  // namespace approval::policy
