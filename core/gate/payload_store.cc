#include "core/gate/payload_store.h"

#include "core/base/canonical.h"
#include "core/base/encoding.h"
#include "core/base/files.h"
#include "core/base/sha256.h"
#include "core/log/read.h"

namespace approval::gate {

using base::Code;
using base::Fail;
using base::Result;

PayloadStore::PayloadStore(const std::string& log_path)
    : folder_(base::JoinPath(log::HomeOf(log_path), "payloads")) {}

Result<void> PayloadStore::Put(std::string_view hash, std::string_view canonical) const {
  if (auto made = base::MakeFolders(folder_); !made) {
    return Fail(Code::kWriteFailed, made.error().message);
  }
  base::WriteOptions options;
  options.sync = true;
  const std::string path = base::JoinPath(folder_, std::string(hash) + ".json");
  if (auto put = base::ReplaceFile(path, canonical, options); !put) {
    return Fail(Code::kWriteFailed, put.error().message);
  }
  return {};
}

Result<PayloadStore::Stored> PayloadStore::Get(std::string_view hash) const {
  if (!base::IsHex64(hash)) return Fail(Code::kUnreadable, "not a payload hash");
  const std::string path = base::JoinPath(folder_, std::string(hash) + ".json");
  auto bytes = base::ReadFile(path, std::size_t{16} << 20);
  if (!bytes) {
    const bool missing = bytes.error().code == Code::kAbsent;
    return Fail(missing ? Code::kAbsent : Code::kUnreadable, bytes.error().message);
  }
  auto parsed = base::ParseJson(*bytes, base::kStrictJson);
  if (!parsed) return Fail(Code::kUnreadable, path + " is not JSON: " + parsed.error().message);
  auto canonical = base::Canonicalize(*parsed);
  if (!canonical) return Fail(Code::kUnreadable, path + ": " + canonical.error().message);
  if (base::Sha256Hex(*canonical) != hash) {
    if (parsed->is_object() && parsed->get_object().size() == 1 &&
        base::StringMember(parsed->get_object(), "$ref")) {
      return Fail(Code::kReference, path + " only refers to a payload kept elsewhere");
    }
    return Fail(Code::kHashMismatch, path + " does not hold the bytes of its hash");
  }
  return Stored{std::move(*parsed), std::move(*canonical)};
}

}  // namespace approval::gate
