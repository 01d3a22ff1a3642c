// A Bot API server on 127.0.0.1 for tests: strict where the real one is, with scripted faults.
//
// It keeps one chat's messages, hands out updates to long polls (a second poll ends the first with
// 409), refuses bad HTML, long texts, long callback data and a second answer to a query. Threads of
// its own; every member may be called from any thread. Destruction closes every connection.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/base/json.h"
#include "tests/support/loopback.h"
#include "tests/support/received_request.h"

namespace approval::testing {

struct BotFault {
  enum class Kind {
    kStatus,   // answer with this status and description
    kHang,     // never answer
    kReset,    // close the connection
    kGarbage,  // status 200 and an HTML page
  };
  Kind kind = Kind::kStatus;
  int status = 500;
  std::string description = "Internal Server Error";
  std::int64_t retry_after = 0;
  std::int64_t migrate_to = 0;
  bool act_first = false;  // do what was asked, then fail
};

struct BotCall {
  std::string method;
  base::JsonObject body;
  int status = 0;
  std::int64_t at_ms = 0;  // steady clock
};

struct BotButton {
  std::string text;
  std::string data;
};

struct BotMessage {
  std::int64_t id = 0;
  std::string text;  // after parsing; the caption of a document
  std::string raw;   // as sent
  std::string parse_mode;
  std::vector<BotButton> buttons;  // all rows
  std::size_t rows = 0;
  std::int64_t reply_to = 0;
  bool silent = false;
  int edits = 0;
  bool deleted = false;
  std::string document_name;
  std::string document;

  std::string Data(const std::string& button_text) const;  // callback data, empty when not there
};

class BotApiServer {
 public:
  explicit BotApiServer(std::string token = "1234567890:FAKE-token-for-tests_000000",
                        std::int64_t chat_id = 700000001, int port = 0);
  ~BotApiServer();
  BotApiServer(const BotApiServer&) = delete;
  BotApiServer& operator=(const BotApiServer&) = delete;

  int port() const { return listener_.port; }
  std::string base_url() const { return "http://127.0.0.1:" + std::to_string(listener_.port); }
  const std::string& token() const { return token_; }

  // The next calls of this method fail so, one fault each.
  void Script(const std::string& method, BotFault fault, int times = 1);
  // Every call fails so, until cleared.
  void Always(const std::string& method, std::optional<BotFault> fault);

  std::vector<BotCall> Calls(const std::string& method = "") const;
  std::vector<BotMessage> Messages() const;
  std::optional<BotMessage> Message(std::int64_t id) const;
  // Texts answered to a query, in order; more than one only when the server refused the others.
  std::vector<std::string> Answers(const std::string& query_id) const;

  // A tap on a button of a message; the query id.
  std::string Tap(std::int64_t message_id, const std::string& button_text,
                  std::int64_t from = 700000001);
  std::string TapData(std::int64_t message_id, const std::string& data, const base::Json& from_id,
                      std::int64_t chat_id);
  void Reply(std::int64_t message_id, const std::string& text, std::int64_t from = 700000001);
  // An update without its `update_id`, which the server adds; the id.
  std::int64_t Push(base::JsonObject update);
  // The same update again, with the same id.
  void PushAgain(std::int64_t update_id);
  void Delete(std::int64_t message_id);

  // Updates that no poll has confirmed.
  std::size_t Unconfirmed() const;
  bool PollOpen() const;

 private:
  struct Answer {
    int status = 200;
    std::string body;
    bool close = false;
    bool hang = false;
  };
  using Object = base::JsonObject;

  void Accept();
  void Serve(int fd);
  Answer Handle(int fd, const ReceivedRequest& request);
  Answer Run(int fd, const std::string& method, const Object& body,
             std::unique_lock<std::mutex>& lock);
  Answer GetUpdates(int fd, const Object& body, std::unique_lock<std::mutex>& lock);
  Answer SendMessage(const Object& body);
  Answer SendDocument(const Object& body);
  Answer EditMessage(const Object& body);
  Answer AnswerQuery(const Object& body);
  std::optional<Answer> CheckText(const Object& body, BotMessage& message) const;
  static std::optional<Answer> CheckKeyboard(const Object& body, BotMessage& message);
  std::optional<BotFault> TakeFault(const std::string& method);

  const std::string token_;
  const std::int64_t chat_id_;
  const Listener listener_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false;
  std::set<int> connections_;
  std::map<std::string, std::deque<BotFault>> scripted_;
  std::map<std::string, BotFault> always_;
  std::vector<BotCall> calls_;
  std::vector<BotMessage> messages_;
  std::map<std::string, std::vector<std::string>> answers_;
  std::map<std::int64_t, Object> updates_;
  std::map<std::int64_t, Object> all_updates_;
  std::int64_t next_message_ = 501;
  std::int64_t next_update_ = 9001;
  std::int64_t poll_turn_ = 0;
  int open_polls_ = 0;
  std::list<std::thread> threads_;
  std::thread accepting_;
};

}  // namespace approval::testing
