#include "vault/adapters/email/smtp_dialogue.h"

#include <algorithm>

#include "core/base/encoding.h"
#include "core/base/json.h"
#include "core/base/utf8.h"

namespace approval::adapters::email {
namespace {

constexpr std::size_t kMaxQuotedLine = 120;
// An honest reply has a few lines; more is a server that does not stop talking.
constexpr std::size_t kMaxReply = std::size_t{64} << 10;

std::string_view WordOf(SmtpDialogue::Step step) {
  switch (step) {
    case SmtpDialogue::Step::kGreeting:
      return "greeting";
    case SmtpDialogue::Step::kEhlo:
      return "EHLO";
    case SmtpDialogue::Step::kStartTls:
      return "STARTTLS";
    case SmtpDialogue::Step::kAuth:
      return "AUTH";
    case SmtpDialogue::Step::kMail:
      return "MAIL FROM";
    case SmtpDialogue::Step::kRcpt:
      return "RCPT TO";
    case SmtpDialogue::Step::kData:
      return "DATA";
    case SmtpDialogue::Step::kMessage:
      return "message";
    case SmtpDialogue::Step::kQuit:
      return "QUIT";
  }
  return "";
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool StartsWith(std::string_view text, std::string_view with) {
  return text.substr(0, with.size()) == with;
}

std::string Quoted(std::string_view line) {
  const std::string text = base::ReplaceIllFormed(line.substr(0, kMaxQuotedLine));
  return base::ToText(base::Json(text));
}

}  // namespace

bool SmtpDialogue::Fail(std::string code, std::string message, SmtpFault fault) {
  if (!failure_) failure_ = SmtpFailure{std::move(code), std::move(message), fault};
  return false;
}

void SmtpDialogue::TakeCommand(std::string_view line) {
  if (step_ == Step::kAuth && continuing_auth_) return;  // an answer to a challenge
  if (StartsWith(line, "EHLO ") || StartsWith(line, "HELO ")) {
    step_ = Step::kEhlo;
    auth_line_ = offers_plain_ = offers_login_ = offers_xoauth2_ = false;
    size_limit_ = 0;
  } else if (StartsWith(line, "STARTTLS")) {
    step_ = Step::kStartTls;
  } else if (StartsWith(line, "AUTH ")) {
    step_ = Step::kAuth;
    const std::string_view rest = line.substr(5);
    tried_ = rest.substr(0, rest.find_first_of(" \r\n"));
  } else if (StartsWith(line, "MAIL FROM:")) {
    step_ = Step::kMail;
  } else if (StartsWith(line, "RCPT TO:")) {
    step_ = Step::kRcpt;
  } else if (StartsWith(line, "DATA")) {
    step_ = Step::kData;
  } else if (StartsWith(line, "QUIT")) {
    step_ = Step::kQuit;
  }
}

// Exactly the spellings that libcurl acts on: whatever else a server writes counts as no offer.
void SmtpDialogue::TakeCapability(std::string_view text) {
  if (StartsWith(text, "SIZE ")) {
    size_limit_ = 0;
    for (const char c : text.substr(5)) {
      if (!IsDigit(c) || size_limit_ > (std::size_t{1} << 50)) break;
      size_limit_ = size_limit_ * 10 + static_cast<std::size_t>(c - '0');
    }
  }
  if (!StartsWith(text, "AUTH ")) return;
  auth_line_ = true;
  text.remove_prefix(5);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    offers_plain_ = offers_plain_ || text.substr(0, end) == "PLAIN";
    offers_login_ = offers_login_ || text.substr(0, end) == "LOGIN";
    offers_xoauth2_ = offers_xoauth2_ || text.substr(0, end) == "XOAUTH2";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

bool SmtpDialogue::TakeReplyLine(std::string_view line) {
  if (failure_) return false;
  reply_bytes_ += line.size();
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
  if (step_ == Step::kQuit) return true;
  const bool coded = line.size() >= 3 && std::all_of(line.begin(), line.begin() + 3, IsDigit) &&
                     (line.size() == 3 || line[3] == ' ' || line[3] == '-');
  if (!coded) {
    return Fail("smtp-protocol-error", "the server sent no SMTP reply: " + Quoted(line),
                SmtpFault::kProtocol);
  }
  if (reply_bytes_ > kMaxReply) {
    return Fail("smtp-protocol-error", "the server's reply does not end", SmtpFault::kProtocol);
  }
  const std::string_view text = line.substr(std::min<std::size_t>(4, line.size()));
  const bool continues = line.size() > 3 && line[3] == '-';
  if (first_line_) {
    first_text_ = base::ReplaceIllFormed(text);
  } else if (step_ == Step::kEhlo) {
    TakeCapability(text);
  }
  first_line_ = false;
  if (continues) return true;
  first_line_ = true;
  reply_bytes_ = 0;
  return Judge((line[0] - '0') * 100 + (line[1] - '0') * 10 + (line[2] - '0'));
}

bool SmtpDialogue::IsDue(int code) const {
  switch (step_) {
    case Step::kGreeting:
    case Step::kStartTls:
      return code == 220;
    case Step::kEhlo:
    case Step::kMail:
    case Step::kMessage:
      return code == 250;
    case Step::kAuth:
      return code == 235 || code == 334;
    case Step::kRcpt:
      return code == 250 || code == 251;
    case Step::kData:
      return code == 354;
    case Step::kQuit:
      return true;
  }
  return false;
}

bool SmtpDialogue::Judge(int code) {
  last_code_ = code;
  transcript_.push_back(std::string(WordOf(step_)) + " " + std::to_string(code));
  if (step_ == Step::kMessage) final_code_ = code;
  if (!IsDue(code)) {
    plain_refused_ = step_ == Step::kAuth && tried_ == "PLAIN";
    return Fail(
        "smtp-" + std::to_string(code),
        std::string(WordOf(step_)) + " refused: " + std::to_string(code) + " " + first_text_,
        SmtpFault::kReply);
  }
  if (step_ == Step::kAuth && code == 334 && tried_ == "XOAUTH2") {
    // The token went along already: a challenge is the refusal, and says why in base64.
    const std::string why = base::Base64Decode(first_text_).value_or(first_text_);
    return Fail("smtp-334", "AUTH refused: 334 " + Quoted(why), SmtpFault::kToken);
  }
  continuing_auth_ = step_ == Step::kAuth && code == 334;
  if (step_ == Step::kStartTls) tls_ = true;
  if (step_ == Step::kAuth && code == 235) mechanism_ = tried_;
  if (step_ == Step::kEhlo) return JudgeCapabilities();
  if (step_ == Step::kMail && expected_.login != SmtpLogin::kNone && !mechanism_) {
    return Fail("smtp-protocol-error", "the server took a sender without the login",
                SmtpFault::kNoAuth);
  }
  if (step_ == Step::kData) step_ = Step::kMessage;
  return true;
}

bool SmtpDialogue::JudgeCapabilities() {
  if (expected_.tls_due && !tls_) return true;  // STARTTLS first; libcurl sees to it
  if (!JudgeLogins()) return false;
  if (size_limit_ > 0 && expected_.message_bytes > size_limit_) {
    return Fail("smtp-message-too-large",
                "the server takes at most " + std::to_string(size_limit_) +
                    " bytes and the message has " + std::to_string(expected_.message_bytes) +
                    "; nothing was sent",
                SmtpFault::kTooLarge);
  }
  return true;
}

bool SmtpDialogue::JudgeLogins() {
  bool offered = true;
  switch (expected_.login) {
    case SmtpLogin::kNone:
      return true;
    case SmtpLogin::kPlain:
      offered = offers_plain_;
      break;
    case SmtpLogin::kLogin:
      offered = offers_login_;
      break;
    case SmtpLogin::kXoauth2:
      offered = offers_xoauth2_;
      break;
  }
  if (offered) return true;
  if (!auth_line_) {
    return Fail("smtp-protocol-error", "the server offers no login, and smtp.user is set",
                SmtpFault::kNoAuth);
  }
  if (expected_.login == SmtpLogin::kXoauth2) {
    return Fail("smtp-protocol-error", "the server does not offer XOAUTH2",
                SmtpFault::kNoMechanism);
  }
  return Fail("smtp-protocol-error", "the server offers neither PLAIN nor LOGIN",
              offers_xoauth2_ ? SmtpFault::kNoPassword : SmtpFault::kNoMechanism);
}

}  // namespace approval::adapters::email
