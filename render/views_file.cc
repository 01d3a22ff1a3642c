#include <algorithm>

#include "render/line_diff.h"
#include "render/quote.h"
#include "render/views.h"

namespace approval::render {
namespace {

constexpr std::size_t kContext = 3;

std::string QuoteFileLine(std::string_view line) { return QuoteLines(line, TabRule::kArrow)[0]; }

std::string SideLine(std::string_view name, std::string_view text) {
  std::string line = std::string(name) + ": " + CountWords(text);
  if (!text.empty()) {
    line += text.back() == '\n' ? ", ends with a line break" : ", no line break at the end";
  }
  return line;
}

std::string Span(std::size_t first, std::size_t count) {
  if (count == 0) return "nothing";
  if (count == 1) return "line " + std::to_string(first);
  return "lines " + std::to_string(first) + " to " + std::to_string(first + count - 1);
}

char Sign(Edit edit) {
  switch (edit) {
    case Edit::kKeep:
      return ' ';
    case Edit::kRemove:
      return '-';
    case Edit::kAdd:
      return '+';
  }
  return ' ';
}

// Whether each line is within three lines of a change.
std::vector<bool> NearChange(const std::vector<DiffLine>& diff) {
  std::vector<bool> near(diff.size(), false);
  for (std::size_t i = 0; i < diff.size(); ++i) {
    if (diff[i].edit == Edit::kKeep) continue;
    const std::size_t from = i < kContext ? 0 : i - kContext;
    const std::size_t to = std::min(diff.size(), i + kContext + 1);
    for (std::size_t j = from; j < to; ++j) near[j] = true;
  }
  return near;
}

// A long run of blank lines of one sign becomes one line that counts them, as everywhere.
Lines WithoutBlankRuns(const Lines& lines) {
  constexpr std::size_t kBlankLineRun = 9;
  Lines out;
  for (std::size_t from = 0; from < lines.size();) {
    std::size_t to = from;
    while (to < lines.size() && lines[from].size() == 1 && lines[to] == lines[from]) ++to;
    if (to - from >= kBlankLineRun) {
      out.push_back(lines[from] + "«" + Plural(to - from, "blank line") + "»");
      from = to;
    } else {
      out.push_back(lines[from++]);
    }
  }
  return out;
}

class DiffView {
 public:
  DiffView(std::string_view before, std::string_view after)
      : diff_(DiffLines(before, after)), near_(NearChange(diff_)) {}

  Lines Hunks() const {
    Lines out;
    ForEachRun(true, [&](std::size_t from, std::size_t to) {
      const auto count = [&](Edit other) {
        return static_cast<std::size_t>(
            std::count_if(At(from), At(to), [&](const DiffLine& l) { return l.edit != other; }));
      };
      out.push_back("@@ before: " + Span(diff_[from].before, count(Edit::kAdd)) +
                    ", after: " + Span(diff_[from].after, count(Edit::kRemove)) + " @@");
      for (auto line = At(from); line != At(to); ++line) {
        out.push_back(Sign(line->edit) + QuoteFileLine(line->text));
      }
    });
    return WithoutBlankRuns(out);
  }

  // The unchanged lines that no hunk shows, so that the block holds every byte.
  Lines Rest() const {
    Lines out;
    ForEachRun(false, [&](std::size_t from, std::size_t to) {
      out.push_back("@@ before: " + Span(diff_[from].before, to - from) +
                    ", after: " + Span(diff_[from].after, to - from) + " @@");
      for (auto line = At(from); line != At(to); ++line) {
        out.push_back(" " + QuoteFileLine(line->text));
      }
    });
    return WithoutBlankRuns(out);
  }

  std::size_t Unshown() const {
    return static_cast<std::size_t>(std::count(near_.begin(), near_.end(), false));
  }

  std::string Words() const {
    const auto count = [&](Edit edit) {
      return static_cast<std::size_t>(std::count_if(
          diff_.begin(), diff_.end(), [&](const DiffLine& l) { return l.edit == edit; }));
    };
    return Plural(count(Edit::kRemove), "line") + " removed, " + Plural(count(Edit::kAdd), "line") +
           " added";
  }

 private:
  std::vector<DiffLine>::const_iterator At(std::size_t i) const {
    return diff_.begin() + static_cast<std::ptrdiff_t>(i);
  }

  template <typename Visit>
  void ForEachRun(bool near, Visit visit) const {
    for (std::size_t from = 0; from < diff_.size();) {
      std::size_t to = from;
      while (to < diff_.size() && near_[to] == near_[from]) ++to;
      if (near_[from] == near) visit(from, to);
      from = to;
    }
  }

  std::vector<DiffLine> diff_;
  std::vector<bool> near_;
};

Lines AddedLines(std::string_view content) {
  Lines out;
  for (const std::string_view line : SplitLines(content)) out.push_back("+" + QuoteFileLine(line));
  return WithoutBlankRuns(out);
}

std::string RuleNote(const base::JsonObject& change) {
  const auto rule = base::StringMember(change, "rule");
  if (!rule || !rule->starts_with("protected-path")) return "";
  return *rule == "protected-path-proposal" ? "a proposal: to the agent's own working copy"
                                            : "live: to the checkout in use";
}

constexpr std::string_view kTabs = "tabs: → is a tab";

bool HasTab(const base::JsonObject& change) {
  for (const std::string_view key : {"before", "after", "content"}) {
    const auto text = base::StringMember(change, key);
    if (text && text->find('\t') != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

Lines FileChangeView(const base::JsonObject& change) {
  Lines out;
  for (const std::string_view key : {"tool", "rule", "file", "replace_all"}) {
    out.push_back(MemberLine(change, key));
  }
  if (const std::string note = RuleNote(change); !note.empty()) out.push_back("note: " + note);
  if (HasTab(change)) out.emplace_back(kTabs);
  if (const auto content = base::StringMember(change, "content")) {
    out.push_back(SideLine("content", *content));
    AppendBarred(out, AddedLines(*content));
    return out;
  }
  const std::string_view before = Text(change.at("before"));
  const std::string_view after = Text(change.at("after"));
  const DiffView diff(before, after);
  out.push_back(SideLine("before", before));
  out.push_back(SideLine("after", after));
  out.push_back("change: " + diff.Words());
  AppendBarred(out, diff.Hunks());
  if (diff.Unshown() != 0) {
    out.push_back("unchanged and not shown above: " + Plural(diff.Unshown(), "line"));
    AppendBarred(out, diff.Rest());
  }
  return out;
}

Content FileChangeContent(const base::JsonObject& change) {
  Content content;
  content.keys.push_back({"file", QuoteLine(Text(change.at("file")))});
  if (const std::string note = RuleNote(change); !note.empty()) {
    content.keys.push_back({"note", note});
  }
  const std::string tabs = HasTab(change) ? "; → is a tab" : "";
  if (const auto text = base::StringMember(change, "content")) {
    content.label = SideLine("whole file", *text) + tabs;
    content.lines = AddedLines(*text);
    return content;
  }
  const base::Json* all = change.if_contains("replace_all");
  if (all != nullptr && all->get_bool()) content.keys.push_back({"where", "every match"});
  const std::string_view before = Text(change.at("before"));
  const std::string_view after = Text(change.at("after"));
  const DiffView diff(before, after);
  content.label = "change: " + diff.Words() + tabs;
  content.lines = diff.Hunks();
  if (before.ends_with('\n') != after.ends_with('\n')) {
    content.lines.push_back(SideLine("@@ before", before) + " @@");
    content.lines.push_back(SideLine("@@ after", after) + " @@");
  }
  if (diff.Unshown() != 0) {
    content.lines.push_back("@@ " + Plural(diff.Unshown(), "unchanged line") +
                            " in the exact bytes @@");
  }
  return content;
}

}  // namespace approval::render
