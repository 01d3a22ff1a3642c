#include "channels/telegram/card_text.h"

#include <algorithm>
#include <array>
#include <map>

#include "core/base/utf8.h"
#include "render/quote.h"
#include "render/views.h"

namespace approval::telegram {
namespace {

// How much of each part is drawn. The card is tried with one after the other until it fits.
struct Limits {
  std::size_t preview;  // content lines at either end
  std::size_t line;     // units of a content line
  std::size_t keys;
  std::size_t key;
  std::size_t warnings;
  std::size_t warning;
  std::size_t claim;
  std::size_t row;  // 0: no rows
};

constexpr std::size_t kAll = render::kWhole / 4;
constexpr Limits kUncut{kAll, kAll, kAll, kAll, kAll, kAll, kAll, kAll};
constexpr std::array<Limits, 6> kCuts{{
    {20, 400, 12, 300, 24, 300, 280, 200},
    {20, 120, 12, 200, 16, 200, 280, 100},
    {20, 60, 10, 120, 12, 120, 200, 0},
    {10, 40, 6, 100, 10, 100, 120, 0},
    {4, 40, 4, 60, 8, 80, 60, 0},
    {0, 40, 2, 40, 6, 60, 40, 0},
}};
constexpr std::size_t kMostAnswerers = 200;  // units of their names
constexpr std::size_t kMostSpans = 12;       // of one kind; Telegram drops entities beyond 100

std::string Joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) {
    if (!out.empty()) out += "\n";
    out += line;
  }
  return out;
}

struct Labelled {
  std::string label;  // ours
  std::string value;  // quoted
};

// Few lines each with their own code span, many as one block.
void AppendLines(Marked& out, const std::vector<Labelled>& lines) {
  if (lines.empty()) return;
  Append(out, Style::kText, "\n");
  if (lines.size() > kMostSpans) {
    std::vector<std::string> block;
    for (const Labelled& line : lines) block.push_back(line.label + line.value);
    Append(out, Style::kPre, Joined(block));
    return;
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    Append(out, Style::kText, (i == 0 ? "" : "\n") + lines[i].label);
    Append(out, Style::kCode, lines[i].value);
  }
}

void AppendKeys(Marked& out, const render::Card& card, const Limits& limits) {
  std::vector<Labelled> lines;
  for (const render::KeyLine& key : card.key_lines) {
    if (lines.size() == limits.keys) break;
    const std::string label = key.label.empty() ? "" : key.label + "  ";
    lines.push_back({label, CutQuoted(key.value, limits.key)});
  }
  AppendLines(out, lines);
  if (card.key_lines.size() > lines.size()) {
    Append(out, Style::kText,
           "\n" + render::Plural(card.key_lines.size() - lines.size(), "more line") +
               " of these in the document");
  }
}

void AppendContent(Marked& out, const render::Card& card, const Limits& limits) {
  if (!card.content_label.empty()) {
    Append(out, Style::kText, "\n");
    Append(out, Style::kCode, CutQuoted(card.content_label, 200));
  }
  std::vector<std::string> lines;
  const std::size_t count = card.content.size();
  const bool cut = limits.preview < kAll && count > 2 * limits.preview;
  for (std::size_t i = 0; i < count; ++i) {
    if (cut && i == limits.preview) {
      const std::size_t left_out = count - 2 * limits.preview;
      lines.push_back("«" + render::Plural(left_out, "line") + " not shown here»");
      i += left_out;
      if (i >= count) break;
    }
    lines.push_back(render::Barred(CutQuoted(card.content[i], limits.line)));
  }
  if (lines.empty()) return;
  Append(out, Style::kText, "\n");
  Append(out, Style::kPre, Joined(lines));
}

// One of every kind before the second of any, so that a cut list still names each kind.
std::vector<render::Warning> ByRound(const std::vector<render::Warning>& warnings) {
  std::map<render::WarningKind, std::size_t> seen;
  std::vector<std::pair<std::size_t, render::Warning>> ranked;
  for (const render::Warning& warning : warnings) {
    ranked.emplace_back(seen[warning.kind]++, warning);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<render::Warning> out;
  for (auto& [rank, warning] : ranked) out.push_back(std::move(warning));
  return out;
}

void AppendWarnings(Marked& out, const render::Card& card, const Limits& limits) {
  std::vector<Labelled> lines;
  for (const render::Warning& warning : ByRound(card.warnings)) {
    if (lines.size() == limits.warnings) break;
    lines.push_back({"⚠ ", CutQuoted(warning.text, limits.warning)});
  }
  AppendLines(out, lines);
  if (card.warnings.size() > lines.size()) {
    Append(out, Style::kText,
           "\n⚠ " + render::Plural(card.warnings.size() - lines.size(), "more warning"));
  }
  for (const std::string& notice : card.notices) {
    Append(out, Style::kText, "\n⚠ ");
    Append(out, Style::kCode, CutQuoted(notice, limits.warning));
  }
  if (!card.complete) {
    Append(out, Style::kText, "\n⚠ not shown, so it cannot be approved here: ");
    Append(out, Style::kCode, CutQuoted(card.incomplete_reason, 200));
  }
  if (card.reversible && !*card.reversible) Append(out, Style::kText, "\n⚠ cannot be undone");
}

void AppendClaims(Marked& out, const render::Card& card, const Limits& limits) {
  for (const render::ClaimedLine& line : card.claimed) {
    Append(out, Style::kText, "\n");
    Append(out, Style::kCode, CutQuoted(line.author, 60));
    Append(out, Style::kText, " says (unverified), " + line.label + ": ");
    Append(out, Style::kCode, CutQuoted(line.text, limits.claim));
  }
}

// What a person must not have to unfold for: which rules are touched, and what a command does when
// it is not shown whole.
bool StandsOutside(const render::Row& row, bool with_block) {
  return render::StandsOnCard(row) || (!with_block && row.name == "command_breakdown");
}

void AppendRows(Marked& out, const render::Card& card, const Limits& limits, bool with_block) {
  std::vector<Labelled> lines;
  for (const render::Row& row : card.rows) {
    if (!StandsOutside(row, with_block)) continue;
    lines.push_back({row.label + "  ", CutQuoted(row.text, limits.key)});
  }
  AppendLines(out, lines);
}

std::string Details(const render::Card& card, const Limits& limits, bool with_block) {
  constexpr std::size_t kShortest = 60;  // of a row that may not be hidden
  std::vector<std::string> lines;
  for (const render::Row& row : card.rows) {
    if (row.kind == render::Kind::kClaimed || StandsOutside(row, with_block)) continue;
    if (limits.row == 0 && !render::IsRequiredRow(row.name)) continue;
    lines.push_back(row.label + ": " + CutQuoted(row.text, std::max(limits.row, kShortest)) + " (" +
                    row.origin + ")");
  }
  if (with_block) {
    lines.push_back("the exact bytes, display sha256 " + card.display_hash + ":");
    lines.push_back(card.canonical_text);
  }
  return Joined(lines);
}

void AppendDocumentNote(Marked& out, const render::Card& card, DocumentState state) {
  const auto lines = static_cast<std::size_t>(
      std::count(card.canonical_text.begin(), card.canonical_text.end(), '\n') + 1);
  const std::string size =
      render::Plural(lines, "line") + ", " + render::Plural(card.canonical_text.size(), "byte");
  if (state == DocumentState::kFailed) {
    Append(out, Style::kText,
           "\n⚠ the document with every byte (" + size +
               ") could not be sent, so this cannot be approved here");
  } else {
    Append(out, Style::kText, "\n📎 every byte: ");
    Append(out, Style::kCode, DocumentOf(card).file_name);
    Append(out, Style::kText, " above, " + size);
  }
  Append(out, Style::kText, "\ndisplay sha256 ");
  Append(out, Style::kCode, card.display_hash);
}

Marked Heading(const render::Card& card, const CardLook& look) {
  Marked out;
  Append(out, Style::kText, look.urgent ? "⚡ urgent · " : "");
  Append(out, Style::kText, card.symbol + " ");
  Append(out, Style::kBold, CutQuoted(card.headline, 200));
  if (!card.count_line.empty()) Append(out, Style::kText, "   " + card.count_line);
  Append(out, Style::kText, "\n");
  Append(out, Style::kCode, CutQuoted(card.action_key, 240));
  return out;
}

CardText Compose(const render::Card& card, const CardLook& look, const Limits& limits,
                 bool with_block) {
  CardText text;
  text.form = look.form;
  text.before = Heading(card, look);
  AppendWarnings(text.before, card, limits);
  AppendRows(text.before, card, limits, with_block);
  if (card.is_minimal() && !with_block) {
    Append(text.before, Style::kText, "\n⚠ shortened: this card does not hold every byte");
  }
  AppendKeys(text.before, card, limits);
  AppendContent(text.before, card, limits);
  AppendClaims(text.before, card, limits);
  text.deadline = "⏳ " + CutQuoted(card.deadline, kOutcomeUnits - 40);
  if (!look.may_answer.empty()) {
    Append(text.after, Style::kText, "\nmay answer: " + CutQuoted(look.may_answer, kMostAnswerers));
  }
  if (!with_block && card.complete) AppendDocumentNote(text.after, card, look.document);
  const std::string details = Details(card, limits, with_block);
  if (!details.empty()) {
    Append(text.after, Style::kText, "\n");
    Append(text.after, Style::kExpandable, details);
  }
  return text;
}

bool Fits(const CardText& text) {
  return UnitsOf(text.before) + UnitsOf(text.after) + kOutcomeUnits + 2 <= kMaxMessageUnits;
}

// What this surface draws of the block before the card is composed is enough to know that it does
// not fit.
bool BlockFits(const render::Card& card) {
  if (!card.complete) return true;
  if (base::CountUtf16Units(card.canonical_text) > kMaxMessageUnits) return false;
  // Whatever look the message gets later: what fits here is never cut without its document. The
  // names are cut, and say so with a number of five digits.
  CardLook widest;
  widest.urgent = true;
  widest.may_answer = std::string(kMostAnswerers + 10'000, 'x');
  return Fits(Compose(card, widest, kUncut, true));
}

CardText Short(const render::Card& card, const CardLook& look) {
  CardText text;
  text.form = CardForm::kShort;
  Append(text.before, Style::kText, "A request waits for an answer. It could not be drawn here.\n");
  Append(text.before, Style::kText, "payload sha256 " + card.payload_hash);
  text.deadline = "⏳ " + CutQuoted(card.deadline, kOutcomeUnits - 40);
  AppendDocumentNote(text.after, card, look.document);
  return text;
}

std::string Spelled(const Marked& text, CardForm form) {
  return form == CardForm::kHtml ? ToHtml(text) : ToPlain(text);
}

}  // namespace

std::string CardText::Open() const { return Settled(deadline); }

std::string CardText::Settled(const std::string& outcome) const {
  Marked whole = before;
  Append(whole, Style::kText, "\n" + CutQuoted(outcome, kOutcomeUnits - 40));
  Append(whole, after);
  return Spelled(whole, form);
}

bool NeedsDocument(const render::Card& card, CardForm form) {
  return card.complete && (form == CardForm::kShort || !BlockFits(card));
}

CardText ComposeCard(const render::Card& card, const CardLook& look) {
  if (look.form == CardForm::kShort) return Short(card, look);
  if (card.complete && BlockFits(card)) {
    CardText whole = Compose(card, look, kUncut, true);
    if (Fits(whole)) return whole;
  }
  CardText text;
  for (const Limits& limits : kCuts) {
    text = Compose(card, look, limits, false);
    if (Fits(text)) break;
  }
  return text;
}

CardDocument DocumentOf(const render::Card& card) {
  return {"payload-" + card.payload_hash.substr(0, 12) + ".txt", card.canonical_text,
          "every byte of the request in the next message, display sha256 " + card.display_hash};
}

CardText BareCard(std::string_view quoted_action_key) {
  CardText text;
  Append(text.before, Style::kCode, CutQuoted(quoted_action_key, 240));
  return text;
}

}  // namespace approval::telegram
