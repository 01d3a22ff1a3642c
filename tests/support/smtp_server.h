// A scripted SMTP server on a loopback port, over plain sockets and OpenSSL.
//
// A script answers command by command; what it does not script gets the ordinary answer of a server
// that accepts everything. The server serves connections one after another in its own thread and
// keeps what it saw. Destruction stops it.
#pragma once

#include <atomic>
#include <chrono>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tests/support/loopback.h"
#include "tests/support/temp_folder.h"

namespace approval::testing {

// A certificate authority made at run time, and a certificate for `localhost` from it, or one that
// no client may take.
class TestCertificates {
 public:
  enum class Kind { kGood, kExpired, kSelfSigned, kOtherName };
  explicit TestCertificates(Kind kind = Kind::kGood);
  std::string ca() const { return folder_.Path("ca.pem"); }
  std::string certificate() const { return folder_.Path("server.pem"); }
  std::string key() const { return folder_.Path("server.key"); }

 private:
  TempFolder folder_;
};

// Good ones, made once for the whole program.
const TestCertificates& Certificates();

struct SmtpScript {
  // Bytes sent instead of the ordinary answer. By step: "greeting", "EHLO", "EHLO2" (after
  // STARTTLS), "STARTTLS", "AUTH PLAIN", "AUTH XOAUTH2", "AUTH LOGIN", "user", "password", "MAIL",
  // "RCPT1", "RCPT2", ..., "DATA", "message", "QUIT". `<close>` closes, `<stall>` never answers,
  // `<wait>` before an answer holds it back for `wait`.
  std::map<std::string, std::string> answers;
  std::string capabilities = "PIPELINING\nSIZE 10485760\n8BITMIME\nSTARTTLS";
  std::string tls_capabilities = "PIPELINING\nSIZE 10485760\n8BITMIME\nAUTH PLAIN LOGIN";
  bool implicit_tls = false;
  std::chrono::milliseconds wait{0};
  // The connection is closed once so many bytes were taken from the client, or given to it, without
  // TLS.
  std::size_t takes = std::numeric_limits<std::size_t>::max();
  std::size_t gives = std::numeric_limits<std::size_t>::max();
};

class SmtpServer {
 public:
  SmtpServer(SmtpScript script, const TestCertificates& certificates);

  int port() const { return server_.port(); }
  int connections() const { return connections_; }
  // Commands in order, without line ends; the body is not among them.
  std::vector<std::string> commands() const;
  // The last body as sent, between the 354 and the final dot, dots still doubled.
  std::string data() const;
  bool data_complete() const { return data_complete_; }
  // Messages whose end arrived.
  std::size_t messages() const { return messages_; }

 private:
  void Talk(int socket);

  SmtpScript script_;
  std::string certificate_, key_;
  std::atomic<int> connections_{0};
  std::atomic<bool> data_complete_{false};
  std::atomic<std::size_t> messages_{0};
  mutable std::mutex mutex_;
  std::vector<std::string> commands_;
  std::string data_;
  LoopbackServer server_;
};

}  // namespace approval::testing
