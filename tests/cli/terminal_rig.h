// A project with an attested policy, and requests that a person answers at a terminal in it.
#pragma once

#include "tests/cli/project.h"
#include "tests/support/pty.h"

namespace approval::testing {

inline base::Json Letter(const std::string& body = "Hello") {
  return base::JsonObject{{"to", "agency@example.co.uk"}, {"subject", "Refund"}, {"body", body}};
}

class TerminalTest : public ProjectTest {
 protected:
  void SetUp() override { StartAttested(); }
  // A request that waits, of a class and payload without anything odd.
  void Request(const std::string& task, const base::Json& payload = Letter()) {
    Register(task, "communicate.email.external", payload);
    ASSERT_EQ(Ask(task).exit, 0);
  }
  Pty At(std::vector<std::string> words, const PtyOptions& options = {}) const {
    words.insert(words.begin(), ApprovalProgram());
    return Pty(words, folder_.path(), environment_, options);
  }
  Pty Channel(const PtyOptions& options = {}) const { return At({"channel", "cli"}, options); }

  bool Decided() const {
    const std::string log = Log();
    return log.find("approval.granted") != std::string::npos ||
           log.find("approval.rejected") != std::string::npos;
  }
  bool Granted() const { return Log().find("approval.granted") != std::string::npos; }
};

// Whether the text holds the part.
inline bool Holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace approval::testing
