// One connection of libcurl to an SMTP server, watched by a dialogue (adapters.md 9.1).
//
// The inside of smtp_session.cc. `Watched` is what the callbacks see; it outlives the connection.
// Run blocks until the session is over or its deadline has passed, after which nothing more leaves
// or arrives. The library must have been started.
#pragma once

#include <curl/curl.h>

#include <array>
#include <chrono>
#include <memory>
#include <set>
#include <string>

#include "vault/adapters/email/smtp_dialogue.h"
#include "vault/adapters/email/smtp_session.h"

namespace approval::adapters::email {

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
  std::chrono::steady_clock::time_point deadline{};
  std::chrono::milliseconds after_dot{};
  std::set<curl_socket_t> sockets{};

  // Nothing more leaves or arrives, whatever the library still wants to say.
  void CutOff() const;
  // Whether the deadline has passed; then the connection is cut.
  bool Over();
  void Settle();
};

struct Outcome {
  CURLcode code = CURLE_OK;
  long verify_result = 0;  // of OpenSSL
  std::string detail;      // the library's own words
  std::string certificate_names;
};

class Connection {
 public:
  Connection(const SmtpServer& server, const SmtpLimits& limits, Watched& watched);

  void Login(const SmtpServer& server, SmtpLogin login);
  void Mail(const SmtpEnvelope& envelope);
  // Ends with QUIT instead of a mail.
  void Probe();

  Outcome Run();

 private:
  template <typename T>
  void Set(CURLoption option, T value) {
    usable_ = curl_easy_setopt(easy_.get(), option, value) == CURLE_OK && usable_;
  }
  bool Part(CURLUPart part, const std::string& text) {
    return curl_url_set(url_.get(), part, text.c_str(), 0) == CURLUE_OK;
  }
  void SetTrust(const SmtpServer& server);
  void SetCallbacks();

  Watched& watched_;
  std::array<char, CURL_ERROR_SIZE> error_{};
  std::unique_ptr<CURL, CurlFree> easy_;
  std::unique_ptr<CURLU, CurlFree> url_;
  std::unique_ptr<curl_slist, CurlFree> recipients_;
  bool usable_ = true;
};

}  // namespace approval::adapters::email
