// The short texts of the channel: outcome lines, toasts, the summary (channels.md 3.8, 3.10).
//
// Every foreign text inside is quoted. Toasts are at most 200 characters.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "channels/contract.h"
#include "render/words.h"

namespace approval::telegram {

// `✅ Approved by human:alex at 14:52 UTC (record 4)`; one line.
std::string OutcomeLine(const gate::Settlement& settlement, std::int64_t now_ms,
                        const std::optional<render::LocalTime>& local);

// For a tap that was recorded.
std::string RecordedToast(channels::Gesture gesture, const channels::Outcome& outcome);

// For a tap on a request that was settled before: who, how and when, and that this tap did nothing.
std::string SettledToast(const gate::Settlement& settlement, std::int64_t now_ms,
                         const std::optional<render::LocalTime>& local);

std::string Toast(std::string_view text);

// `3 pending — oldest 12 min ago — communicate.email ×2, files.write`.
std::string SummaryText(const std::vector<gate::RequestModel>& requests, std::int64_t now_ms);

// What the refusal codes of the sender step have in common: the card stays for the right person.
bool IsSenderRefusal(base::Code code);

}  // namespace approval::telegram
