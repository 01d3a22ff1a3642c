#include "channels/cli/question.h"

#include <algorithm>
#include <utility>

#include "channels/prompt.h"
#include "core/base/utf8.h"
#include "render/quote.h"
#include "render/words.h"

namespace approval::channels::cli {
namespace {

constexpr const char* kKeys =
    "g approve  r reject  d details  p bytes  j JSON  s skip  q quit  ? help";
// Of a request that cannot be shown whole.
constexpr const char* kKeysWithoutApprove = "r reject  d details  j JSON  s skip  q quit  ? help";
constexpr const char* kNothing = "end of input: nothing recorded";

std::string Word(const std::string& line) { return base::AsciiLower(base::TrimEcma(line)); }

}  // namespace

render::Card CardOf(const gate::RequestModel& request, const QueueView& view, std::int64_t now_ms,
                    std::size_t index, std::size_t total) {
  render::CardOptions options;
  options.surface = render::Surface::kCli;
  options.prompt = PromptFor(view.policy, "cli");
  options.index = index;
  options.total = total;
  return render::BuildCard(request, now_ms, options);
}

std::optional<std::string> WhyYes(const render::Card& card) {
  if (!card.warnings.empty()) return "There are warnings above.";
  if (std::any_of(card.rows.begin(), card.rows.end(), render::StandsOnCard)) {
    return "This touches the rules themselves.";
  }
  if (card.reversible == false) return "This cannot be undone.";
  return std::nullopt;
}

Question::Question(const gate::RequestModel& request, render::Card card, const QueueView& view,
                   Runtime& runtime, Front& front, const base::Clock& clock)
    : request_(request),
      card_(std::move(card)),
      local_(LocalTimeFor(view.policy, "cli")),
      runtime_(runtime),
      front_(front),
      clock_(clock) {}

std::optional<std::string> Question::AskWord(const std::string& keys, const std::string& prompt,
                                             SessionResult& result) {
  const auto typed = front_.AskChoice(MakeChoice(keys, prompt));
  NoteWhatWasShown();
  if (!typed) {
    front_.Tell(kNothing);
    result.ended = true;
    return std::nullopt;
  }
  if (typed->over) {
    TellSettled();
    return std::nullopt;
  }
  return Word(typed->line);
}

void Question::Ask(SessionResult& result) {
  Present(Shown::kCard);
  while (!result.ended) {
    const auto word = AskWord(card_.complete ? kKeys : kKeysWithoutApprove, "> ", result);
    if (!word) return;
    if (*word == "g" || *word == "grant") {
      if (Grant(result)) return;
    } else if (*word == "r" || *word == "reject") {
      if (Reject(result)) return;
    } else if (word->empty() || *word == "s" || *word == "skip") {
      front_.Tell("skipped: it stays pending");
      return;
    } else if (*word == "q" || *word == "quit") {
      result.ended = true;
    } else if (*word == "d") {
      Present(Shown::kDetails);
    } else if (*word == "p") {
      Present(Shown::kBytes);
    } else if (*word == "j") {
      Present(Shown::kJson);
    } else if (*word == "c") {
      Present(Shown::kCard);
    } else if (*word == "?" || *word == "h" || *word == "help") {
      Present(Shown::kHelp);
    } else {
      front_.Tell("not understood; nothing recorded. ? lists the keys");
    }
  }
}

void Question::AskYesNo(SessionResult& result) {
  whole_key_ = "?";
  Present(Shown::kCard);
  if (!card_.complete) return front_.Tell(*WhyNotYet());
  const bool whole_word = WhyYes(card_).has_value();
  for (;;) {
    const auto word =
        AskWord("", whole_word ? "approve? type yes [yes/N/?] " : "approve? [y/N/?] ", result);
    if (!word) return;
    if (*word == "?") {
      Present(Shown::kDetails);
      Present(Shown::kBytes);
      NoteWhatWasShown();
      continue;
    }
    if (*word != "yes" && (*word != "y" || whole_word)) {
      return front_.Tell(
          "not approved; it stays pending. To say no: approval reject <key> --note <why>");
    }
    if (const auto why = WhyNotYet()) {
      front_.Tell(*why);
      continue;
    }
    Decide(Gesture::kGrant, "", result);
    return;
  }
}

void Question::Present(Shown what) {
  shown_ = what;
  switch (what) {
    case Shown::kCard:
      return front_.Present(CardDocument(card_, CardOptionsHere()));
    case Shown::kDetails:
      return front_.Present(DetailsDocument(card_));
    case Shown::kBytes:
      return front_.Present(BytesDocument(card_));
    case Shown::kJson:
      return front_.Present(JsonDocument(card_, request_.payload.value.text));
    case Shown::kHelp:
      return front_.Present(HelpDocument());
  }
}

CardDocumentOptions Question::CardOptionsHere() const {
  CardDocumentOptions options = front_.card_options();
  options.whole_key = whole_key_;
  return options;
}

void Question::NoteWhatWasShown() {
  if (!front_.ShownWhole()) return;
  card_shown_ = card_shown_ || shown_ == Shown::kCard;
  bytes_shown_ = bytes_shown_ || shown_ == Shown::kBytes;
}

std::optional<std::string> Question::WhyNotYet() const {
  if (!card_.complete) {
    return "this terminal cannot show every byte, so it cannot approve: " + card_.incomplete_reason;
  }
  if (!card_shown_) return "there is more of the card below; read it to its end before you approve";
  if (IsCut(card_, CardOptionsHere()) && !bytes_shown_) {
    return "the text above is cut; read it whole with " + whole_key_ + " before you approve";
  }
  return std::nullopt;
}

Choice Question::MakeChoice(const std::string& keys, const std::string& prompt) const {
  return {keys, prompt, [this] { return Settlement().state != gate::State::kRequested; },
          [this] {
            return "⏳ " + render::DeadlineSentence(request_.waiting.value, clock_.NowMs(), local_);
          }};
}

gate::Settlement Question::Settlement() const {
  return runtime_.SettlementOf(request_.action_key.value, request_.chain.value.hash);
}

void Question::TellSettled() {
  const gate::Settlement settled = Settlement();
  front_.Conclude([&] {
    return card_.action_key + " was settled elsewhere: " + SettledHeadline(settled.state) +
           (settled.seq == 0 ? ""
                             : " by " + render::QuoteLine(settled.actor) + ", record " +
                                   std::to_string(settled.seq));
  });
}

std::optional<std::string> Question::AskWords(const std::string& prompt, TextRule rule,
                                              const std::string& taken_back,
                                              SessionResult& result) {
  const auto typed = front_.AskText(prompt, rule);
  if (typed && !typed->over) return typed->line;
  front_.Tell(typed ? taken_back : kNothing);
  result.ended = !typed;
  return std::nullopt;
}

bool Question::Grant(SessionResult& result) {
  const std::string no = "not approved; nothing recorded";
  if (const auto why = WhyNotYet()) {
    front_.Tell(*why);
    return false;
  }
  if (const auto why = WhyYes(card_)) {
    front_.Tell(*why);
    const auto sure = AskWords("type yes to approve: ", TextRule::kWord, no, result);
    if (!sure) return false;
    if (Word(*sure) != "yes") {
      front_.Tell(no);
      return false;
    }
  }
  const auto note = AskWords("note (may be empty): ", TextRule::kNote, no, result);
  return note && Decide(Gesture::kGrant, *note, result);
}

bool Question::Reject(SessionResult& result) {
  for (;;) {
    const auto note = AskWords("why: ", TextRule::kNote, "not rejected; nothing recorded", result);
    if (!note) return false;
    if (!Word(*note).empty()) return Decide(Gesture::kReject, *note, result);
    front_.Tell("a rejection needs a note, so that the agent can learn from it");
  }
}

bool Question::Decide(Gesture gesture, const std::string& note, SessionResult& result) {
  Report report;
  report.action_key = request_.action_key.value;
  report.gesture = gesture;
  report.request_hash = request_.chain.value.hash;
  report.delivery_id = "cli-" + std::to_string(request_.chain.value.seq);
  if (!Word(note).empty()) report.note = note;
  front_.Conclude([&] {
    const Outcome outcome = runtime_.Decide("cli", report);
    if (!outcome.ok) {
      ++result.refused;
      return "✗ " + std::string(base::Spelling(outcome.code)) + "  " + outcome.sentence;
    }
    ++result.decided;
    if (gesture == Gesture::kGrant) ++result.granted;
    return card_.action_key + " -> " + std::string(gate::Spelling(outcome.state)) + " at seq " +
           std::to_string(outcome.seq);
  });
  return true;
}

}  // namespace approval::channels::cli
