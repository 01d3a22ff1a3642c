// From nothing to a sent mail at a real terminal, with a real keyring and our own program only.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/e2e/story.h"
#include "tests/support/pty.h"
#include "tests/support/vectors.h"

namespace approval {
namespace {

using testing::Pty;

constexpr const char* kTask = R"(---
id: task-1
approval:
  origin: { app: mailer, created_by: "agent:robot" }
  state: proposed
  actions:
    - class: communicate.email.external
      idempotency_key: task-1:send
      summary: say hello
      reversible: false
      est_cost_usd: 0.01
      payload_hash: HASH
---
Say hello.
)";

constexpr const char* kMessage = R"({"from":"me@example.org","to":["you@example.org"],)"
                                 R"("subject":"Hello","body":"It works.\n"})";

// A shell at a terminal, on a session bus of its own with an unlocked keyring.
class Desk {
 public:
  Desk(const std::string& folder, std::map<std::string, std::string> environment)
      : pty_({"dbus-run-session", "--", "/bin/bash", "-c",
              "printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; "
              "mkdir fresh; cd fresh; PS1='ready> ' exec /bin/bash --norc"},
             folder, Environment(folder, std::move(environment))) {
    EXPECT_TRUE(pty_.WaitFor("ready> ")) << pty_.Screen();
  }

  // Types one command; the words it must show before the next prompt, in order.
  void Do(const std::string& command, const std::vector<std::string>& words) {
    ++commands_;
    pty_.Type(command + "\n");
    for (const std::string& one : words) {
      ASSERT_TRUE(pty_.WaitFor(one)) << command << ": no \"" << one << "\" in\n" << pty_.Screen();
    }
    ASSERT_TRUE(pty_.WaitFor("ready> ")) << command << "\n" << pty_.Screen();
  }
  // Types one command that asks: each pair is what must appear and what is typed then.
  void Answer(const std::string& command,
              const std::vector<std::pair<std::string, std::string>>& dialogue,
              const std::string& last) {
    ++commands_;
    pty_.Type(command + "\n");
    for (const auto& [prompt, answer] : dialogue) {
      ASSERT_TRUE(pty_.WaitFor(prompt)) << command << ": no \"" << prompt << "\" in\n"
                                        << pty_.Screen();
      pty_.TypeLater(answer + "\n");
    }
    ASSERT_TRUE(pty_.WaitFor(last)) << command << "\n" << pty_.Screen();
    ASSERT_TRUE(pty_.WaitFor("ready> ")) << command << "\n" << pty_.Screen();
  }

  const std::string& Screen() const { return pty_.Screen(); }
  int commands() const { return commands_; }

 private:
  static std::map<std::string, std::string> Environment(
      const std::string& folder, std::map<std::string, std::string> environment) {
    const std::string run = folder + "/run";
    ::mkdir(run.c_str(), 0700);
    environment["HOME"] = folder;
    environment["XDG_RUNTIME_DIR"] = run;
    environment["XDG_DATA_HOME"] = folder + "/data";
    environment["PATH"] = std::string(APPROVAL_BIN_DIR) + ":/usr/bin:/bin";
    return environment;
  }

  Pty pty_;
  int commands_ = 0;
};

TEST(Newcomer, NineCommandsLeadFromNothingToASentMailEachNamingTheNext) {
  testing::Story story;
  story.folder().Write("task-1.md", kTask);
  story.folder().Write("message.json", kMessage);
  std::map<std::string, std::string> environment;
  environment["SSL_CERT_FILE"] = story.environment()["SSL_CERT_FILE"];
  Desk desk(story.folder().path(), environment);
  desk.Do("approval init", {"next:", "approval setup"});
  desk.Answer("approval setup",
              {{"Your name", "alice"},
               {"Number: ", "6"},
               {"server", "localhost"},
               {"port", std::to_string(story.mail_port())},
               {"security", ""},
               {"user", "robot"},
               {"password", "a long password"},
               {"Nothing is sent. [Y/n]", ""}},
              "next: eval \"$(approval env)\"");
  desk.Do("eval \"$(approval env)\" && approval policy attest", {"next:", "approval register"});
  desk.Do("sed -i s/HASH/$(approval payload hash ../message.json)/ ../task-1.md", {});
  desk.Do("approval register ../task-1.md --as agent:robot", {"next:", "approval request"});
  desk.Do("approval request task-1 --action task-1:send --payload ../message.json --as agent:robot",
          {"next:", "approval wait"});
  desk.Do("approval grant task-1:send", {"next:", "approval adapter"});
  desk.Do("approval adapter email task-1:send --payload ../message.json --as agent:robot",
          {"sent by email"});
  desk.Do("approval log verify", {"clean"});
  EXPECT_LE(desk.commands(), 9);
  ASSERT_EQ(story.CountMails(), 1U) << desk.Screen();
  const base::Json received = story.ReceivedMail();
  EXPECT_EQ(base::StringMember(received.get_object(), "subject"), "Hello");
  EXPECT_EQ(desk.Screen().find("a long password"), std::string::npos);
}

}  // namespace
}  // namespace approval
