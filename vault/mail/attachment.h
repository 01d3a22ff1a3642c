// The attachments of an approved mail, read out of the bound JSON (docs/email.md).
//
// Each is bound by its digest: its bytes are in the payload, or a path, a size and a SHA-256 are,
// and what the path holds when the mail is sent must be those bytes. Nothing is opened here. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "core/base/json.h"

namespace approval::mail {

inline constexpr std::size_t kMaxAttachments = 50;
// Of all attachments together; the message that carries them stays below kMaxMessageBytes.
inline constexpr std::size_t kMaxAttachedBytes = std::size_t{45} << 20;
inline constexpr std::size_t kMaxMessageBytes = std::size_t{64} << 20;

struct Attachment {
  std::string name;    // of a file, no folder
  std::string type;    // `application/pdf`
  std::string sha256;  // 64 hex, of the bytes
  std::size_t size = 0;
  std::string path{};   // absolute; empty when the bytes are here
  std::string bytes{};  // decoded
};

// A media type without parameters; not of a composite type, which holds parts of its own.
bool IsMediaType(std::string_view text);

// The attachments, or one sentence that says what is wrong with which of them, counted from 1.
tl::expected<std::vector<Attachment>, std::string> ReadAttachments(const base::Json& value);

}  // namespace approval::mail
