// A program at a terminal of its own, read and typed to as a person would.
#pragma once

#include <sys/types.h>
#include <termios.h>

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace approval::testing {

struct PtyOptions {
  unsigned short columns = 100;
  unsigned short rows = 40;
  std::string term = "xterm";
};

// At the end everything that `approval` wrote is looked through for raw controls (raw_scan.h).
class Pty {
 public:
  Pty(const std::vector<std::string>& argv, const std::string& folder,
      const std::map<std::string, std::string>& environment, const PtyOptions& options = {});
  ~Pty();
  Pty(const Pty&) = delete;
  Pty& operator=(const Pty&) = delete;

  // Reads until the text appears behind what was found last.
  bool WaitFor(const std::string& text, std::chrono::milliseconds limit = std::chrono::seconds(15));

  void Type(const std::string& keys);
  // After the time that a person needs to read.
  void TypeLater(const std::string& keys);

  // Everything that was written so far.
  const std::string& Screen() const { return screen_; }

  // Waits for the end; the exit code.
  int Wait();

  void Resize(unsigned short columns, unsigned short rows);
  void Signal(int number);
  // Waits until the program is stopped, as ^Z does.
  bool WaitStopped();
  // The terminal goes away, as a window that is closed.
  void HangUp();
  // How the terminal treats keys and echo now.
  termios Settings() const;

 private:
  bool Read(std::chrono::milliseconds limit);

  int master_ = -1;
  pid_t pid_ = -1;
  std::string screen_;
  std::size_t found_ = 0;
  bool waited_ = false;
  bool ours_ = false;  // the program is `approval`
};

}  // namespace approval::testing
