// AgentMail on this machine, as far as its public API description goes: one inbox with drafts,
// messages, sends and keys with permissions.
//
// Answers one connection at a time on 127.0.0.1, from a thread of its own. A send with an
// Idempotency-Key that was seen before gives the first answer again and sends nothing. Scripts
// replace the answer of a kind of request. Any thread may look.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "tests/support/loopback.h"
#include "tests/support/received_request.h"

namespace approval::testing {

struct AgentmailScript {
  enum class End {
    kAnswer,        // `status` and `body`, and nothing happens
    kHangUpBefore,  // the connection closes, and nothing happened
    kHangUpAfter,   // it happened, and the connection closes without an answer
    kStallAfter,    // it happened, and no answer comes
    kAnswerAfter,   // it happened, and `status` and `body` are the answer
  };
  End end = End::kAnswer;
  int status = 200;
  std::string body{};
};

class AgentmailServer {
 public:
  static constexpr const char* kInbox = "agent@example.com";
  static constexpr const char* kSendingKey = "am_send_0123456789abcdef";
  static constexpr const char* kAgentKey = "am_draft_0123456789abcdef";

  // With both keys: one that reads and sends, one that makes and changes drafts.
  AgentmailServer();

  std::string base() const { return "http://127.0.0.1:" + std::to_string(server_.port()); }

  void PutDraft(const std::string& id, base::JsonObject draft);
  // Changes members of a draft, as an agent with a draft key can.
  void Edit(const std::string& id, const base::JsonObject& changes);
  // Nothing: an unrestricted key.
  void PutKey(const std::string& key, std::optional<std::set<std::string>> permissions);
  // By kind: inbox, draft, draft_send, message_send, messages, api_keys.
  void Script(const std::string& kind, AgentmailScript script);
  void PutMessage(base::JsonObject message);
  void DisclosePermissions(bool in_inbox);
  void SetPageSize(std::size_t size);

  std::vector<ReceivedRequest> requests() const;
  // What went out: the body of a send, or the draft.
  std::vector<base::JsonObject> sent() const;
  std::size_t CountRequests(const std::string& method) const;

 private:
  struct Reply {
    int status = 200;
    std::string body;
    bool hang_up = false;
    bool stall = false;
  };

  void Serve(int fd);
  Reply Answer(const ReceivedRequest& request);
  Reply Act(const std::string& kind, const ReceivedRequest& request, const std::string& key);
  Reply Send(const ReceivedRequest& request, const base::JsonObject& mail);
  Reply Messages(const std::string& query) const;
  Reply Keys() const;
  Reply Inbox(const std::string& key) const;

  mutable std::mutex mutex_;
  bool disclose_in_inbox_ = true;
  std::size_t page_size_ = 100;
  std::map<std::string, std::optional<std::set<std::string>>> keys_;
  std::map<std::string, base::JsonObject> drafts_;
  std::map<std::string, AgentmailScript> scripts_;
  std::map<std::string, std::string> answered_;  // by Idempotency-Key
  std::vector<base::JsonObject> messages_;
  std::vector<base::JsonObject> sent_;
  std::vector<ReceivedRequest> requests_;
  LoopbackServer server_;
};

}  // namespace approval::testing
