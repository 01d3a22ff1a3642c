#include "channels/cli/queue_table.h"

#include <algorithm>

#include "channels/cli/cells.h"
#include "render/card.h"
#include "render/quote.h"
#include "render/views.h"
#include "render/words.h"

namespace approval::channels::cli {
namespace {

std::string RowText(const render::Card& card, std::string_view name) {
  for (const render::Row& row : card.rows) {
    if (row.name == name) return row.text;
  }
  return "-";
}

std::string Padded(std::string text, std::size_t cells) {
  const std::size_t has = Cells(text);
  if (has < cells) text.append(cells - has, ' ');
  return text;
}

struct Entry {
  std::string number;
  std::string age;
  std::string left;
  std::string what;
  std::string about;
  bool warned = false;
};

Entry EntryOf(const gate::RequestModel& request, std::size_t index, std::int64_t now_ms) {
  render::CardOptions options;
  options.surface = render::Surface::kCli;
  const render::Card card = render::BuildCard(request, now_ms, options);
  const auto& asked = request.waiting.value.requested_ms;
  Entry entry;
  entry.number = std::to_string(index);
  entry.age = asked ? render::AgeWords(now_ms - *asked) : "-";
  entry.left = request.ttl_remaining_ms.value ? RowText(card, "ttl_remaining_ms") : "no limit";
  entry.what = card.symbol + " " + card.headline;
  if (!card.key_lines.empty()) {
    entry.what += " · " + card.key_lines.front().label + " " + card.key_lines.front().value;
  }
  entry.about = RowText(card, "class") + " · asked by " + card.requester;
  entry.warned = !card.warnings.empty() || !card.complete;
  if (!card.warnings.empty()) {
    entry.about += " · ⚠ " + render::Plural(card.warnings.size(), "warning");
  }
  if (!card.complete) entry.about += " · ⚠ cannot be shown whole";
  return entry;
}

}  // namespace

std::vector<std::string> QueueTable(const std::vector<gate::RequestModel>& requests,
                                    const std::vector<gate::Skip>& skipped, std::int64_t now_ms,
                                    const Style& style) {
  std::vector<Line> lines;
  if (requests.empty() && skipped.empty()) {
    lines.push_back({"", "nothing waits for an answer"});
  } else {
    lines.push_back({"", render::Plural(requests.size(), "request") + " waiting, oldest first",
                     Look::kHeadline});
  }
  std::vector<Entry> entries;
  for (const gate::RequestModel& request : requests) {
    entries.push_back(EntryOf(request, entries.size() + 1, now_ms));
  }
  std::size_t number = 0;
  std::size_t age = 0;
  std::size_t left = 0;
  for (const Entry& entry : entries) {
    number = std::max(number, Cells(entry.number));
    age = std::max(age, Cells(entry.age));
    left = std::max(left, Cells(entry.left));
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    lines.push_back({"", ""});
    lines.push_back({Padded(entry.number, number) + "  ",
                     Padded(entry.age, age) + "  " + Padded(entry.left, left) + "  " + "key " +
                         render::QuoteLine(requests[i].action_key.value)});
    const std::string margin(number + 2, ' ');
    lines.push_back({margin, entry.what, Look::kHeadline});
    lines.push_back({margin, entry.about, entry.warned ? Look::kWarning : Look::kQuiet});
  }
  for (const gate::Skip& skip : skipped) {
    lines.push_back({"cannot be shown: ",
                     render::QuoteLine(skip.action_key) + "  " +
                         std::string(base::Spelling(skip.error.code)) + "  " +
                         render::QuoteLine(skip.error.message),
                     Look::kWarning});
  }
  std::vector<std::string> rows;
  for (const Line& line : lines) {
    for (std::string& row : RowsOf(line, style)) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace approval::channels::cli
