#include "channels/cli/screen_front.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "channels/cli/cells.h"
#include "core/base/utf8.h"
#include "render/quote.h"

namespace approval::channels::cli {
namespace {

using Kind = Key::Kind;
using EventKind = Screen::Event::Kind;

constexpr auto kLook = std::chrono::milliseconds(250);
constexpr std::size_t kCardLines = 200;
constexpr std::size_t kMaxText = 1000;
constexpr std::size_t kMinColumns = 10;

// Taking back the last code point.
void DropLast(std::string& text) {
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80) text.pop_back();
  if (!text.empty()) text.pop_back();
}

// `g approve  r reject` without its words.
std::string ShortKeys(const std::string& keys) {
  std::string out;
  for (std::size_t at = 0; at < keys.size();) {
    const std::size_t end = std::min(keys.find("  ", at), keys.size());
    out += (out.empty() ? "" : " ") + keys.substr(at, keys.find(' ', at) - at);
    at = end + 2;
  }
  return out;
}

// Pasted words for a note: line ends become blanks.
std::string OneLine(const std::string& pasted) {
  std::string out = base::ReplaceIllFormed(pasted);
  for (char& c : out) c = static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  return out;
}

}  // namespace

ScreenFront::ScreenFront(int in, int out, bool color, std::function<void()> look)
    : screen_(in, out), color_(color), look_(std::move(look)) {
  screen_.Enter();
  size_ = screen_.size();
}

void ScreenFront::Present(const Document& document) {
  document_ = document;
  line_of_.clear();
  top_ = 0;
  whole_ = false;
  guard_ = true;
  LayOut();
}

bool ScreenFront::ShownWhole() const { return whole_; }

CardDocumentOptions ScreenFront::card_options() const { return {kCardLines, false, "p"}; }

void ScreenFront::LayOut() {
  size_ = screen_.size();
  // One column stays free: a character in the last one makes some terminals start a row.
  const Style style{color_, std::max(size_.columns, kMinColumns) - 1};
  // The row on top belongs to a line that stays in sight.
  const std::size_t line = top_ < line_of_.size() ? line_of_[top_] : 0;
  rows_.clear();
  line_of_.clear();
  for (std::size_t i = 0; i < document_.lines.size(); ++i) {
    for (std::string& row : RowsOf(document_.lines[i], style)) {
      rows_.push_back(std::move(row));
      line_of_.push_back(i);
    }
  }
  const auto at = std::find(line_of_.begin(), line_of_.end(), line);
  top_ = at == line_of_.end() ? 0 : static_cast<std::size_t>(at - line_of_.begin());
}

void ScreenFront::MoveTo(std::size_t row) {
  top_ = std::min(row, rows_.size() > room_ ? rows_.size() - room_ : 0);
}

bool ScreenFront::Scroll(const Key& key) {
  const std::size_t page = room_ > 2 ? room_ - 1 : 1;
  switch (key.kind) {
    case Kind::kUp:
      MoveTo(top_ > 0 ? top_ - 1 : 0);
      return true;
    case Kind::kDown:
      MoveTo(top_ + 1);
      return true;
    case Kind::kPageUp:
      MoveTo(top_ > page ? top_ - page : 0);
      return true;
    case Kind::kPageDown:
      MoveTo(top_ + page);
      return true;
    case Kind::kHome:
      MoveTo(0);
      return true;
    case Kind::kEnd:
      MoveTo(rows_.size());
      return true;
    case Kind::kText:
      if (key.text == " ") MoveTo(top_ + page);
      if (key.text == "b") MoveTo(top_ > page ? top_ - page : 0);
      return key.text == " " || key.text == "b";
    case Kind::kRedraw:
    case Kind::kPaste:
    case Kind::kEnter:
    case Kind::kBackspace:
    case Kind::kEscape:
    case Kind::kKillLine:
    case Kind::kEndOfInput:
    case Kind::kOther:
      return false;
  }
  return false;
}

std::string ScreenFront::Position() const {
  const std::size_t last = std::min(top_ + room_, rows_.size());
  if (rows_.size() <= room_) return "";
  return "rows " + std::to_string(top_ + 1) + " to " + std::to_string(last) + " of " +
         std::to_string(rows_.size()) +
         (last < rows_.size() ? " · space goes on" : " · b goes back");
}

void ScreenFront::Draw(const Foot& foot) {
  const std::size_t columns = std::max(size_.columns, kMinColumns) - 1;
  std::vector<std::string> out;
  const bool title = size_.rows >= foot.rows.size() + 5;
  if (title) {
    out.push_back(FitCells(document_.title, columns));
    out.emplace_back();
    for (std::size_t i = 0; i < columns; ++i) out.back() += "─";
  }
  const std::size_t taken = out.size() + foot.rows.size() + 1;
  room_ = size_.rows > taken ? size_.rows - taken : 1;
  MoveTo(top_);
  const std::size_t last = std::min(top_ + room_, rows_.size());
  for (std::size_t i = top_; i < last; ++i) out.push_back(rows_[i]);
  whole_ = whole_ || last == rows_.size();
  // The keys stay where they are, in the last rows.
  while (out.size() + foot.rows.size() + 1 < size_.rows) out.emplace_back();
  out.push_back(FitCells(Position(), columns));
  out.insert(out.end(), foot.rows.begin(), foot.rows.end());
  // A screen of few rows shows what matters most: the last ones.
  if (out.size() > size_.rows) {
    out.erase(out.begin(), out.end() - static_cast<std::ptrdiff_t>(size_.rows));
  }
  screen_.Draw(out, foot.cursor);
  if (!guard_) return;
  guard_ = false;
  screen_.DropTypeAhead();
}

ScreenFront::Foot ScreenFront::ChoiceFoot(const Choice& choice) {
  const Style style{color_, std::max(size_.columns, kMinColumns) - 1};
  const std::string status = choice.status ? choice.status() : std::string();
  const auto rows_of = [&style](const std::string& text, Look look) {
    return text.empty() ? std::vector<std::string>{} : RowsOf(Line{"", text, look}, style);
  };
  std::vector<std::string> first = rows_of(status, Look::kPlain);
  std::vector<std::string> last = rows_of(choice.keys, Look::kHeadline);
  // On a small screen the document needs the room.
  if (first.size() + last.size() > std::max<std::size_t>(size_.rows / 3, 2)) {
    if (!first.empty()) first = {FitCells(status, style.width)};
    last = rows_of(ShortKeys(choice.keys), Look::kHeadline);
  }
  Foot foot{std::move(first), false};
  for (std::string& row : rows_of(told_, Look::kPlain)) foot.rows.push_back(std::move(row));
  for (std::string& row : last) foot.rows.push_back(std::move(row));
  return foot;
}

ScreenFront::Foot ScreenFront::TextFoot(const std::string& prompt, const std::string& text) {
  const Style style{color_, std::max(size_.columns, kMinColumns) - 1};
  Foot foot;
  foot.cursor = true;
  if (!told_.empty()) foot.rows = RowsOf({"", told_, Look::kPlain}, style);
  foot.rows.push_back(FitCells("Enter sends it, Escape takes it back", style.width));
  for (std::string& row : RowsOf({prompt, render::QuoteLine(text), Look::kPlain}, style)) {
    foot.rows.push_back(std::move(row));
  }
  return foot;
}

std::optional<Typed> ScreenFront::AskChoice(const Choice& choice) {
  LayOut();
  guard_ = true;
  for (;;) {
    Draw(ChoiceFoot(choice));
    const Screen::Event event = screen_.Next(kLook);
    switch (event.kind) {
      case EventKind::kEnded:
        return std::nullopt;
      case EventKind::kChanged:
        LayOut();
        guard_ = true;
        continue;
      case EventKind::kNothing:
        look_();
        if (choice.over && choice.over()) return Typed{"", true};
        continue;
      case EventKind::kKeys:
        break;
    }
    if (event.keys.empty()) continue;
    if (std::all_of(event.keys.begin(), event.keys.end(),
                    [this](const Key& key) { return Scroll(key); })) {
      continue;
    }
    const Key& key = event.keys.front();
    if (event.keys.size() > 1 || key.kind == Kind::kPaste) {
      told_ = "several keys at once, or pasted text: nothing was answered";
      continue;
    }
    if (key.kind == Kind::kEndOfInput) return std::nullopt;
    if (key.kind == Kind::kEscape || key.kind == Kind::kBackspace) {
      told_.clear();
      return Typed{"c"};
    }
    // Enter alone means nothing here.
    if (key.kind != Kind::kText) continue;
    told_.clear();
    return Typed{key.text};
  }
}

std::optional<Typed> ScreenFront::AskText(const std::string& prompt, TextRule rule) {
  std::string text;
  guard_ = true;
  for (;;) {
    Draw(TextFoot(prompt, text));
    const Screen::Event event = screen_.Next(kLook);
    if (event.kind == EventKind::kEnded) return std::nullopt;
    if (event.kind == EventKind::kChanged) {
      LayOut();
      guard_ = true;
    }
    for (const Key& key : event.keys) {
      switch (key.kind) {
        case Kind::kText:
          if (text.size() < kMaxText) text += key.text;
          break;
        case Kind::kPaste:
          if (rule == TextRule::kWord) {
            told_ = "pasted text is no answer; type it";
          } else if (text.size() + key.text.size() <= kMaxText) {
            text += OneLine(key.text);
          } else {
            told_ = "the pasted text is too long for a note";
          }
          break;
        case Kind::kEnter:
          if (event.keys.size() == 1) {
            told_.clear();
            return Typed{text};
          }
          break;
        case Kind::kBackspace:
          DropLast(text);
          break;
        case Kind::kKillLine:
          text.clear();
          break;
        case Kind::kEscape:
          told_.clear();
          return Typed{"", true};
        case Kind::kEndOfInput:
          return std::nullopt;
        case Kind::kUp:
        case Kind::kDown:
        case Kind::kPageUp:
        case Kind::kPageDown:
        case Kind::kHome:
        case Kind::kEnd:
          Scroll(key);
          break;
        case Kind::kRedraw:
        case Kind::kOther:
          break;
      }
    }
  }
}

void ScreenFront::Tell(const std::string& sentence) { told_ = sentence; }

void ScreenFront::Conclude(const std::function<std::string()>& work) {
  screen_.Leave();
  told_ = work();
  const std::string line = told_ + "\n";
  std::fputs(line.c_str(), stdout);
  std::fflush(stdout);
  screen_.Enter();
}

}  // namespace approval::channels::cli
