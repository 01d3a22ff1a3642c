// The prompt rows of a request: which, in what order, with which text (channels.md 1.10, 3.4).
//
// Orders and visibility are the channel's defaults changed by the policy's block; a block never
// removes a required row, never moves a claimed row into the computed part (rows keep their kind;
// computed ones come first), and a row that the request does not carry is absent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/gate/request_model.h"
#include "render/words.h"

namespace approval::render {

enum class Surface { kTelegram, kWeb, kCli };

// The block `channels.<name>.prompt` of the policy; names outside the vocabulary are ignored here,
// they fail the policy load.
struct PromptRows {
  std::vector<std::string> rows;     // these first, in this order
  std::vector<std::string> always;   // shown whatever the default
  std::vector<std::string> hide;     // never shown, required rows excepted
  std::optional<LocalTime> local{};  // the clock of whoever reads the channel
};

enum class Kind { kComputed, kClaimed };

struct Row {
  std::string name;   // of the vocabulary: `budgets`
  std::string label;  // ours: `budgets`, `ttl`
  std::string text;   // quoted, begins `⚠ ` when and only when abnormal
  Kind kind = Kind::kComputed;
  std::string origin;  // source of a computed value, quoted author of a claimed one
  bool abnormal = false;
};

// Whether a person must not have to unfold for the row: which rules a request touches.
bool StandsOnCard(const Row& row);

// Whether a surface must show the row, however short of room it is.
bool IsRequiredRow(std::string_view name);

std::vector<Row> BuildRows(const gate::RequestModel& request, std::int64_t now_ms, Surface surface,
                           const PromptRows& prompt);

}  // namespace approval::render
