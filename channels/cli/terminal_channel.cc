#include "channels/cli/terminal_channel.h"

#include <algorithm>

#include <boost/json/array.hpp>

#include "channels/prompt.h"
#include "core/base/utf8.h"
#include "render/quote.h"

namespace approval::channels::cli {
namespace {

constexpr std::size_t kContentLines = 24;
const std::function<bool()> kNever = [] { return false; };
constexpr const char* kKeys =
    "g approve  r reject  d details  p bytes  j JSON  s skip  q quit  ? help";

render::Card CardOf(const gate::RequestModel& request, const QueueView& view, std::int64_t now_ms,
                    std::size_t index, std::size_t total) {
  render::CardOptions options;
  options.surface = render::Surface::kCli;
  options.prompt = PromptFor(view.policy, "cli");
  options.index = index;
  options.total = total;
  return render::BuildCard(request, now_ms, options);
}

std::string Paint(const Style& style, const char* code, const std::string& text) {
  return style.color ? "\x1b[" + std::string(code) + "m" + text + "\x1b[0m" : text;
}

std::string Lower(std::string text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && blank(text.back())) text.pop_back();
  while (!text.empty() && blank(text.front())) text.erase(text.begin());
  return base::AsciiLower(text);
}

void WriteLines(const WriteLine& write, const std::string& text) {
  std::size_t start = 0;
  while (start <= text.size()) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    write(text.substr(start, end - start));
    start = end + 1;
  }
}

// One request in front of the person.
class Question {
 public:
  Question(const gate::RequestModel& request, render::Card card, Runtime& runtime,
           const ReadLine& read, const WriteLine& write, const Style& style)
      : request_(request),
        card_(std::move(card)),
        runtime_(runtime),
        read_(read),
        write_(write),
        style_(style),
        whole_shown_(card_.content.size() <= kContentLines) {}

  enum class Answer { kNext, kQuit };

  Answer Ask(SessionResult& result) {
    for (const std::string& line : CardText(card_, style_)) write_(line);
    for (;;) {
      write_(kKeys);
      const auto typed =
          read_("> ", [this] { return Settlement().state != gate::State::kRequested; });
      if (typed && typed->over) {
        const gate::Settlement settled = Settlement();
        write_("settled elsewhere: " + SettledHeadline(settled.state) +
               (settled.seq == 0 ? ""
                                 : " by " + render::QuoteLine(settled.actor) + ", record " +
                                       std::to_string(settled.seq)));
        return Answer::kNext;
      }
      if (!typed) {
        write_("end of input: nothing recorded");
        result.ended = true;
        return Answer::kQuit;
      }
      const std::string word = Lower(typed->line);
      if (word == "g" || word == "grant") {
        if (Grant(result)) return Next(result);
      } else if (word == "r" || word == "reject") {
        if (Reject(result)) return Next(result);
      } else if (word.empty() || word == "s" || word == "skip") {
        write_("skipped: it stays pending");
        return Answer::kNext;
      } else if (word == "q" || word == "quit") {
        result.ended = true;
        return Answer::kQuit;
      } else {
        Show(word);
      }
      if (result.ended) return Answer::kQuit;
    }
  }

 private:
  gate::Settlement Settlement() const {
    return runtime_.SettlementOf(request_.action_key.value, request_.chain.value.hash);
  }

  static Answer Next(const SessionResult& result) {
    return result.ended ? Answer::kQuit : Answer::kNext;
  }

  void Show(const std::string& word) {
    if (word == "d") {
      for (const render::Row& row : card_.rows) {
        const bool claimed = row.kind == render::Kind::kClaimed;
        write_(std::string(claimed ? "  [claimed]  " : "[computed] ") + row.label + ": " +
               row.text + "  (" + row.origin + ")");
      }
    } else if (word == "p") {
      WriteLines(write_, card_.canonical_text);
      whole_shown_ = card_.complete;
      write_("display hash " + card_.display_hash);
    } else if (word == "j") {
      write_(render::QuoteLine(request_.payload.value.text));
    } else if (word == "?" || word == "help" || word == "h") {
      write_("g records your approval of exactly these bytes, r a rejection with a note; s leaves");
      write_("the request waiting; d shows every fact, p the signed text, j the stored JSON.");
    } else {
      write_("not understood; nothing recorded");
    }
  }

  // Whether the question is settled, one way or the other.
  bool Grant(SessionResult& result) {
    if (!card_.complete) {
      write_("this terminal cannot show every byte, so it cannot approve: " +
             card_.incomplete_reason);
      return false;
    }
    if (!whole_shown_) {
      write_("the text above is cut; read it whole with p before you approve");
      return false;
    }
    if (card_.reversible == false || !card_.warnings.empty()) {
      write_(card_.warnings.empty() ? "This cannot be undone." : "There are warnings above.");
      const auto sure = read_("type yes to approve: ", kNever);
      if (!sure) {
        result.ended = true;
        return false;
      }
      if (Lower(sure->line) != "yes") {
        write_("not approved; nothing recorded");
        return false;
      }
    }
    const auto note = read_("note (may be empty): ", kNever);
    if (!note) {
      write_("end of input: nothing recorded");
      result.ended = true;
      return false;
    }
    return Decide(Gesture::kGrant, note->line, result);
  }

  bool Reject(SessionResult& result) {
    for (;;) {
      const auto note = read_("why: ", kNever);
      if (!note) {
        write_("end of input: nothing recorded");
        result.ended = true;
        return false;
      }
      if (!Lower(note->line).empty()) return Decide(Gesture::kReject, note->line, result);
      write_("a rejection needs a note, so that the agent can learn from it");
    }
  }

  bool Decide(Gesture gesture, const std::string& note, SessionResult& result) {
    Report report;
    report.action_key = request_.action_key.value;
    report.gesture = gesture;
    report.request_hash = request_.chain.value.hash;
    report.delivery_id = "cli-" + std::to_string(request_.chain.value.seq);
    if (!Lower(note).empty()) report.note = note;
    const Outcome outcome = runtime_.Decide("cli", report);
    if (outcome.ok) {
      ++result.decided;
      write_(card_.action_key + " -> " + std::string(gate::Spelling(outcome.state)) + " at seq " +
             std::to_string(outcome.seq));
    } else {
      ++result.refused;
      write_("✗ " + std::string(base::Spelling(outcome.code)) + "  " + outcome.sentence);
    }
    return true;
  }

  const gate::RequestModel& request_;
  render::Card card_;
  Runtime& runtime_;
  const ReadLine& read_;
  const WriteLine& write_;
  const Style& style_;
  bool whole_shown_;  // every line of the content was on the screen
};

base::JsonObject Field(const render::Row& row) {
  const bool claimed = row.kind == render::Kind::kClaimed;
  return {{"field", row.name},
          {"kind", claimed ? "claimed" : "computed"},
          {"text", row.text},
          {claimed ? "author" : "source", row.origin}};
}

}  // namespace

std::vector<std::string> CardText(const render::Card& card, const Style& style) {
  std::vector<std::string> out;
  out.push_back(std::string(style.width, '-'));
  std::string head = card.symbol + " " + card.headline;
  if (!card.count_line.empty()) head += "   (" + card.count_line + ")";
  out.push_back(Paint(style, "1", head));
  out.push_back("  key      " + card.action_key);
  out.push_back("  asks     " + card.requester);
  for (const render::KeyLine& line : card.key_lines) {
    std::string label = line.label;
    label.resize(std::max<std::size_t>(label.size(), 8), ' ');
    out.push_back("  " + label + " " + line.value);
  }
  if (!card.content_label.empty()) out.push_back("  " + card.content_label);
  const std::size_t shown = std::min(card.content.size(), kContentLines);
  for (std::size_t i = 0; i < shown; ++i) out.push_back("  " + render::Barred(card.content[i]));
  if (shown < card.content.size()) {
    out.push_back("  ... " + std::to_string(card.content.size() - shown) +
                  " more lines; p shows every byte");
  }
  for (const render::Warning& warning : card.warnings) {
    out.push_back(Paint(style, "33", "  ⚠ " + warning.text));
  }
  for (const render::ClaimedLine& line : card.claimed) {
    out.push_back("  " + line.author + " says (unverified): " + line.label + ": " + line.text);
  }
  out.push_back("  ⏳ " + card.deadline);
  return out;
}

SessionResult AskAll(const QueueView& view, Runtime& runtime, const ReadLine& read,
                     const WriteLine& write, const Style& style, std::int64_t now_ms,
                     std::vector<std::string>& seen) {
  SessionResult result;
  for (const gate::Skip& skip : view.skipped) {
    write("cannot be shown: " + render::QuoteLine(skip.action_key) + "  " +
          std::string(base::Spelling(skip.error.code)) + "  " +
          render::QuoteLine(skip.error.message));
  }
  std::size_t index = 0;
  for (const gate::RequestModel& request : view.requests) {
    ++index;
    const std::string& hash = request.chain.value.hash;
    if (std::find(seen.begin(), seen.end(), hash) != seen.end()) continue;
    seen.push_back(hash);
    Question question(request, CardOf(request, view, now_ms, index, view.requests.size()), runtime,
                      read, write, style);
    if (question.Ask(result) == Question::Answer::kQuit) break;
  }
  return result;
}

base::JsonArray TaggedRequests(const QueueView& view, std::int64_t now_ms) {
  base::JsonArray list;
  for (const gate::RequestModel& request : view.requests) {
    const render::Card card = CardOf(request, view, now_ms, 0, 0);
    base::JsonArray fields;
    for (const render::Row& row : card.rows) fields.push_back(Field(row));
    base::JsonArray warnings;
    for (const render::Warning& warning : card.warnings) {
      warnings.push_back(base::Json(warning.text));
    }
    list.push_back(base::JsonObject{{"action_key", request.action_key.value},
                                    {"headline", card.headline},
                                    {"fields", std::move(fields)},
                                    {"warnings", std::move(warnings)},
                                    {"fullPayloadText", card.canonical_text},
                                    {"display_hash", card.display_hash},
                                    {"payload_hash", card.payload_hash}});
  }
  return list;
}

}  // namespace approval::channels::cli
