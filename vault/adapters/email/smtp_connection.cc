#include "vault/adapters/email/smtp_connection.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "core/base/encoding.h"

namespace approval::adapters::email {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// How long the answer to QUIT may hold up a session whose outcome is known.
constexpr milliseconds kQuitGrace{2000};

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

// The names that the first certificate of the chain is for.
std::string CertificateNames(CURL* easy) {
  constexpr std::string_view kField = "X509v3 Subject Alternative Name:";
  constexpr std::size_t kMaxNames = 300;
  curl_certinfo* info = nullptr;
  if (curl_easy_getinfo(easy, CURLINFO_CERTINFO, &info) != CURLE_OK || info == nullptr) return "";
  if (info->num_of_certs < 1) return "";
  for (const curl_slist* line = info->certinfo[0]; line != nullptr; line = line->next) {
    const std::string_view text(line->data);
    if (text.substr(0, kField.size()) == kField) {
      return std::string(text.substr(kField.size(), kMaxNames));
    }
  }
  return "";
}

}  // namespace

void Watched::CutOff() const {
  for (const curl_socket_t socket : sockets) ::shutdown(socket, SHUT_RDWR);
}

bool Watched::Over() {
  if (steady_clock::now() < deadline) return false;
  timed_out = !settled;
  CutOff();
  return true;
}

void Watched::Settle() {
  if (settled) return;
  settled = true;
  deadline = steady_clock::now() + kQuitGrace;
}

Connection::Connection(const SmtpServer& server, const SmtpLimits& limits, Watched& watched)
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
  SetTrust(server);
  // Our own deadline is the shorter one; these only keep the library's defaults out of the way.
  const std::int64_t longest = std::max(limits.timeout_ms, limits.after_dot_ms);
  Set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(limits.timeout_ms + 1000));
  Set(CURLOPT_SERVER_RESPONSE_TIMEOUT, static_cast<long>(longest / 1000 + 60));
  SetCallbacks();
}

void Connection::SetTrust(const SmtpServer& server) {
  Set(CURLOPT_SSL_VERIFYPEER, 1L);
  Set(CURLOPT_SSL_VERIFYHOST, 2L);
  Set(CURLOPT_SSLVERSION, long{CURL_SSLVERSION_TLSv1_2});
  if (!server.ca_file.empty()) {
    Set(CURLOPT_CAINFO, server.ca_file.c_str());
    Set(CURLOPT_CAPATH, static_cast<const char*>(nullptr));
  }
  if (!server.pins.empty()) Set(CURLOPT_PINNEDPUBLICKEY, server.pins.c_str());
  Set(CURLOPT_CERTINFO, 1L);
}

void Connection::SetCallbacks() {
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

void Connection::Login(const SmtpServer& server, SmtpLogin login) {
  const bool by_token = login == SmtpLogin::kXoauth2;
  Set(CURLOPT_USERNAME, server.user.c_str());
  const base::Secret& secret = by_token ? server.oauth_token : server.password;
  Set(by_token ? CURLOPT_XOAUTH2_BEARER : CURLOPT_PASSWORD, secret.Reveal().data());
  Set(CURLOPT_LOGIN_OPTIONS, by_token                     ? "AUTH=XOAUTH2"
                             : login == SmtpLogin::kLogin ? "AUTH=LOGIN"
                                                          : "AUTH=PLAIN");
  Set(CURLOPT_SASL_IR, login == SmtpLogin::kLogin ? 0L : 1L);
}

void Connection::Mail(const SmtpEnvelope& envelope) {
  Set(CURLOPT_MAIL_FROM, envelope.from.c_str());
  curl_slist* list = nullptr;
  for (const std::string& to : envelope.recipients) list = curl_slist_append(list, to.c_str());
  recipients_.reset(list);
  Set(CURLOPT_MAIL_RCPT, list);
  Set(CURLOPT_UPLOAD, 1L);
}

void Connection::Probe() {
  Set(CURLOPT_NOBODY, 1L);
  Set(CURLOPT_CUSTOMREQUEST, "QUIT");
}

Outcome Connection::Run() {
  if (!usable_) return {CURLE_URL_MALFORMAT, 0, "", ""};
  const std::unique_ptr<CURLM, MultiFree> multi(curl_multi_init());
  curl_multi_add_handle(multi.get(), easy_.get());
  Outcome outcome{CURLE_ABORTED_BY_CALLBACK, 0, "", ""};
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
  curl_easy_getinfo(easy_.get(), CURLINFO_SSL_VERIFYRESULT, &outcome.verify_result);
  outcome.certificate_names = CertificateNames(easy_.get());
  curl_multi_remove_handle(multi.get(), easy_.get());
  outcome.detail = error_.data();
  return outcome;
}

}  // namespace approval::adapters::email
