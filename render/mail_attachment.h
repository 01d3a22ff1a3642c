// An attachment of a mail as a view reads it out of a payload of the email shape (docs/email.md).
//
// Views point into the object. The digest and the size of bytes that are in the payload are
// computed; those of a path are what the payload binds.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"

namespace approval::render {

struct MailAttachment {
  std::string_view name;
  std::string_view type;
  std::string_view path;    // empty when the bytes are in the payload
  std::string_view base64;  // empty for a path, and for no bytes
  bool inside = false;      // the bytes are in the payload
  bool states_size = false;
  bool states_digest = false;
  std::size_t size = 0;
  std::string sha256;
};

// In their order; empty without the member.
std::vector<MailAttachment> AttachmentsOf(const base::JsonObject& email);

// Why an attachment may run as a program when it is opened: `ends in .exe`; empty when it does not
// look so.
std::string RunsBecause(const MailAttachment& attachment);

}  // namespace approval::render
