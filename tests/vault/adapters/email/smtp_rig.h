// A session with a scripted SMTP server on this machine: whom to call, what to send, what was said.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/support/smtp_server.h"
#include "vault/adapters/email/smtp_session.h"

namespace approval::adapters::email {

using testing::Certificates;
using testing::SmtpScript;
using testing::TestCertificates;

inline constexpr const char* kMessage = "Subject: x\r\n\r\nbody\r\n";
inline constexpr const char* kPassword = "fake-app-password-0001";

// The server at this port of localhost, trusted by the authority of Certificates(); no login.
inline SmtpServer ServerAt(int port, SmtpSecurity security) {
  SmtpServer target;
  target.host = "localhost";
  target.port = port;
  target.security = security;
  target.ca_file = Certificates().ca();
  target.ehlo_name = "client.example.com";
  return target;
}

inline SmtpServer Target(const testing::SmtpServer& server, SmtpSecurity security) {
  return ServerAt(server.port(), security);
}

inline SmtpServer WithLogin(SmtpServer target, const std::string& user = "sender@example.com") {
  target.user = user;
  target.password = base::Secret(std::string(kPassword));
  return target;
}

// Whether a command of the client began so.
inline bool Said(const testing::SmtpServer& server, const std::string& verb) {
  for (const std::string& command : server.commands()) {
    if (command.rfind(verb, 0) == 0) return true;
  }
  return false;
}

}  // namespace approval::adapters::email
