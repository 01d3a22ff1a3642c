// QUEUE.md: what waits for an answer, as a Markdown file for people (channels.md 6.1, surfaces.md
// 13.5).
//
// A pure function: the same log, policy and instant give the same bytes, and two instants differ
// only in the lines that count time. Values stand in code spans after quoting, so that no text out
// of a record opens a heading, a fence, a link or a comment, and each can be read back. It shows no
// payload and collects no decision.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/gate/request_model.h"

namespace approval::render {

// A live request that cannot be shown.
struct UnshownRequest {
  std::string action_key;
  std::string code;
  std::string message;
};

// An `audit.sampled` record without a review.
struct OpenAudit {
  std::int64_t seq = 0;
  std::string ts;
  std::string actor;
  std::optional<std::string> task;
  std::optional<std::string> action_key;
};

struct QueueFileInput {
  std::vector<gate::RequestModel> requests;  // oldest first
  std::vector<UnshownRequest> unshown;
  std::vector<OpenAudit> audits;
  std::int64_t now_ms = 0;
  std::optional<std::int64_t> head_seq;  // nothing: an empty log
  std::string head_hash;
  std::string log_path;  // as people should see it, relative to the home where it is below it
};

std::string QueueFile(const QueueFileInput& input);

// A text in a code span: quoted, a grave accent drawn `«U+0060»`, so that nothing ends the span.
// SpanOrNone: nothing is `_none_`.
std::string CodeSpan(std::string_view text);
std::string SpanOrNone(const std::optional<std::string>& text);

}  // namespace approval::render
