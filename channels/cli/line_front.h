// A terminal session line by line, for every terminal and for tests.
#pragma once

#include "channels/cli/front.h"

namespace approval::channels::cli {

// One line from the person without its end; nothing at the end of input. While it waits it asks
// `over` now and then and gives up when that says the question is settled.
using ReadLine = std::function<std::optional<Typed>(const std::string& prompt,
                                                    const std::function<bool()>& over)>;
// One line to the person, already quoted.
using WriteLine = std::function<void(const std::string& line)>;

class LineFront final : public Front {
 public:
  // A document that was written counts as shown: it can be scrolled back to.
  LineFront(ReadLine read, WriteLine write, Style style);

  void Present(const Document& document) override;
  bool ShownWhole() const override { return true; }
  CardDocumentOptions card_options() const override { return {}; }
  std::optional<Typed> AskChoice(const Choice& choice) override;
  std::optional<Typed> AskText(const std::string& prompt, TextRule rule) override;
  void Tell(const std::string& sentence) override;
  void Conclude(const std::function<std::string()>& work) override;
  void Ring() override;

 private:
  ReadLine read_;
  WriteLine write_;
  Style style_;
};

}  // namespace approval::channels::cli
