// Ready requests for tests of channels: manual, attested, nothing odd about them but their payload.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/json.h"
#include "core/gate/request_model.h"

namespace approval::testing {

inline constexpr std::int64_t kSampleNow = 1'787'745'600'000;  // 2026-08-26T12:00:00Z

struct SampleOptions {
  std::string key = "task-101:chaser";
  std::string action_class = "communicate.email.external";
  std::int64_t seq = 3;
  std::int64_t requested_ms = kSampleNow - 300'000;
  std::int64_t window_ms = 3'600'000;  // 0: no deadline
  bool requester_waits = false;
  std::string summary = "Send the deposit chaser";
};

// The record hash of a sample: the SHA-256 of its key and sequence number.
std::string SampleHash(const std::string& key, std::int64_t seq);

gate::RequestModel SampleRequest(const base::Json& payload, const SampleOptions& options = {});

base::Json EmailPayload(const std::string& body = "Hello,\n\nNow 21 days late.\n",
                        const std::string& subject = "Deposit refund chaser");
base::Json CommandPayload(const std::string& command = "ls -l", const std::string& cwd = "/srv");
base::Json FilePayload(const std::string& file = "README.md", const std::string& content = "hi\n");

}  // namespace approval::testing
