#include "channels/cli/document.h"

#include <algorithm>

#include "channels/cli/cells.h"
#include "render/quote.h"

namespace approval::channels::cli {
namespace {

constexpr std::size_t kLabelCells = 8;
constexpr std::string_view kBar = "  │ ";
// Below this a margin with a label leaves too little for the text beside it.
constexpr std::size_t kNarrow = 32;

std::string LabelMargin(std::string label) {
  const std::size_t cells = Cells(label);
  if (cells < kLabelCells) label.append(kLabelCells - cells, ' ');
  return "  " + label + " ";
}

std::string TitleOf(const render::Card& card) {
  return (card.count_line.empty() ? "request" : card.count_line) + " · " + card.action_key;
}

std::string Painted(const Style& style, Look look, const std::string& row) {
  if (!style.color) return row;
  const auto in = [&row](const char* code) {
    return "\x1b[" + std::string(code) + "m" + row + "\x1b[0m";
  };
  switch (look) {
    case Look::kPlain:
      return row;
    case Look::kHeadline:
      return in("1");
    case Look::kWarning:
      return in("33");
    case Look::kQuiet:
      return in("2");
  }
  return row;
}

std::string Blanks(std::size_t count) { return std::string(count, ' '); }

}  // namespace

bool IsCut(const render::Card& card, const CardDocumentOptions& options) {
  return card.content.size() > options.content_lines || card.content_lines_left_out > 0;
}

Document CardDocument(const render::Card& card, const CardDocumentOptions& options) {
  Document out{TitleOf(card), {}};
  out.lines.push_back({"", card.symbol + " " + card.headline, Look::kHeadline});
  for (const render::Warning& warning : card.warnings) {
    out.lines.push_back({"  ⚠ ", warning.text, Look::kWarning});
  }
  if (!card.complete) {
    out.lines.push_back({"  ⚠ ", "not shown: " + card.incomplete_reason, Look::kWarning});
  }
  if (card.reversible == false) out.lines.push_back({"  ⚠ ", "cannot be undone", Look::kWarning});
  for (const render::Row& row : card.rows) {
    if (render::StandsOnCard(row)) out.lines.push_back({LabelMargin(row.label), row.text});
  }
  for (const render::KeyLine& line : card.key_lines) {
    out.lines.push_back({LabelMargin(line.label), line.value});
  }
  if (!card.content_label.empty()) out.lines.push_back({"  ", card.content_label, Look::kQuiet});
  const std::size_t shown = std::min(card.content.size(), options.content_lines);
  for (std::size_t i = 0; i < shown; ++i) {
    out.lines.push_back({std::string(kBar), card.content[i]});
  }
  if (shown < card.content.size()) {
    out.lines.push_back({"  ... ", std::to_string(card.content.size() - shown) + " more lines; " +
                                       options.whole_key + " shows every byte"});
  }
  if (card.claimed.empty()) out.lines.push_back({"  ", "asked by " + card.requester, Look::kQuiet});
  for (const render::ClaimedLine& line : card.claimed) {
    out.lines.push_back(
        {"  ", line.author + " says (unverified): " + line.label + ": " + line.text, Look::kQuiet});
  }
  if (options.deadline) out.lines.push_back({"  ⏳ ", card.deadline});
  return out;
}

Document DetailsDocument(const render::Card& card) {
  Document out{"every fact · " + card.action_key, {}};
  for (const render::Row& row : card.rows) {
    const bool claimed = row.kind == render::Kind::kClaimed;
    out.lines.push_back({claimed ? "  [claimed]  " : "[computed] ",
                         row.label + ": " + row.text + "  (" + row.origin + ")",
                         row.abnormal ? Look::kWarning : Look::kPlain});
  }
  return out;
}

Document BytesDocument(const render::Card& card) {
  Document out{"the exact bytes · " + card.action_key, {}};
  const std::string text =
      card.complete ? card.canonical_text : "not shown: " + card.incomplete_reason;
  for (const std::string_view line : render::LinesOf(text)) {
    out.lines.push_back({"", std::string(line)});
  }
  if (card.complete) out.lines.push_back({"", "display hash " + card.display_hash});
  return out;
}

Document JsonDocument(const render::Card& card, const std::string& json) {
  return {"the stored JSON · " + card.action_key, {{"│ ", render::QuoteLine(json)}}};
}

Document HelpDocument() {
  return {"help",
          {{"", "g  approve exactly these bytes; asks for a note, and for the word yes when the"},
           {"   ", "action cannot be undone, touches the rules or has a warning"},
           {"", "r  reject, with a note from which the agent can learn"},
           {"", "s  skip: the request stays pending"},
           {"", "d  every fact, computed or claimed, and where it comes from"},
           {"", "p  the signed text, whole; its digest is on record"},
           {"", "j  the stored JSON that the payload hash is over"},
           {"", "c  the card again"},
           {"", "q  quit; nothing is recorded"},
           {"", "« » ⏎ │ → are marks of ours: a text that holds them shows «U+00AB» and so on."},
           {"", "A row that begins with ┊ goes on with the line above it."}}};
}

std::vector<std::string> RowsOf(const Line& line, const Style& style) {
  std::vector<std::string> rows;
  const std::size_t margin = style.width == 0 ? 0 : Cells(line.margin);
  // Bytes are at least as many as cells.
  if (style.width == 0 || (style.width >= kNarrow && margin + line.text.size() <= style.width)) {
    rows.push_back(line.margin + line.text);
  } else {
    const bool narrow = style.width < kNarrow && margin > 3;
    if (narrow) {
      // The margin's word stands in a row of its own, the bar is all that is left beside the text.
      const std::size_t first = line.margin.find_first_not_of(' ');
      std::string label = first == std::string::npos ? "" : line.margin.substr(first);
      while (!label.empty() && label.back() == ' ') label.pop_back();
      const bool bar = line.margin == kBar;
      if (!bar && !label.empty()) rows.push_back(FitCells(label, style.width));
      for (const std::string& piece : WrapCells(line.text, style.width - 1, style.width - 1)) {
        rows.push_back((rows.empty() && bar ? "│" : "┊") + piece);
      }
    } else {
      const std::string go_on = margin < 2 ? "┊ " : Blanks(margin - 2) + "┊ ";
      const std::size_t rest = std::max<std::size_t>(margin, 2);
      const auto left = [&style](std::size_t used) {
        return style.width > used ? style.width - used : 1;
      };
      for (const std::string& piece : WrapCells(line.text, left(margin), left(rest))) {
        rows.push_back((rows.empty() ? line.margin : go_on) + piece);
      }
    }
  }
  for (std::string& row : rows) row = Painted(style, line.look, row);
  return rows;
}

std::vector<std::string> RowsOf(const Document& document, const Style& style) {
  std::vector<std::string> rows;
  for (const Line& line : document.lines) {
    for (std::string& row : RowsOf(line, style)) rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<std::string> FramedRows(const Document& document, const Style& style) {
  constexpr std::size_t kRule = 80;
  std::vector<std::string> rows{std::string(style.width == 0 ? kRule : style.width, '-')};
  for (std::string& row : RowsOf(Line{"", document.title, Look::kQuiet}, style)) {
    rows.push_back(std::move(row));
  }
  for (std::string& row : RowsOf(document, style)) rows.push_back(std::move(row));
  return rows;
}

}  // namespace approval::channels::cli
