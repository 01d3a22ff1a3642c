// A terminal session on a full screen: a document that scrolls, a line that counts down, the keys
// in the last line (channels.md 5.2).
//
// A document counts as shown whole when its last row was on the screen. A key counts only when it
// arrived alone, Enter too; pasted text is no answer. Between questions, while an answer is put on
// record, the terminal is as it was, so that what is printed then stays there after the session.
#pragma once

#include "channels/cli/front.h"
#include "channels/cli/screen.h"

namespace approval::channels::cli {

class ScreenFront final : public Front {
 public:
  // `look` runs before each look at whether a question settled itself.
  ScreenFront(int in, int out, bool color, std::function<void()> look);

  void Present(const Document& document) override;
  bool ShownWhole() const override;
  CardDocumentOptions card_options() const override;
  std::optional<Typed> AskChoice(const Choice& choice) override;
  std::optional<Typed> AskText(const std::string& prompt, TextRule rule) override;
  void Tell(const std::string& sentence) override;
  void Conclude(const std::function<std::string()>& work) override;
  void Ring() override { screen_.Ring(); }

  // The signal that ended the session, 0 for none.
  int signal() const { return screen_.signal(); }

 private:
  struct Foot {
    std::vector<std::string> rows;
    bool cursor = false;
  };

  void LayOut();
  void Draw(const Foot& foot);
  // Moves through the document; whether the key does that.
  bool Scroll(const Key& key);
  void MoveTo(std::size_t row);
  Foot ChoiceFoot(const Choice& choice);
  Foot TextFoot(const std::string& prompt, const std::string& text);
  std::string Position() const;

  Screen screen_;
  const bool color_;
  const std::function<void()> look_;
  Screen::Size size_;
  Document document_;
  std::vector<std::string> rows_;     // of the document at this width
  std::vector<std::size_t> line_of_;  // the document's line that a row belongs to
  std::size_t top_ = 0;
  std::size_t room_ = 1;  // rows of the document on the screen
  bool whole_ = false;    // its last row was there
  bool guard_ = true;     // what is typed before the next drawing stood for a moment is dropped
  std::string told_;
};

}  // namespace approval::channels::cli
