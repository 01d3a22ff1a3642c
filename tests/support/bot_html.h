// Reads Telegram's HTML as strictly as the server does, or stricter: unknown tags, tags that cross,
// code or quotes inside one another and bare `&` and `<` are refused.
#pragma once

#include <string>
#include <string_view>

#include <tl/expected.hpp>

namespace approval::testing {

// The text after parsing, or what is wrong.
tl::expected<std::string, std::string> ParseBotHtml(std::string_view html);

}  // namespace approval::testing
