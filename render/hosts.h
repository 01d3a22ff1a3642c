// Hosts inside texts and addresses, and what is odd about their names (channels.md 2.9).
//
// Pure functions over any bytes; views point into the argument.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace approval::render {

struct UrlParts {
  std::string_view user;  // before the @, may be empty
  bool has_user = false;
  bool has_password = false;
  std::string_view host;  // without user, port and brackets
};

// Every `scheme://...` of the text, in order.
std::vector<UrlParts> FindUrls(std::string_view text);

struct AddressParts {
  std::string_view local;
  std::string_view domain;  // behind the last @, without a closing >
};

// Nothing without an @.
std::optional<AddressParts> SplitAddress(std::string_view address);

bool IsAscii(std::string_view text);

// `exämple.com, in ASCII xn--exmple-cua.com` or `xn--exmple-cua.com, reads exämple.com` for a host
// with such a label, quoted; nothing for a plain one.
std::optional<std::string> OddHost(std::string_view host);

// The two names differ in one or two characters.
bool NearlyEqual(std::string_view a, std::string_view b);

}  // namespace approval::render
