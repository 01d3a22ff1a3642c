#include "tests/support/smtp_server.h"

#include <gtest/gtest.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstdlib>
#include <thread>
#include <utility>

namespace approval::testing {
namespace {

void Shell(const std::string& command) {
  ASSERT_EQ(std::system((command + " >/dev/null 2>&1").c_str()), 0) << command;
}

// Bytes in and out of one connection, with or without TLS.
class Wire {
 public:
  Wire(int socket, const SmtpScript& script)
      : socket_(socket), takes_(script.takes), gives_(script.gives) {}
  ~Wire() {
    if (ssl_ != nullptr) SSL_free(ssl_);
    if (context_ != nullptr) SSL_CTX_free(context_);
  }
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;

  bool Secure(const std::string& certificate, const std::string& key) {
    context_ = SSL_CTX_new(TLS_server_method());
    SSL_CTX_use_certificate_chain_file(context_, certificate.c_str());
    SSL_CTX_use_PrivateKey_file(context_, key.c_str(), SSL_FILETYPE_PEM);
    ssl_ = SSL_new(context_);
    SSL_set_fd(ssl_, socket_);
    buffer_.clear();
    const bool ok = SSL_accept(ssl_) == 1;
    ERR_clear_error();
    return ok;
  }

  bool Line(std::string& line) {
    for (;;) {
      const std::size_t end = buffer_.find("\r\n");
      if (end != std::string::npos) {
        line = buffer_.substr(0, end);
        buffer_.erase(0, end + 2);
        return true;
      }
      char block[4096];
      const std::size_t room = std::min(sizeof block, takes_);
      if (room == 0) return false;
      const long got =
          ssl_ != nullptr ? SSL_read(ssl_, block, sizeof block) : ::recv(socket_, block, room, 0);
      if (got <= 0) return false;
      takes_ -= std::min(takes_, static_cast<std::size_t>(got));
      buffer_.append(block, static_cast<std::size_t>(got));
    }
  }

  // False when no more may be given.
  bool Send(const std::string& text) {
    if (text.empty()) return true;
    if (ssl_ != nullptr) {
      SSL_write(ssl_, text.data(), static_cast<int>(text.size()));
      return true;
    }
    const std::size_t count = std::min(gives_, text.size());
    ::send(socket_, text.data(), count, MSG_NOSIGNAL);
    gives_ -= count;
    return gives_ > 0;
  }

 private:
  int socket_;
  SSL_CTX* context_ = nullptr;
  SSL* ssl_ = nullptr;
  std::string buffer_;
  std::size_t takes_;
  std::size_t gives_;
};

std::string EhloAnswer(const std::string& capabilities) {
  std::string out = "250-mail.example.com\r\n";
  for (std::size_t at = 0; at <= capabilities.size();) {
    const std::size_t end = std::min(capabilities.find('\n', at), capabilities.size());
    out +=
        (end == capabilities.size() ? "250 " : "250-") + capabilities.substr(at, end - at) + "\r\n";
    at = end + 1;
  }
  return out;
}

}  // namespace

TestCertificates::TestCertificates(Kind kind) {
  const std::string at = folder_.path() + "/";
  const std::string curve = " -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";
  const std::string name = kind == Kind::kOtherName ? "mail.example.org" : "localhost";
  const std::string subject = " -subj /CN=" + name + " -addext subjectAltName=DNS:" + name;
  Shell("openssl req -x509 -days 2 -subj '/CN=Test Authority'" + curve + " -keyout " + at +
        "ca.key -out " + at + "ca.pem");
  if (kind == Kind::kSelfSigned) {
    Shell("openssl req -x509 -days 2" + subject + curve + " -keyout " + at + "server.key -out " +
          at + "server.pem");
    return;
  }
  Shell("openssl req" + subject + curve + " -keyout " + at + "server.key -out " + at +
        "server.csr");
  Shell("openssl x509 -req -days " + std::string(kind == Kind::kExpired ? "-1" : "2") + " -in " +
        at + "server.csr -CA " + at + "ca.pem -CAkey " + at +
        "ca.key -CAcreateserial -copy_extensions copy -out " + at + "server.pem");
}

const TestCertificates& Certificates() {
  static const TestCertificates made;
  return made;
}

SmtpServer::SmtpServer(SmtpScript script, const TestCertificates& certificates)
    : script_(std::move(script)),
      certificate_(certificates.certificate()),
      key_(certificates.key()),
      server_([this](int socket) {
        ++connections_;
        Talk(socket);
      }) {}

std::vector<std::string> SmtpServer::commands() const {
  const std::lock_guard lock(mutex_);
  return commands_;
}

std::string SmtpServer::data() const {
  const std::lock_guard lock(mutex_);
  return data_;
}

void SmtpServer::Talk(int socket) {
  Wire wire(socket, script_);
  if (script_.implicit_tls && !wire.Secure(certificate_, key_)) return;
  bool tls = script_.implicit_tls;
  int recipients = 0;
  std::string line;
  // False ends the connection.
  const auto answer = [&](const std::string& step, const std::string& usual) {
    const auto scripted = script_.answers.find(step);
    const std::string text = scripted != script_.answers.end() ? scripted->second : usual;
    if (text == "<close>") return false;
    if (text == "<stall>") {
      while (wire.Line(line)) {
      }
      return false;
    }
    constexpr std::string_view kWait = "<wait>";
    if (text.rfind(kWait, 0) == 0) {
      std::this_thread::sleep_for(script_.wait);
      return wire.Send(text.substr(kWait.size()));
    }
    return wire.Send(text);
  };
  if (!answer("greeting", "220 mail.example.com ESMTP sink\r\n")) return;
  while (wire.Line(line)) {
    {
      const std::lock_guard lock(mutex_);
      commands_.push_back(line);
    }
    const auto is = [&](const char* verb) { return line.rfind(verb, 0) == 0; };
    bool on = true;
    if (is("EHLO")) {
      on = answer(tls ? "EHLO2" : "EHLO",
                  EhloAnswer(tls ? script_.tls_capabilities : script_.capabilities));
    } else if (is("STARTTLS")) {
      on = answer("STARTTLS", "220 2.0.0 Ready to start TLS\r\n");
      const auto scripted = script_.answers.find("STARTTLS");
      const bool begins = scripted == script_.answers.end() || scripted->second[0] == '2';
      if (on && begins) {
        if (!wire.Secure(certificate_, key_)) return;
        tls = true;
      }
    } else if (is("AUTH PLAIN")) {
      on = answer("AUTH PLAIN", "235 2.7.0 Authentication successful\r\n");
    } else if (is("AUTH XOAUTH2")) {
      on = answer("AUTH XOAUTH2", "235 2.7.0 Accepted\r\n");
    } else if (is("AUTH LOGIN")) {
      on = answer("AUTH LOGIN", "334 VXNlcm5hbWU6\r\n") && wire.Line(line) &&
           answer("user", "334 UGFzc3dvcmQ6\r\n") && wire.Line(line) &&
           answer("password", "235 2.7.0 Authentication successful\r\n");
    } else if (is("MAIL FROM:")) {
      on = answer("MAIL", "250 2.1.0 Ok\r\n");
    } else if (is("RCPT TO:")) {
      on = answer("RCPT" + std::to_string(++recipients), "250 2.1.5 Ok\r\n");
    } else if (is("DATA")) {
      on = answer("DATA", "354 End data with <CR><LF>.<CR><LF>\r\n");
      const auto scripted = script_.answers.find("DATA");
      if (scripted != script_.answers.end() && scripted->second[0] != '3') continue;
      std::string body;
      while ((on = on && wire.Line(line)) && line != ".") body += line + "\r\n";
      {
        const std::lock_guard lock(mutex_);
        data_ = body;
      }
      if (!on) return;
      data_complete_ = true;
      ++messages_;
      on = answer("message", "250 2.0.0 Ok: queued as SINK0001\r\n");
    } else if (is("QUIT")) {
      answer("QUIT", "221 2.0.0 Bye\r\n");
      return;
    } else {
      wire.Send("500 5.5.2 unknown command\r\n");
    }
    if (!on) return;
  }
}

}  // namespace approval::testing
