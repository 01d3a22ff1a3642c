// What can go wrong in an SMTP session, told apart finely enough to advise a person (adapters.md
// 3.4, 9.2).
#pragma once

#include <string>

namespace approval::adapters::email {

enum class SmtpFault {
  kNone,
  kReply,              // the server refused a step in so many words
  kProtocol,           // it said what is no SMTP, or hung up
  kTimeout,            // it did not answer in time
  kNameUnknown,        // its name has no address
  kNoListener,         // nothing takes connections there
  kNoStartTls,         // TLS is due and not offered
  kNoTls,              // the other side does not speak TLS where it is due
  kCertificateName,    // the certificate is for other names
  kCertificateIssuer,  // nobody trusted signed it
  kCertificateExpired,
  kTrustFile,    // the file of trusted issuers cannot be used
  kPin,          // the server's key is not the pinned one
  kNoAuth,       // a login is due and none is offered
  kNoPassword,   // of the offered logins none takes a password; XOAUTH2 is among them
  kNoMechanism,  // none of the offered logins is one of ours
  kToken,        // the access token was not taken
  kTooLarge,     // the message is over the announced limit
  kSettings,     // refused before connecting
};

struct SmtpFailure {
  std::string code;  // `smtp-535`, `smtp-protocol-error`, ...
  std::string message;
  SmtpFault fault = SmtpFault::kReply;
};

}  // namespace approval::adapters::email
