// The keys that a server may have, out of a PEM file (docs/email.md).
//
// The file holds certificates, or public keys, or both; what is pinned is the key, so a renewed
// certificate with the same key still fits. Pinning comes on top of the issuer and the name.
#pragma once

#include <string>

#include <tl/expected.hpp>

namespace approval::adapters::email {

// `sha256//<base64>` of each key, separated by `;`; or why the file cannot serve.
tl::expected<std::string, std::string> ReadPins(const std::string& path);

}  // namespace approval::adapters::email
