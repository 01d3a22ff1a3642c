// Mail providers that people have: what to connect to, and what kind of password they take.
//
// Facts of the providers' public help pages. A preset fills host, port and security; nothing here
// is contacted.
#pragma once

#include <span>
#include <string_view>

namespace approval::gateway::setup {

struct MailPreset {
  std::string_view name;  // as shown in the list
  std::string_view host;  // empty: asked for
  std::string_view port;
  std::string_view security;
  std::string_view remark;  // what to have ready; empty for none
};

std::span<const MailPreset> MailPresets();

}  // namespace approval::gateway::setup
