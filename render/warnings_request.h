// What is odd about an HTTP request and about bytes beyond their texts (docs/rendering.md).
//
// Pure functions; sentences are quoted.
#pragma once

#include <vector>

#include "core/base/json.h"
#include "render/warnings.h"

namespace approval::render {

// For a payload of the http shape, kHost: an address that programs read in different ways, a Host
// header that names somebody else.
std::vector<Warning> RequestWarnings(const base::JsonObject& request);

// For a payload of the binary shape, kAttachment: bytes that may run when they are opened.
std::vector<Warning> BinaryWarnings(const base::JsonObject& binary);

}  // namespace approval::render
