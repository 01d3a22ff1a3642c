#include "vault/adapters/email/smtp_advice.h"

#include <algorithm>
#include <initializer_list>

#include "core/base/utf8.h"

namespace approval::adapters::email {
namespace {

using Step = SmtpDialogue::Step;

bool Mentions(const std::string& lower, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

bool IsUnder(const std::string& host, std::string_view domain) {
  return host == domain || (host.size() > domain.size() && host.ends_with(domain) &&
                            host[host.size() - domain.size() - 1] == '.');
}

// Where the provider of a host makes passwords for programs.
std::string AppPasswordAt(const std::string& host) {
  if (IsUnder(host, "gmail.com") || IsUnder(host, "google.com")) {
    return "with two-step verification on, make one at myaccount.google.com/apppasswords";
  }
  if (IsUnder(host, "me.com") || IsUnder(host, "icloud.com")) {
    return "make one at account.apple.com under Sign-In and Security, App-Specific Passwords";
  }
  if (IsUnder(host, "yahoo.com")) {
    return "make one in the Yahoo account under Security, Generate app password";
  }
  if (IsUnder(host, "fastmail.com")) {
    return "make one at Fastmail under Settings, Privacy & Security, App passwords, with SMTP";
  }
  return "make one in the security settings of the mail account";
}

std::string MixedPorts(const SmtpServer& server) {
  if (server.security == SmtpSecurity::kImplicit) {
    return "the server does not begin with TLS on this port: set smtp.security to starttls (the "
           "usual choice for port 587), or smtp.port to 465";
  }
  return "this port seems to begin with TLS at once: set smtp.security to implicit (the usual "
         "choice for port 465), or smtp.port to 587";
}

std::string OfTimeout(const SmtpServer& server, const SmtpResult& failed) {
  const bool silent = failed.transcript.empty();
  if (silent && server.security != SmtpSecurity::kImplicit && server.port == 465) {
    return MixedPorts(server);
  }
  if (silent) {
    return "nothing came back in time: a firewall may swallow the connection (many networks block "
           "port 25), or the port is another service's; check smtp.host, smtp.port and "
           "smtp.security";
  }
  return "the server is slow: try again, or allow more with --timeout";
}

std::string OfCertificate(const SmtpServer& server, const SmtpResult& failed) {
  if (failed.fault == SmtpFault::kCertificateName) {
    const std::string names =
        failed.certificate_names.empty() ? "other names" : failed.certificate_names;
    return "the certificate is for " + names + " and not for " + server.host +
           ": set smtp.host to a name that it is for";
  }
  if (failed.fault == SmtpFault::kCertificateExpired) {
    return "the certificate is outside its dates: check this machine's clock, else the server's "
           "owner must renew it";
  }
  if (IsLoopbackHost(server.host)) {
    return "a server on this machine signs for itself: export its certificate as PEM (Proton Mail "
           "Bridge: Settings, Advanced, Export TLS certificates) and store the file's path as "
           "smtp.ca_file";
  }
  return "the certificate is self-signed or of a private issuer: get the issuer's certificate as "
         "PEM from the server's owner and store the file's path as smtp.ca_file";
}

std::string OfLogin(const SmtpServer& server, const SmtpResult& failed) {
  const std::string host = base::AsciiLower(server.host);
  const std::string said = base::AsciiLower(failed.message);
  if (Mentions(said, {"5.7.139", "basic authentication is disabled",
                      "smtpclientauthentication is disabled"})) {
    return "the provider has switched off logins by password: set smtp.auth to xoauth2 and store "
           "an "
           "access token as smtp.oauth_token, or have the administrator allow SMTP AUTH for the "
           "mailbox";
  }
  if (!server.oauth_token.empty()) {
    return "the access token was not taken: it has expired, is for another user than smtp.user, or "
           "lacks the right to send (https://mail.google.com/ at Google, SMTP.Send at Microsoft); "
           "store a fresh one as smtp.oauth_token";
  }
  if (failed.smtp_code == 454 || Mentions(said, {"refused: 454", "refused: 421"})) {
    return "the server cannot check logins just now: try again in some minutes";
  }
  const bool app_password = Mentions(said, {"application-specific", "app password", "app-specific",
                                            "5.7.9", "invalidsecondfactor"}) ||
                            IsUnder(host, "gmail.com") || IsUnder(host, "me.com") ||
                            IsUnder(host, "icloud.com") || IsUnder(host, "yahoo.com") ||
                            IsUnder(host, "fastmail.com");
  if (app_password) {
    return "the provider wants an app password instead of the account's own: " +
           AppPasswordAt(host) + ", and store it as smtp.password";
  }
  return "check smtp.user (often the whole address) and smtp.password; a provider with two-step "
         "verification wants an app password: " +
         AppPasswordAt(host);
}

std::string OfReply(const SmtpServer& server, const SmtpResult& failed) {
  const std::string said = base::AsciiLower(failed.message);
  if (failed.step == Step::kEhlo ||
      Mentions(said, {"helo command rejected", "helo name", "bad helo"})) {
    return "the server does not like this machine's name: set smtp.ehlo_name to a full host name "
           "that has an address, or to the public address in brackets such as [192.0.2.1]";
  }
  if (failed.step == Step::kAuth) return OfLogin(server, failed);
  if (failed.step == Step::kGreeting) {
    return "the server refuses this machine or is busy: use the provider's server for outgoing "
           "mail "
           "(port 587 or 465), or try again later";
  }
  if (failed.step == Step::kStartTls)
    return "the server cannot begin TLS just now: try again later";
  return "";
}

}  // namespace

std::string AdviceFor(const SmtpServer& server, const SmtpResult& failed) {
  switch (failed.fault) {
    case SmtpFault::kNone:
    case SmtpFault::kSettings:
      return "";
    case SmtpFault::kReply:
      return OfReply(server, failed);
    case SmtpFault::kProtocol:
      if (!failed.transcript.empty()) return "";
      if (server.port == 465 && server.security != SmtpSecurity::kImplicit) {
        return MixedPorts(server);
      }
      return "what answers there is no mail server, or hangs up at once: check smtp.host and "
             "smtp.port";
    case SmtpFault::kTimeout:
      return OfTimeout(server, failed);
    case SmtpFault::kNameUnknown:
      return "the name has no address: check the spelling of smtp.host, and that this machine can "
             "look names up";
    case SmtpFault::kNoListener:
      if (IsLoopbackHost(server.host)) {
        return "nothing listens on this port of this machine: start the server (Proton Mail Bridge "
               "listens on 1025 while it runs), or correct smtp.port";
      }
      return "nothing takes connections there: check smtp.port (587 with starttls, 465 with "
             "implicit); many networks block port 25";
    case SmtpFault::kNoStartTls:
      return "the server offers no STARTTLS on this port: set smtp.port to 465 and smtp.security "
             "to "
             "implicit, or take another port";
    case SmtpFault::kNoTls:
      return MixedPorts(server);
    case SmtpFault::kCertificateName:
    case SmtpFault::kCertificateIssuer:
    case SmtpFault::kCertificateExpired:
      return OfCertificate(server, failed);
    case SmtpFault::kTrustFile:
      return "the file of smtp.ca_file, else of SSL_CERT_FILE, must hold PEM certificates that "
             "this "
             "user may read";
    case SmtpFault::kPin:
      return "the server has another key than the pinned one: when its owner says that it was "
             "renewed, store the new certificate in the file of smtp.pin_file; else do not log in";
    case SmtpFault::kNoAuth:
      return "this port takes no logins (port 25 seldom does): use 587 or 465, or remove smtp.user "
             "and smtp.password when the server needs none";
    case SmtpFault::kNoPassword:
      return "the provider takes access tokens only: set smtp.auth to xoauth2 and store a token as "
             "smtp.oauth_token";
    case SmtpFault::kNoMechanism:
      return server.oauth_token.empty()
                 ? "the server wants a way to log in that is not supported (PLAIN, LOGIN and "
                   "XOAUTH2 are); take another port of it"
                 : "the server takes no access tokens: set smtp.auth to password";
    case SmtpFault::kToken:
      return OfLogin(server, failed);
    case SmtpFault::kTooLarge:
      return "send the files another way, or several mails";
  }
  return "";
}

}  // namespace approval::adapters::email
