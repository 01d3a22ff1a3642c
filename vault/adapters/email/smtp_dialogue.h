// What an SMTP server and this program said to each other, watched line by line (adapters.md 3.4).
//
// The dialogue is fed with every reply line and every command as they pass; it keeps the step and
// the transcript, and judges each reply. A reply that is not the one due, a line that is no reply,
// a reply without end and a server that offers no usable login are the end: the feeder must drop
// the connection. No argument of a command is kept. One thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vault/adapters/email/smtp_fault.h"

namespace approval::adapters::email {

// How this program logs in.
enum class SmtpLogin { kNone, kPlain, kLogin, kXoauth2 };

class SmtpDialogue {
 public:
  struct Expectation {
    bool tls_due = false;                // STARTTLS must come before anything that matters
    SmtpLogin login = SmtpLogin::kNone;  // any other: no mail before a 235
    std::size_t message_bytes = 0;
  };
  explicit SmtpDialogue(Expectation expected) : expected_(expected) {}

  // One line with its line end, as received. False: drop the connection.
  bool TakeReplyLine(std::string_view line);
  // One command with its line end, as sent.
  void TakeCommand(std::string_view line);

  enum class Step { kGreeting, kEhlo, kStartTls, kAuth, kMail, kRcpt, kData, kMessage, kQuit };
  Step step() const { return step_; }

  // The first thing that went wrong, if anything did.
  const std::optional<SmtpFailure>& failure() const { return failure_; }
  // The reply to the message, once it is whole. 0: none seen.
  int final_code() const { return final_code_; }
  bool accepted() const { return final_code_ == 250; }
  // `PLAIN`, `LOGIN` or `XOAUTH2`, after a 235.
  const std::optional<std::string>& mechanism() const { return mechanism_; }
  // PLAIN was refused by a reply or not offered, and LOGIN was.
  bool may_try_login() const {
    return expected_.login == SmtpLogin::kPlain && offers_login_ &&
           (plain_refused_ || !offers_plain_);
  }
  // The limit that the server announced for a message; 0: none.
  std::size_t size_limit() const { return size_limit_; }
  int last_code() const { return last_code_; }
  const std::vector<std::string>& transcript() const { return transcript_; }

 private:
  bool Fail(std::string code, std::string message, SmtpFault fault);
  bool Judge(int code);
  bool JudgeCapabilities();
  bool JudgeLogins();
  bool IsDue(int code) const;
  void TakeCapability(std::string_view text);

  Expectation expected_;
  Step step_ = Step::kGreeting;
  bool tls_ = false;
  bool first_line_ = true;  // of the reply under way
  std::string first_text_;
  std::size_t reply_bytes_ = 0;
  bool auth_line_ = false;
  bool offers_plain_ = false;
  bool offers_login_ = false;
  bool offers_xoauth2_ = false;
  std::size_t size_limit_ = 0;
  bool continuing_auth_ = false;
  bool plain_refused_ = false;
  std::string tried_;
  std::optional<std::string> mechanism_;
  int last_code_ = 0;
  int final_code_ = 0;
  std::vector<std::string> transcript_;
  std::optional<SmtpFailure> failure_;
};

}  // namespace approval::adapters::email
