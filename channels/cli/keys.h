// Bytes of a terminal in raw mode as keys.
//
// Total: every byte string gives keys. Text between the marks of a bracketed paste is one kPaste,
// never keys; unknown escape sequences are one kOther and never leave their letters behind. A
// sequence may arrive in pieces. One thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace approval::channels::cli {

struct Key {
  enum class Kind {
    kText,  // one printable code point, in `text`
    kPaste,
    kEnter,
    kBackspace,
    kEscape,
    kKillLine,    // ^U
    kRedraw,      // ^L
    kEndOfInput,  // ^D
    kUp,
    kDown,
    kPageUp,
    kPageDown,
    kHome,
    kEnd,
    kOther,
  };
  Kind kind = Kind::kOther;
  std::string text{};
};

class KeyDecoder {
 public:
  std::vector<Key> Feed(std::string_view bytes);
  // What a pause means: an escape that nothing followed was the key of that name; half a sequence
  // or code point was nothing. An open paste stays open.
  std::vector<Key> Pause();
  bool waits() const { return !pending_.empty() || pasting_; }
  void Reset();

 private:
  bool Next(std::vector<Key>& out);

  std::string pending_;
  bool pasting_ = false;
  std::string paste_;
};

}  // namespace approval::channels::cli
