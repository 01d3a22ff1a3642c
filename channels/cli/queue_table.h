// The queue as a table for a terminal (channels.md 6.1's rows, in two lines a request).
#pragma once

#include <string>
#include <vector>

#include "channels/cli/document.h"
#include "channels/contract.h"

namespace approval::channels::cli {

// Rows of at most `style.width` cells: what, how old, how long, which key; then class, asker and
// warnings. Requests that cannot be shown are listed below with their code. "nothing waits for an
// answer" for an empty queue.
std::vector<std::string> QueueTable(const std::vector<gate::RequestModel>& requests,
                                    const std::vector<gate::Skip>& skipped, std::int64_t now_ms,
                                    const Style& style);

}  // namespace approval::channels::cli
