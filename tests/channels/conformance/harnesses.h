// The three surfaces in the suite's harness, each over its real code: the page's router without
// sockets, the terminal with typed words, Telegram against a Bot API server in this process.
//
// A harness uses the bench it was made with and must not outlive it.
#pragma once

#include <memory>

#include "tests/channels/conformance/conformance.h"

namespace approval::testing {

std::unique_ptr<ChannelUnderTest> PageUnderTest(Bench& bench);
std::unique_ptr<ChannelUnderTest> TerminalUnderTest(Bench& bench);
std::unique_ptr<ChannelUnderTest> TelegramUnderTest(Bench& bench);

// `author says (unverified)` lines, which every surface writes, as claimed fields.
void AddClaimedLines(const std::string& text, std::vector<RenderedField>& fields);

}  // namespace approval::testing
