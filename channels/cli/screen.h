// A terminal taken over for a full screen, and given back as it was.
//
// While entered: raw keys without echo, the other screen buffer, bracketed paste, no cursor.
// Leaving, the end of the object, a signal that stops or ends the program, and a crash of the
// program each give the terminal back (SIGKILL cannot). Signals are held from construction to
// destruction and reported by Next, so that none ends an append half-way; the owner ends the
// program by EndBySignal. One object at a time, one thread.
#pragma once

#include <signal.h>
#include <termios.h>

#include <chrono>
#include <string>
#include <vector>

#include "channels/cli/keys.h"
#include "core/base/files.h"

namespace approval::channels::cli {

class Screen {
 public:
  // Both descriptors stay the caller's and are terminals.
  Screen(int in, int out);
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  void Enter();
  void Leave();

  struct Size {
    std::size_t columns = 80;
    std::size_t rows = 24;
  };
  Size size() const;

  // Rows from the top; what is below and beside them is cleared. The cursor is shown behind the
  // text of the last row when asked.
  void Draw(const std::vector<std::string>& rows, bool cursor);
  void Ring();

  struct Event {
    enum class Kind {
      kNothing,  // the time is over
      kKeys,     // arrived together
      kChanged,  // another size, or back from a stop: draw again
      kEnded,    // the terminal is gone, or a signal asks for the end
    };
    Kind kind = Kind::kNothing;
    std::vector<Key> keys{};
  };
  Event Next(std::chrono::milliseconds limit);

  // Throws away what was typed before the screen stood for a moment.
  void DropTypeAhead();

  // The signal that asked for the end, 0 for none.
  int signal() const { return signal_; }

 private:
  void Write(const std::string& bytes);
  void Stop();
  Event ReadSignal();
  Event ReadKeys();

  int in_;
  int out_;
  bool entered_ = false;
  bool ended_ = false;
  int signal_ = 0;
  std::string drawn_;
  termios before_{};
  sigset_t masked_before_{};
  base::Descriptor signals_;
  KeyDecoder decoder_;
};

// Ends the program as the signal would have.
void EndBySignal(int number);

}  // namespace approval::channels::cli
