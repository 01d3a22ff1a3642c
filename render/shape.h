// The shape of a payload, read from its structure alone (channels.md 2.2).
//
// No member's value chooses a shape. One member more than a view prints, one of another type, or a
// value that a view prints as a fact and that is not well formed (docs/rendering.md) makes the
// payload opaque, and every byte of an opaque payload is shown.
#pragma once

#include <string_view>

#include "core/base/json.h"

namespace approval::render {

enum class Shape {
  kCommand,
  kArgv,
  kFileChange,
  kEmail,
  kDraft,   // a mail that waits at a provider
  kHttp,    // one HTTP request
  kPost,    // a message to a room or a thread
  kBinary,  // bytes
  kText,
  kOpaque,
};

// `command`, `argv`, `file-change`, `email`, `draft`, `http`, `post`, `binary`, `text`, `opaque`;
// valid for the life of the program.
std::string_view Spelling(Shape shape);

Shape DetectShape(const base::Json& payload);

}  // namespace approval::render
