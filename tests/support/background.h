// A program that runs beside a test: its output line by line, ended by its own id.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "tests/support/process.h"

namespace approval::testing {

class Background {
 public:
  // Starts it; standard error goes to `<folder>/background.err`, or to ours without a folder.
  explicit Background(const std::vector<std::string>& argv, const RunOptions& options = {});
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  // The next line of its standard output, waited for.
  std::optional<std::string> Line(std::chrono::milliseconds limit = std::chrono::seconds(20));

  // The next line that is a JSON object with this `event`; others are passed over.
  std::optional<base::JsonObject> Event(const std::string& event,
                                        std::chrono::milliseconds limit = std::chrono::seconds(20));

  // Sends a signal; SIGTERM by default.
  void Signal(int number);
  // Waits for its end; the exit code, or 128 and the signal.
  int Wait(std::chrono::milliseconds limit = std::chrono::seconds(20));

  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = -1;
  int out_ = -1;
  std::string pending_;
  std::optional<int> exit_;
};

}  // namespace approval::testing
