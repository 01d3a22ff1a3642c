// A program's bytes in memory that nobody can change any more, and their digest.
//
// What was hashed is what runs: the file is copied once, the copy is sealed, and the digest is of
// the sealed copy. Replacing the file afterwards changes nothing here. Owns its descriptor.
#pragma once

#include <cstddef>
#include <string>

#include <tl/expected.hpp>

#include "core/base/files.h"

namespace approval::adapters {

inline constexpr std::size_t kMaxProgramBytes = std::size_t{64} << 20;

class SealedProgram {
 public:
  // The regular file at an absolute path, links followed; or one sentence that says why not.
  static tl::expected<SealedProgram, std::string> Copy(const std::string& path);

  int fd() const { return memory_.get(); }
  const std::string& sha256() const { return sha256_; }
  // It begins with `#!`: its interpreter opens the copy by itself.
  bool script() const { return script_; }

 private:
  base::Descriptor memory_;
  std::string sha256_;
  bool script_ = false;
};

}  // namespace approval::adapters
