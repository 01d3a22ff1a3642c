// One throwaway project with a real mail server beside it: the main job, driven as a user would.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "tests/support/background.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"

namespace approval::testing {

struct StoryOptions {
  std::string approvers;  // YAML lines for the policy, indented by nothing
  bool sealed = true;
  bool mail_server = true;
};

class Story {
 public:
  explicit Story(const StoryOptions& options = {});

  // `approval <arguments>` in the project, with the story's environment.
  RunResult Run(std::vector<std::string> arguments, const std::string& input = "");
  // The same with --json; the object it answered, from stdout or stderr. Fails the test when there
  // is none.
  base::JsonObject Json(std::vector<std::string> arguments, int exit = 0);

  // `approval up` with these flags, started, its JSON lines ready to read.
  std::unique_ptr<Background> Up(std::vector<std::string> flags);

  // Writes message.json, registers a task with one action that sends it, and requests it.
  void RequestMail(const std::string& task, const std::string& key, const base::Json& message);
  static base::Json SampleMail();

  // The one message that the mail server keeps, read by Python's parser: from, to, cc, bcc,
  // subject, body, message_id, envelope (list of recipients), tls, login. Null when nothing
  // arrived.
  base::Json ReceivedMail();
  std::size_t CountMails();

  // The log, proved: types of its events in order.
  std::vector<std::string> Events();
  std::string LogBytes();

  TempFolder& folder() { return folder_; }
  std::map<std::string, std::string>& environment() { return environment_; }
  Background* mail_server() { return mail_.get(); }
  int mail_port() const { return mail_port_; }

 private:
  void StartMailServer();
  void FillVault();

  TempFolder folder_;
  std::map<std::string, std::string> environment_;
  std::unique_ptr<Background> mail_;
  int mail_port_ = 0;
};

// Whether the mail in the box is the payload, field by field; the differences otherwise.
std::string DifferenceOf(const base::Json& payload, const base::Json& received);

}  // namespace approval::testing
