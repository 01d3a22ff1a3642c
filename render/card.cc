#include "render/card.h"

#include <algorithm>
#include <initializer_list>

#include "render/quote.h"
#include "render/words.h"

namespace approval::render {
namespace {

// A part of the class's name says that it is of the kind.
bool IsClassOf(std::initializer_list<std::string_view> parts, std::string_view action_class) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
    return action_class.find(part) != std::string_view::npos;
  });
}

bool IsMailClass(std::string_view action_class) {
  return IsClassOf({"mail", "communicate", "message"}, action_class);
}

struct Heading {
  std::string_view symbol;
  std::string text;
};

Heading HeadingOf(Shape shape, std::string_view action_class) {
  switch (shape) {
    case Shape::kEmail:
      // A payload shaped like a mail does not make a mail out of another class.
      if (IsMailClass(action_class)) return {"✉️", "Send an email"};
      break;
    case Shape::kDraft:
      if (IsMailClass(action_class)) return {"✉️", "Send a mail that waits as a draft"};
      break;
    case Shape::kHttp:
      if (IsClassOf({"http", "web", "network", "api"}, action_class)) {
        return {"🌐", "Send a web request"};
      }
      break;
    case Shape::kPost:
      if (IsClassOf({"communicate", "message", "post", "forum", "chat"}, action_class)) {
        return {"💬", "Post a message"};
      }
      break;
    case Shape::kCommand:
      return {"💻", "Run a command"};
    case Shape::kArgv:
      return {"💻", "Run a program"};
    case Shape::kFileChange:
      return {"📝", "Change a file"};
    case Shape::kBinary:
    case Shape::kText:
    case Shape::kOpaque:
      break;
  }
  return {"🔑", "Use " + QuoteLine(action_class)};
}

void CutContent(Card& card, std::size_t preview) {
  const std::size_t count = card.content.size();
  if (count <= 2 * preview) return;
  card.content_lines_left_out = count - 2 * preview;
  const auto first = card.content.begin() + static_cast<std::ptrdiff_t>(preview);
  const auto last = card.content.end() - static_cast<std::ptrdiff_t>(preview);
  const auto gap = card.content.erase(first, last);
  card.content.insert(gap, "«" + Plural(card.content_lines_left_out, "line") + " not shown here»");
}

// What the payload shows, or why it cannot be shown whole.
void FillPayload(Card& card, const gate::RequestModel& request) {
  const gate::BoundPayload& payload = request.payload.value;
  base::Result<Canonical> block = CanonicalBlock(payload.value, request.action_class.value);
  if (!block) {
    card.incomplete_reason = QuoteLine(block.error().message);
    return;
  }
  card.shape = block->shape;
  if (block->payload_hash != request.payload_hash.value) {
    card.incomplete_reason = "the payload's bytes do not have the hash that the log binds";
    return;
  }
  card.canonical_text = std::move(block->text);
  card.display_hash = std::move(block->display_hash);
  Content content = ContentOf(card.shape, block->payload);
  card.key_lines = std::move(content.keys);
  card.recipients = content.recipients;
  card.content_label = std::move(content.label);
  card.content = std::move(content.lines);
  card.complete = true;
}

}  // namespace

Card BuildCard(const gate::RequestModel& request, std::int64_t now_ms, const CardOptions& options) {
  Card card;
  card.action_key = QuoteLine(request.action_key.value);
  card.requester = QuoteLine(request.requester.value);
  card.payload_hash = QuoteLine(request.payload_hash.value);
  card.reversible = request.reversible.value;
  if (options.index != 0) {
    card.count_line = std::to_string(options.index) + " of " + std::to_string(options.total);
  }
  FillPayload(card, request);
  const Heading heading = HeadingOf(card.shape, request.action_class.value);
  card.symbol = heading.symbol;
  card.headline = heading.text;
  if (options.preview_lines) CutContent(card, *options.preview_lines);
  card.warnings = BuildWarnings(request);
  if (!card.complete) {
    std::erase_if(card.warnings, [](const Warning& w) { return IsOfPayload(w.kind); });
  }
  card.deadline = DeadlineSentence(request.waiting.value, now_ms, options.prompt.local);
  card.rows = BuildRows(request, now_ms, options.surface, options.prompt);
  for (const Row& row : card.rows) {
    if (row.kind == Kind::kClaimed) card.claimed.push_back({row.label, row.text, row.origin});
  }
  if (options.minimal) MakeMinimal(card, request, *options.minimal);
  return card;
}

std::vector<std::string> CardLines(const Card& card) {
  std::vector<std::string> out;
  out.push_back(card.symbol + " " + card.headline +
                (card.count_line.empty() ? "" : "   " + card.count_line));
  out.push_back("key  " + card.action_key);
  for (const Warning& warning : card.warnings) out.push_back("⚠ " + warning.text);
  for (const Row& row : card.rows) {
    if (StandsOnCard(row)) out.push_back(row.label + "  " + row.text);
  }
  for (const KeyLine& line : card.key_lines) out.push_back(line.label + "  " + line.value);
  if (!card.content_label.empty()) out.push_back(card.content_label);
  for (const std::string& line : card.content) out.push_back(Barred(line));
  if (!card.complete) out.push_back("⚠ not shown: " + card.incomplete_reason);
  if (card.reversible && !*card.reversible) out.emplace_back("cannot be undone");
  for (const std::string& notice : card.notices) out.push_back("⚠ " + notice);
  for (const ClaimedLine& line : card.claimed) {
    out.push_back(line.author + " says (unverified) " + line.label + ": " + line.text);
  }
  out.push_back("⏳ " + card.deadline);
  for (const Row& row : card.rows) {
    if (row.kind == Kind::kClaimed) continue;
    out.push_back("[" + row.origin + "] " + row.label + ": " + row.text);
  }
  return out;
}

}  // namespace approval::render
