// The address of an HTTP request, cut into the parts that a person judges it by (channels.md 2.2).
//
// Views point into the argument. The parts are for reading; the address itself is shown whole.
#pragma once

#include <string_view>

namespace approval::render {

struct RequestUrl {
  bool absolute = false;  // `scheme://host...` with both not empty; else all parts are empty
  bool plain = false;     // absolute, and no character in it that programs read in several ways
  std::string_view scheme;
  std::string_view host;    // without user information and port; brackets stay
  std::string_view port;    // empty when not stated
  std::string_view target;  // path, query and fragment; may be empty
};

RequestUrl ReadRequestUrl(std::string_view url);

}  // namespace approval::render
