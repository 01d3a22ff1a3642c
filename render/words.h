// Ages, durations, clock times and deadlines in words; the same on every surface (channels.md 6.2
// to 6.4).
//
// Times are milliseconds since 1970, UTC; the caller says what time it is and where the reader
// lives.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/gate/request_model.h"

namespace approval::render {

// The clock on a reader's wall.
struct LocalTime {
  std::string place;                                    // `Madrid`
  std::function<std::int64_t(std::int64_t)> offset_ms;  // local minus UTC at an instant
};

// `2h 5m left`, `4m 10s left`, `12s left`; `EXPIRED` at or below zero; `no TTL declared` for
// nothing.
std::string LeftWords(std::optional<std::int64_t> left_ms);

// `just now`, `12 min ago`, `2h 05m ago`.
std::string AgeWords(std::int64_t age_ms);

// `16:05 UTC` on the day of `now_ms`, `tomorrow 16:05 UTC` on the next, else `27 Aug 16:05 UTC`.
// With a place `18:05 Madrid (16:05 UTC)`, each with its own day.
std::string ClockWords(std::int64_t instant_ms, std::int64_t now_ms,
                       const std::optional<LocalTime>& local = {});

// `requested 5 min ago · requester waits until 16:05 UTC` (6.3).
std::string WaitingLine(const gate::WaitingView& waiting, std::int64_t now_ms,
                        const std::optional<LocalTime>& local = {});

// `less than a minute`, `about 12 minutes`, `about 3 hours`, `about 2 days` (6.4).
std::string PlainDuration(std::int64_t ms);

// One sentence for a person: how long, until when, who waits, and what silence means.
std::string DeadlineSentence(const gate::WaitingView& waiting, std::int64_t now_ms,
                             const std::optional<LocalTime>& local = {});

}  // namespace approval::render
