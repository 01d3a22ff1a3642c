// The card: a pending request as every surface shows it, without markup (DESIGN 8,
// channels.md 3.4).
//
// Every string is one line of plain text, quoted already; a surface escapes it for its markup and
// adds layout, nothing else. Order on a surface: headline, warnings and the rows that stand on the
// card (`StandsOnCard`), key lines, content, claimed lines (apart, labelled as unverified),
// deadline, rows, canonical block: what is odd is read before the text that holds it. `content`
// lines stand behind the bar (`Barred`). Computed and claimed never share a list, rows carry their
// kind. Pure function of its arguments; reads no clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/gate/request_model.h"
#include "render/canonical_block.h"
#include "render/minimal.h"
#include "render/rows.h"
#include "render/views.h"
#include "render/warnings.h"

namespace approval::render {

struct CardOptions {
  Surface surface = Surface::kCli;
  PromptRows prompt;                         // the policy's block for this channel
  std::size_t index = 0;                     // position in a series, from 1; 0: no count line
  std::size_t total = 0;                     // members of the series
  std::optional<std::size_t> preview_lines;  // more content than twice this: first and last lines
  std::optional<MinimalStyle> minimal;       // the policy asks for the short card
};

struct ClaimedLine {
  std::string label;   // ours: `summary`, `est. cost`, `rationale`, `confidence`
  std::string text;    // quoted
  std::string author;  // quoted actor id
};

struct Card {
  std::string action_key;  // quoted
  std::string requester;   // quoted actor id
  std::string symbol;      // one emoji of ours for the shape
  std::string headline;    // "Send an email"; from class and shape alone
  std::string count_line;  // "1 of 6" or empty
  Shape shape = Shape::kOpaque;

  std::vector<KeyLine> key_lines;
  std::optional<std::size_t> recipients;   // of a mail: to, cc and bcc together
  std::vector<std::string> content;        // quoted lines without the bar
  std::string content_label;               // "body: 4 lines, 82 characters, 82 bytes" or empty
  std::size_t content_lines_left_out = 0;  // by the preview; the gap is a line of `content` as well
  std::vector<Warning> warnings;           // computed, always shown
  std::vector<std::string> notices;        // computed: what the short card leaves off or cuts
  std::vector<ClaimedLine> claimed;
  std::string deadline;   // one sentence
  std::vector<Row> rows;  // those to show, in order

  std::optional<bool> reversible;  // false: the action cannot be undone
  std::string canonical_text;      // empty when there is none
  std::string display_hash;        // of canonical_text, 64 hex
  std::string payload_hash;        // 64 hex
  // The canonical block exists, so that a surface that shows it (or sends it) whole shows every
  // byte. When false no surface offers Approve; `incomplete_reason` says why.
  bool complete = false;
  std::string incomplete_reason;

  // How it is drawn when the policy asks for short cards, else nothing.
  std::optional<gate::Rendering> rendering;
  bool is_minimal() const { return rendering && rendering->style == "minimal"; }
};

Card BuildCard(const gate::RequestModel& request, std::int64_t now_ms, const CardOptions& options);

// The card as plain text lines in the order above, for tests and simple surfaces.
std::vector<std::string> CardLines(const Card& card);

}  // namespace approval::render
