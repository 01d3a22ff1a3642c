#include "vault/adapters/email/smtp_session.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>

#include "core/base/encoding.h"
#include "vault/adapters/email/smtp_dialogue.h"

namespace approval::adapters::email {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// How long the answer to QUIT may hold up a session whose outcome is known.
constexpr milliseconds kQuitGrace{2000};

struct CurlFree {
  void operator()(CURL* held) const { curl_easy_cleanup(held); }
  void operator()(CURLU* held) const { curl_url_cleanup(held); }
  void operator()(curl_slist* held) const { curl_slist_free_all(held); }
};
struct MultiFree {
  void operator()(CURLM* held) const { curl_multi_cleanup(held); }
};

// Everything that the callbacks see of one connection.
struct Watched {
  SmtpDialogue dialogue;
  std::string_view message{};
  std::size_t handed = 0;
  bool end_handed = false;
  bool only_loopback = false;
  bool left_loopback = false;
  bool timed_out = false;
  bool settled = false;  // the outcome is known, only the farewell is left
  steady_clock::time_point deadline{};
  milliseconds after_dot{};
  std::set<curl_socket_t> sockets{};

  // Nothing more leaves or arrives, whatever the library still wants to say.
  void CutOff() const {
    for (const curl_socket_t socket : sockets) ::shutdown(socket, SHUT_RDWR);
  }
  bool Over() {
    if (steady_clock::now() < deadline) return false;
    timed_out = !settled;
    CutOff();
    return true;
  }
  void Settle() {
    if (settled) return;
    settled = true;
    deadline = steady_clock::now() + kQuitGrace;
  }
};

Watched& From(void* at) { return *static_cast<Watched*>(at); }

std::size_t TakeHeader(char* data, std::size_t size, std::size_t count, void* at) {
  Watched& watched = From(at);
  if (watched.dialogue.TakeReplyLine({data, size * count})) {
    if (watched.dialogue.accepted()) watched.Settle();
    return size * count;
  }
  watched.CutOff();
  return 0;
}

std::size_t HandOver(char* to, std::size_t size, std::size_t count, void* at) {
  Watched& watched = From(at);
  const std::string_view left = watched.message.substr(watched.handed);
  const std::size_t taken = std::min(size * count, left.size());
  if (taken == 0) {
    // From here on the final dot may be on its way.
    watched.end_handed = true;
    watched.deadline = steady_clock::now() + watched.after_dot;
    return 0;
  }
  std::memcpy(to, left.data(), taken);
  watched.handed += taken;
  return taken;
}

std::size_t Discard(char*, std::size_t size, std::size_t count, void*) { return size * count; }

int Progress(void* at, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return From(at).Over() ? 1 : 0;
}

int Observe(CURL*, curl_infotype type, char* data, std::size_t size, void* at) {
  if (type == CURLINFO_HEADER_OUT) From(at).dialogue.TakeCommand({data, size});
  return 0;
}

bool IsLoopback(const sockaddr& address) {
  if (address.sa_family == AF_INET) {
    sockaddr_in four{};
    std::memcpy(&four, &address, sizeof four);
    return (ntohl(four.sin_addr.s_addr) >> 24) == 127;
  }
  sockaddr_in6 six{};
  std::memcpy(&six, &address, sizeof six);
  return address.sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&six.sin6_addr);
}

curl_socket_t OpenSocket(void* at, curlsocktype, curl_sockaddr* address) {
  Watched& watched = From(at);
  if (watched.only_loopback && !IsLoopback(address->addr)) {
    watched.left_loopback = true;
    return CURL_SOCKET_BAD;
  }
  const curl_socket_t socket =
      ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
  if (socket >= 0) watched.sockets.insert(socket);
  return socket;
}

int CloseSocket(void* at, curl_socket_t socket) {
  From(at).sockets.erase(socket);
  return ::close(socket);
}

struct Outcome {
  CURLcode code = CURLE_OK;
  std::string detail;  // the library's own words
};

class Connection {
 public:
  Connection(const SmtpServer& server, const SmtpLimits& limits, Watched& watched)
      : watched_(watched), easy_(curl_easy_init()), url_(curl_url()) {
    const std::string ehlo = server.ehlo_name.empty() ? OwnEhloName() : server.ehlo_name;
    const bool bare_v6 = server.host.find(':') != std::string::npos && server.host.front() != '[';
    const std::string host = bare_v6 ? "[" + server.host + "]" : server.host;
    const bool implicit = server.security == SmtpSecurity::kImplicit;
    usable_ = Part(CURLUPART_SCHEME, implicit ? "smtps" : "smtp") && Part(CURLUPART_HOST, host) &&
              Part(CURLUPART_PORT, std::to_string(server.port)) &&
              Part(CURLUPART_PATH, "/" + base::PercentEncode(ehlo, ".-"));
    Set(CURLOPT_CURLU, url_.get());
    Set(CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    Set(CURLOPT_PROXY, "");
    Set(CURLOPT_NOSIGNAL, 1L);
    Set(CURLOPT_QUICK_EXIT, 1L);
    Set(CURLOPT_FORBID_REUSE, 1L);
    Set(CURLOPT_FRESH_CONNECT, 1L);
    Set(CURLOPT_USE_SSL,
        server.security == SmtpSecurity::kNone ? long{CURLUSESSL_NONE} : long{CURLUSESSL_ALL});
    Set(CURLOPT_SSL_VERIFYPEER, 1L);
    Set(CURLOPT_SSL_VERIFYHOST, 2L);
    Set(CURLOPT_SSLVERSION, long{CURL_SSLVERSION_TLSv1_2});
    if (!server.ca_file.empty()) {
      Set(CURLOPT_CAINFO, server.ca_file.c_str());
      Set(CURLOPT_CAPATH, static_cast<const char*>(nullptr));
    }
    // Our own deadline is the shorter one; these only keep the library's defaults out of the way.
    const std::int64_t longest = std::max(limits.timeout_ms, limits.after_dot_ms);
    Set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(limits.timeout_ms + 1000));
    Set(CURLOPT_SERVER_RESPONSE_TIMEOUT, static_cast<long>(longest / 1000 + 60));
    Set(CURLOPT_HEADERFUNCTION, &TakeHeader);
    Set(CURLOPT_HEADERDATA, &watched_);
    Set(CURLOPT_WRITEFUNCTION, &Discard);
    Set(CURLOPT_READFUNCTION, &HandOver);
    Set(CURLOPT_READDATA, &watched_);
    Set(CURLOPT_NOPROGRESS, 0L);
    Set(CURLOPT_XFERINFOFUNCTION, &Progress);
    Set(CURLOPT_XFERINFODATA, &watched_);
    Set(CURLOPT_VERBOSE, 1L);
    Set(CURLOPT_DEBUGFUNCTION, &Observe);
    Set(CURLOPT_DEBUGDATA, &watched_);
    Set(CURLOPT_OPENSOCKETFUNCTION, &OpenSocket);
    Set(CURLOPT_OPENSOCKETDATA, &watched_);
    Set(CURLOPT_CLOSESOCKETFUNCTION, &CloseSocket);
    Set(CURLOPT_CLOSESOCKETDATA, &watched_);
    Set(CURLOPT_ERRORBUFFER, error_.data());
  }

  void Login(const SmtpServer& server, bool with_login) {
    Set(CURLOPT_USERNAME, server.user.c_str());
    const base::Secret password(std::string(server.password.Reveal()));
    Set(CURLOPT_PASSWORD, password.Reveal().data());
    Set(CURLOPT_LOGIN_OPTIONS, with_login ? "AUTH=LOGIN" : "AUTH=PLAIN");
    Set(CURLOPT_SASL_IR, with_login ? 0L : 1L);
  }

  void Mail(const SmtpEnvelope& envelope) {
    Set(CURLOPT_MAIL_FROM, envelope.from.c_str());
    curl_slist* list = nullptr;
    for (const std::string& to : envelope.recipients) list = curl_slist_append(list, to.c_str());
    recipients_.reset(list);
    Set(CURLOPT_MAIL_RCPT, list);
    Set(CURLOPT_UPLOAD, 1L);
  }

  void Probe() {
    Set(CURLOPT_NOBODY, 1L);
    Set(CURLOPT_CUSTOMREQUEST, "QUIT");
  }

  Outcome Run() {
    if (!usable_) return {CURLE_URL_MALFORMAT, ""};
    const std::unique_ptr<CURLM, MultiFree> multi(curl_multi_init());
    curl_multi_add_handle(multi.get(), easy_.get());
    Outcome outcome{CURLE_ABORTED_BY_CALLBACK, ""};
    for (;;) {
      int running = 0;
      curl_multi_perform(multi.get(), &running);
      int queued = 0;
      if (const CURLMsg* done = curl_multi_info_read(multi.get(), &queued)) {
        outcome.code = done->data.result;
        break;
      }
      if (watched_.Over()) break;
      const auto left =
          std::chrono::duration_cast<milliseconds>(watched_.deadline - steady_clock::now());
      const auto wait = std::clamp<std::int64_t>(left.count() + 1, 1, 1000);
      curl_multi_poll(multi.get(), nullptr, 0, static_cast<int>(wait), nullptr);
    }
    curl_multi_remove_handle(multi.get(), easy_.get());
    outcome.detail = error_.data();
    return outcome;
  }

 private:
  template <typename T>
  void Set(CURLoption option, T value) {
    usable_ = curl_easy_setopt(easy_.get(), option, value) == CURLE_OK && usable_;
  }
  bool Part(CURLUPart part, const std::string& text) {
    return curl_url_set(url_.get(), part, text.c_str(), 0) == CURLUE_OK;
  }

  Watched& watched_;
  std::array<char, CURL_ERROR_SIZE> error_{};
  std::unique_ptr<CURL, CurlFree> easy_;
  std::unique_ptr<CURLU, CurlFree> url_;
  std::unique_ptr<curl_slist, CurlFree> recipients_;
  bool usable_ = true;
};

bool IsTlsCode(CURLcode code) {
  return code == CURLE_SSL_CONNECT_ERROR || code == CURLE_PEER_FAILED_VERIFICATION ||
         code == CURLE_USE_SSL_FAILED || code == CURLE_SSL_CACERT_BADFILE ||
         code == CURLE_SSL_CERTPROBLEM || code == CURLE_SSL_CIPHER ||
         code == CURLE_SSL_ISSUER_ERROR || code == CURLE_SSL_INVALIDCERTSTATUS ||
         code == CURLE_SSL_ENGINE_INITFAILED;
}

SmtpFailure TlsFailure(const Outcome& outcome) {
  std::string message = "TLS failed (" + outcome.detail + "); ";
  if (outcome.code == CURLE_PEER_FAILED_VERIFICATION) {
    message += "the certificate must be valid for smtp.host and from a trusted issuer";
  } else if (outcome.code == CURLE_SSL_CACERT_BADFILE) {
    message += "smtp.ca_file or SSL_CERT_FILE names no readable PEM file";
  } else {
    message += "check smtp.port and smtp.security: 465 goes with implicit, 587 with starttls";
  }
  return {"smtp-tls-failed", message};
}

// What went wrong when no reply says it.
SmtpFailure WithoutReply(const SmtpServer& server, const Watched& watched, const Outcome& outcome) {
  const bool implicit = server.security == SmtpSecurity::kImplicit;
  if (watched.timed_out || outcome.code == CURLE_OPERATION_TIMEDOUT) {
    return {"smtp-timeout", "the server did not answer in time"};
  }
  if (watched.left_loopback) {
    return {"smtp-tls-failed", "smtp.security none is for this machine only"};
  }
  if (outcome.code == CURLE_COULDNT_RESOLVE_HOST || outcome.code == CURLE_COULDNT_CONNECT) {
    const std::string what = "no connection to the host of smtp.host and smtp.port";
    return {implicit ? "smtp-tls-failed" : "smtp-connect-failed", what};
  }
  if (outcome.code == CURLE_URL_MALFORMAT) {
    return {"email-config-invalid", "smtp.host is not a host name"};
  }
  if (IsTlsCode(outcome.code) || (implicit && watched.dialogue.transcript().empty())) {
    return TlsFailure(outcome);
  }
  return {"smtp-protocol-error", "the session broke off (" + outcome.detail + ")"};
}

SmtpResult ResultOf(const SmtpServer& server, const Watched& watched, const Outcome& outcome) {
  SmtpResult result;
  const SmtpDialogue& dialogue = watched.dialogue;
  result.transcript = dialogue.transcript();
  result.secure = server.security != SmtpSecurity::kNone;
  result.auth = dialogue.mechanism();
  result.smtp_code = dialogue.final_code();
  if (dialogue.accepted()) {
    result.kind = SmtpResult::Kind::kSent;
    return result;
  }
  const SmtpFailure failure =
      dialogue.failure() ? *dialogue.failure() : WithoutReply(server, watched, outcome);
  result.code = failure.code;
  result.message = failure.message;
  // Only a refusal in so many words says that a message handed over whole was not taken.
  const bool refused = dialogue.final_code() >= 400 && dialogue.final_code() < 600;
  if (watched.end_handed && !refused) result.kind = SmtpResult::Kind::kUnknown;
  return result;
}

// A peer that is gone is an error of the write, not the end of the process. Only this thread's mask
// is touched, and what it raised itself is taken back.
class NoPipeSignal {
 public:
  NoPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoPipeSignal() {
    if (sigismember(&before_, SIGPIPE) == 0) {
      const timespec none{};
      ::sigtimedwait(&pipe_, nullptr, &none);
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;

 private:
  sigset_t pipe_{};
  sigset_t before_{};
};

void StartLibrary() {
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
}

// Envelope nothing: a probe.
SmtpResult RunSession(const SmtpServer& server, const SmtpEnvelope* envelope,
                      const std::string& message, const SmtpLimits& limits) {
  StartLibrary();
  const NoPipeSignal quiet;
  const bool login = !server.user.empty() && !server.password.empty();
  if (server.security == SmtpSecurity::kNone && (login || !IsLoopbackHost(server.host))) {
    SmtpResult result;
    result.code = "smtp-tls-failed";
    result.message = login ? "smtp.user and smtp.password are not sent without TLS"
                           : "smtp.security none is for this machine only";
    return result;
  }
  const auto deadline = steady_clock::now() + milliseconds(limits.timeout_ms);
  const auto attempt = [&](bool with_login, bool& may_try_login) {
    Watched watched{SmtpDialogue({server.security == SmtpSecurity::kStartTls, login, with_login,
                                  envelope != nullptr ? message.size() : 0})};
    watched.message = message;
    watched.only_loopback = server.security == SmtpSecurity::kNone;
    watched.deadline = deadline;
    watched.after_dot = milliseconds(limits.after_dot_ms);
    Outcome outcome;
    {
      Connection connection(server, limits, watched);
      if (login) connection.Login(server, with_login);
      if (envelope != nullptr) {
        connection.Mail(*envelope);
      } else {
        connection.Probe();
      }
      outcome = connection.Run();
    }
    may_try_login = watched.dialogue.may_try_login();
    SmtpResult result = ResultOf(server, watched, outcome);
    const bool farewell = watched.dialogue.step() == SmtpDialogue::Step::kQuit;
    if (envelope == nullptr && farewell && !watched.dialogue.failure()) {
      result.kind = SmtpResult::Kind::kSent;
      result.code.clear();
      result.message.clear();
    }
    return result;
  };
  bool may_try_login = false;
  SmtpResult result = attempt(false, may_try_login);
  // The library does not go on to LOGIN by itself; a session without a login has sent nothing.
  if (may_try_login && steady_clock::now() < deadline) {
    std::vector<std::string> before = std::move(result.transcript);
    result = attempt(true, may_try_login);
    before.insert(before.end(), result.transcript.begin(), result.transcript.end());
    result.transcript = std::move(before);
  }
  return result;
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
