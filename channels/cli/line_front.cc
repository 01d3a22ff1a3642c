#include "channels/cli/line_front.h"

#include <utility>

namespace approval::channels::cli {

LineFront::LineFront(ReadLine read, WriteLine write, Style style)
    : read_(std::move(read)), write_(std::move(write)), style_(style) {}

void LineFront::Present(const Document& document) {
  for (const std::string& row : FramedRows(document, style_)) write_(row);
}

std::optional<Typed> LineFront::AskChoice(const Choice& choice) {
  if (!choice.keys.empty()) {
    for (const std::string& row : RowsOf({"", choice.keys, Look::kQuiet}, style_)) write_(row);
  }
  return read_(choice.prompt, choice.over);
}

std::optional<Typed> LineFront::AskText(const std::string& prompt, TextRule) {
  return read_(prompt, [] { return false; });
}

void LineFront::Tell(const std::string& sentence) {
  for (const std::string& row : RowsOf({"", sentence, Look::kPlain}, style_)) write_(row);
}

void LineFront::Conclude(const std::function<std::string()>& work) { Tell(work()); }

void LineFront::Ring() { write_("\a"); }

}  // namespace approval::channels::cli
