// What the page answers: access, list, one request, decisions (channels.md 4.3).
//
// One thread. Deciding may block for an append, so the server runs Route for a POST off its own
// thread and never two calls at once.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>

#include "channels/contract.h"
#include "channels/web/access.h"
#include "channels/web/messages.h"
#include "channels/web/pages.h"

namespace approval::channels::web {

class Router {
 public:
  Router(Runtime& runtime, std::string actor, base::Secret link_key, const base::Clock& clock,
         base::Random& random);

  // The port is known once the socket is bound.
  void SetPort(unsigned short port);

  WebAnswer Route(const WebRequest& request);

  // The link that opens the page, made anew by each call.
  std::string NewLoginLink();

 private:
  struct Shown {
    std::string action_key;
    std::string request_hash;
    gate::RequestModel request;
  };

  WebAnswer RouteKnownHost(const WebRequest& request);
  WebAnswer Login(const WebRequest& request);
  WebAnswer Get(const WebRequest& request, const std::string& session);
  WebAnswer Post(const WebRequest& request, const std::string& session);
  WebAnswer Decide(const WebRequest& request, const std::string& session);
  WebAnswer Page(unsigned status, const std::string& session, const std::string& ref,
                 const Shown& shown, const std::string& note,
                 const std::optional<std::string>& problem, bool all_lines);
  Frame MakeFrame(const QueueView& view, const std::string& open_ref, bool refresh);
  void Remember(const QueueView& view);
  std::string CookieName() const;
  bool KnownHost(const std::optional<std::string>& host) const;
  bool OwnOrigin(const WebRequest& request) const;

  Runtime& runtime_;
  const std::string actor_;
  const base::Clock& clock_;
  Access access_;
  unsigned short port_ = 0;
  std::map<std::string, Shown> shown_;  // by ref: what this page has shown
  std::deque<std::string> shown_order_;
};

}  // namespace approval::channels::web
