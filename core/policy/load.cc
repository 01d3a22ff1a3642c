#include "core/policy/load.h"

#include <fmt/format.h>

#include <utility>

#include "core/base/files.h"
#include "core/base/sha256.h"
#include "core/policy/markdown_block.h"
#include "core/policy/schema.h"
#include "core/policy/yaml.h"

namespace approval::policy {
namespace {

constexpr std::size_t kMaxPolicyFile = std::size_t{16} << 20;

base::Result<Policy> ParsePolicy(std::string_view bytes) {
  base::Result<std::string> block = PolicyBlock(bytes);
  if (!block) return base::Fail(std::move(block.error()));
  const base::Result<base::Json> value = ParseYaml(*block);
  if (!value) return base::Fail(value.error());
  return PolicyFromJson(*value);
}

}  // namespace

const Policy& LoadResult::OrDefaults() const {
  static const Policy defaults;
  return policy ? *policy : defaults;
}

std::string FindPolicyFile(const std::string& folder) {
  for (const char* name : {"APPROVAL.md", "APPROVALS.md"}) {
    std::string path = base::JoinPath(folder, name);
    if (base::StateOf(path) != base::FileState::kMissing) return path;
  }
  return base::JoinPath(folder, "APPROVAL.md");
}

std::string PolicyPath(const std::optional<std::string>& policy_flag, const std::string& folder) {
  return policy_flag ? *policy_flag : FindPolicyFile(folder);
}

LoadResult LoadPolicyBytes(std::string_view bytes, std::string path) {
  LoadResult out;
  out.path = std::move(path);
  out.sha256 = base::Sha256Hex(bytes);
  base::Result<Policy> policy = ParsePolicy(bytes);
  if (policy) {
    out.policy = std::move(*policy);
  } else {
    out.failure = std::move(policy.error());
  }
  return out;
}

LoadResult LoadPolicy(const std::string& path) {
  const base::Result<std::string> bytes = base::ReadFile(path, kMaxPolicyFile);
  if (bytes) return LoadPolicyBytes(*bytes, base::AbsolutePath(path));
  LoadResult out;
  out.path = base::AbsolutePath(path);
  if (bytes.error().code == base::Code::kAbsent) {
    out.failure = base::Error{
        base::Code::kFileMissing,
        fmt::format("there is no policy file at {}; every class is manual until there is", path)};
  } else {
    out.failure = base::Error{base::Code::kFileMissing, bytes.error().message};
    out.failure->cause = base::Code::kIo;
  }
  return out;
}

base::JsonObject FailureJson(const base::Error& failure) {
  const std::string_view code = base::Spelling(failure.code);
  base::JsonObject out;
  out["code"] = boost::json::string_view(code.data(), code.size());
  out["message"] = failure.message;
  return out;
}

}  // namespace approval::policy
