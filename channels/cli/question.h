// One pending request in front of a person at a terminal, from the card to the answer (channels.md
// 5.2).
//
// Approves only what was shown whole, and only by a word that says so: `yes` where the action
// cannot be undone or a warning stands. Everything else leaves the request pending.
#pragma once

#include "channels/cli/front.h"
#include "channels/contract.h"
#include "core/base/clock.h"
#include "render/card.h"

namespace approval::channels::cli {

struct SessionResult {
  int decided = 0;
  int granted = 0;
  int refused = 0;     // by the gate
  bool ended = false;  // the input ended or the person left
};

// The card of a request as this channel shows it; index 0: no count.
render::Card CardOf(const gate::RequestModel& request, const QueueView& view, std::int64_t now_ms,
                    std::size_t index, std::size_t total);

// Why approving takes the whole word `yes`, in a sentence; nothing when it does not.
std::optional<std::string> WhyYes(const render::Card& card);

class Question {
 public:
  // The model and the view outlive the question.
  Question(const gate::RequestModel& request, render::Card card, const QueueView& view,
           Runtime& runtime, Front& front, const base::Clock& clock);

  // The card with keys until it is answered, skipped or settled elsewhere.
  void Ask(SessionResult& result);

  // The card and one question, `[y/N/?]`; anything but yes is a no and records nothing.
  void AskYesNo(SessionResult& result);

 private:
  enum class Shown { kCard, kDetails, kBytes, kJson, kHelp };

  void Present(Shown what);
  CardDocumentOptions CardOptionsHere() const;
  void NoteWhatWasShown();
  // A trimmed word in lower case; nothing when the question is over for this session, which is said
  // then.
  std::optional<std::string> AskWord(const std::string& keys, const std::string& prompt,
                                     SessionResult& result);
  // Nothing when approving is possible now; else why not, in a sentence.
  std::optional<std::string> WhyNotYet() const;
  Choice MakeChoice(const std::string& keys, const std::string& prompt) const;
  gate::Settlement Settlement() const;
  void TellSettled();
  // What the person typed; nothing when the input ended or it was taken back, which is said then.
  std::optional<std::string> AskWords(const std::string& prompt, TextRule rule,
                                      const std::string& taken_back, SessionResult& result);
  // Each returns whether the question is settled, one way or the other.
  bool Grant(SessionResult& result);
  bool Reject(SessionResult& result);
  bool Decide(Gesture gesture, const std::string& note, SessionResult& result);

  const gate::RequestModel& request_;
  render::Card card_;
  std::optional<render::LocalTime> local_;
  Runtime& runtime_;
  Front& front_;
  const base::Clock& clock_;
  Shown shown_ = Shown::kCard;
  bool card_shown_ = false;
  bool bytes_shown_ = false;
  std::string whole_key_ = "p";
};

}  // namespace approval::channels::cli
