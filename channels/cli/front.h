// The person's side of a terminal session: something that shows a document, asks, and says what
// became of it. Two of them exist: lines for any terminal (line_front.h), a full screen
// (screen_front.h).
//
// Synchronous, one thread. A front never makes an answer out of silence, the end of input, keys
// that were pressed before the question stood there, or pasted text.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "channels/cli/document.h"

namespace approval::channels::cli {

// What a person answered. `over`: nothing was answered, the question settled itself meanwhile.
struct Typed {
  std::string line;
  bool over = false;
};

struct Choice {
  std::string keys;                     // the last line: `g approve  r reject ...`
  std::string prompt = "> ";            // where an answer is typed as a line
  std::function<bool()> over;           // asked a few times a second
  std::function<std::string()> status;  // one line that changes with time; may be empty
};

enum class TextRule {
  kNote,  // words for the record; pasted text is welcome, its line ends are not
  kWord,  // a word that must be typed
};

class Front {
 public:
  virtual ~Front() = default;

  virtual void Present(const Document& document) = 0;
  // Every line of the document presented last was in front of the person.
  virtual bool ShownWhole() const = 0;
  // How much of a payload a card holds here.
  virtual CardDocumentOptions card_options() const = 0;

  // A word or key; nothing when the input ended or the person leaves.
  virtual std::optional<Typed> AskChoice(const Choice& choice) = 0;
  // A line of text, empty included; nothing when the input ended. `over`: taken back with Escape.
  virtual std::optional<Typed> AskText(const std::string& prompt, TextRule rule) = 0;

  // A sentence beside what is shown; quoted, ours.
  virtual void Tell(const std::string& sentence) = 0;
  // Runs work whose sentence stays on the terminal after the session; work may print.
  virtual void Conclude(const std::function<std::string()>& work) = 0;
  virtual void Ring() = 0;
};

}  // namespace approval::channels::cli
