#include "vault/adapters/email/smtp_session.h"

#include <openssl/x509_vfy.h>

#include <chrono>

#include "core/net/http_client.h"
#include "core/net/pipe_guard.h"
#include "vault/adapters/email/smtp_connection.h"

namespace approval::adapters::email {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

bool IsTlsCode(CURLcode code) {
  return code == CURLE_SSL_CONNECT_ERROR || code == CURLE_PEER_FAILED_VERIFICATION ||
         code == CURLE_USE_SSL_FAILED || code == CURLE_SSL_CACERT_BADFILE ||
         code == CURLE_SSL_CERTPROBLEM || code == CURLE_SSL_CIPHER ||
         code == CURLE_SSL_ISSUER_ERROR || code == CURLE_SSL_INVALIDCERTSTATUS ||
         code == CURLE_SSL_ENGINE_INITFAILED || code == CURLE_SSL_PINNEDPUBKEYNOTMATCH;
}

SmtpFault TlsFault(const Outcome& outcome) {
  if (outcome.code == CURLE_SSL_CACERT_BADFILE) return SmtpFault::kTrustFile;
  if (outcome.code == CURLE_SSL_PINNEDPUBKEYNOTMATCH) return SmtpFault::kPin;
  if (outcome.code == CURLE_USE_SSL_FAILED) return SmtpFault::kNoStartTls;
  if (outcome.code != CURLE_PEER_FAILED_VERIFICATION) return SmtpFault::kNoTls;
  // The library checks the name itself, after the chain was found good, and then tells no more than
  // its own preset.
  if (outcome.verify_result == X509_V_OK || outcome.verify_result == X509_V_ERR_UNSPECIFIED ||
      outcome.verify_result == X509_V_ERR_HOSTNAME_MISMATCH) {
    return SmtpFault::kCertificateName;
  }
  const bool dated = outcome.verify_result == X509_V_ERR_CERT_HAS_EXPIRED ||
                     outcome.verify_result == X509_V_ERR_CERT_NOT_YET_VALID;
  return dated ? SmtpFault::kCertificateExpired : SmtpFault::kCertificateIssuer;
}

SmtpFailure TlsFailure(const Outcome& outcome) {
  const SmtpFault fault = TlsFault(outcome);
  std::string message = "TLS failed (" + outcome.detail + "); ";
  if (outcome.code == CURLE_PEER_FAILED_VERIFICATION) {
    message += "the certificate must be valid for smtp.host and from a trusted issuer";
  } else if (fault == SmtpFault::kTrustFile) {
    message += "smtp.ca_file or SSL_CERT_FILE names no readable PEM file";
  } else if (fault == SmtpFault::kPin) {
    message += "the server's key is not the one of smtp.pin_file";
  } else {
    message += "check smtp.port and smtp.security: 465 goes with implicit, 587 with starttls";
  }
  return {"smtp-tls-failed", message, fault};
}

// What went wrong when no reply says it.
SmtpFailure WithoutReply(const SmtpServer& server, const Watched& watched, const Outcome& outcome) {
  const bool implicit = server.security == SmtpSecurity::kImplicit;
  if (watched.timed_out || outcome.code == CURLE_OPERATION_TIMEDOUT) {
    return {"smtp-timeout", "the server did not answer in time", SmtpFault::kTimeout};
  }
  if (watched.left_loopback) {
    return {"smtp-tls-failed", "smtp.security none is for this machine only", SmtpFault::kSettings};
  }
  if (outcome.code == CURLE_COULDNT_RESOLVE_HOST || outcome.code == CURLE_COULDNT_CONNECT) {
    const std::string what = "no connection to the host of smtp.host and smtp.port";
    return {implicit ? "smtp-tls-failed" : "smtp-connect-failed", what,
            outcome.code == CURLE_COULDNT_RESOLVE_HOST ? SmtpFault::kNameUnknown
                                                       : SmtpFault::kNoListener};
  }
  if (outcome.code == CURLE_URL_MALFORMAT) {
    return {"email-config-invalid", "smtp.host is not a host name", SmtpFault::kSettings};
  }
  if (IsTlsCode(outcome.code) || (implicit && watched.dialogue.transcript().empty())) {
    return TlsFailure(outcome);
  }
  return {"smtp-protocol-error", "the session broke off (" + outcome.detail + ")",
          SmtpFault::kProtocol};
}

SmtpResult ResultOf(const SmtpServer& server, const Watched& watched, const Outcome& outcome) {
  SmtpResult result;
  const SmtpDialogue& dialogue = watched.dialogue;
  result.transcript = dialogue.transcript();
  result.secure = server.security != SmtpSecurity::kNone;
  result.auth = dialogue.mechanism();
  result.smtp_code = dialogue.final_code();
  result.size_limit = dialogue.size_limit();
  result.step = dialogue.step();
  if (dialogue.accepted()) {
    result.kind = SmtpResult::Kind::kSent;
    return result;
  }
  const SmtpFailure failure =
      dialogue.failure() ? *dialogue.failure() : WithoutReply(server, watched, outcome);
  result.code = failure.code;
  result.message = failure.message;
  result.fault = failure.fault;
  if (failure.fault == SmtpFault::kCertificateName) {
    result.certificate_names = outcome.certificate_names;
  }
  // Only a refusal in so many words says that a message handed over whole was not taken.
  const bool refused = dialogue.final_code() >= 400 && dialogue.final_code() < 600;
  if (watched.end_handed && !refused) result.kind = SmtpResult::Kind::kUnknown;
  return result;
}

SmtpLogin FirstLogin(const SmtpServer& server) {
  if (!server.HasLogin()) return SmtpLogin::kNone;
  return server.oauth_token.empty() ? SmtpLogin::kPlain : SmtpLogin::kXoauth2;
}

// One session up to its end; envelope nothing: a probe.
class Session {
 public:
  Session(const SmtpServer& server, const SmtpEnvelope* envelope, const std::string& message,
          const SmtpLimits& limits)
      : server_(server),
        envelope_(envelope),
        message_(message),
        limits_(limits),
        deadline_(steady_clock::now() + milliseconds(limits.timeout_ms)) {}

  SmtpResult Go() {
    bool may_try_login = false;
    SmtpResult result = Attempt(FirstLogin(server_), may_try_login);
    // The library does not go on to LOGIN by itself; a session without a login has sent nothing.
    if (!may_try_login || steady_clock::now() >= deadline_) return result;
    std::vector<std::string> before = std::move(result.transcript);
    result = Attempt(SmtpLogin::kLogin, may_try_login);
    before.insert(before.end(), result.transcript.begin(), result.transcript.end());
    result.transcript = std::move(before);
    return result;
  }

 private:
  SmtpResult Attempt(SmtpLogin login, bool& may_try_login) const {
    Watched watched{SmtpDialogue({server_.security == SmtpSecurity::kStartTls, login,
                                  envelope_ != nullptr ? message_.size() : 0})};
    watched.message = message_;
    watched.only_loopback = server_.security == SmtpSecurity::kNone;
    watched.deadline = deadline_;
    watched.after_dot = milliseconds(limits_.after_dot_ms);
    Outcome outcome;
    {
      Connection connection(server_, limits_, watched);
      if (login != SmtpLogin::kNone) connection.Login(server_, login);
      if (envelope_ != nullptr) {
        connection.Mail(*envelope_);
      } else {
        connection.Probe();
      }
      outcome = connection.Run();
    }
    may_try_login = watched.dialogue.may_try_login();
    SmtpResult result = ResultOf(server_, watched, outcome);
    const bool farewell = watched.dialogue.step() == SmtpDialogue::Step::kQuit;
    if (envelope_ == nullptr && farewell && !watched.dialogue.failure()) {
      result.kind = SmtpResult::Kind::kSent;
      result.code.clear();
      result.message.clear();
      result.fault = SmtpFault::kNone;
    }
    return result;
  }

  const SmtpServer& server_;
  const SmtpEnvelope* envelope_;
  const std::string& message_;
  const SmtpLimits& limits_;
  steady_clock::time_point deadline_;
};

SmtpResult RunSession(const SmtpServer& server, const SmtpEnvelope* envelope,
                      const std::string& message, const SmtpLimits& limits) {
  net::StartLibrary();
  const net::PipeGuard guard;
  if (server.security == SmtpSecurity::kNone &&
      (server.HasLogin() || !IsLoopbackHost(server.host))) {
    SmtpResult result;
    result.code = "smtp-tls-failed";
    result.fault = SmtpFault::kSettings;
    result.message = server.HasLogin() ? "a login is not sent without TLS"
                                       : "smtp.security none is for this machine only";
    return result;
  }
  return Session(server, envelope, message, limits).Go();
}

}  // namespace

SmtpResult SendMessage(const SmtpServer& server, const SmtpEnvelope& envelope,
                       const std::string& message, const SmtpLimits& limits) {
  return RunSession(server, &envelope, message, limits);
}

SmtpResult ProbeServer(const SmtpServer& server, const SmtpLimits& limits) {
  return RunSession(server, nullptr, {}, limits);
}

}  // namespace approval::adapters::email
