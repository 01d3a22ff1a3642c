// What is odd about a mail beyond its texts: answers that go elsewhere, names that read like
// addresses, attachments that run (channels.md 2.9, docs/email.md).
#pragma once

#include <vector>

#include "core/base/json.h"
#include "render/warnings.h"

namespace approval::render {

// For a payload of the email shape. The first two are kAddress, the last kAttachment.
std::vector<Warning> AddressWarnings(const base::JsonObject& email);
std::vector<Warning> AttachmentWarnings(const base::JsonObject& email);

}  // namespace approval::render
