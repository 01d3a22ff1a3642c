// The channel contract: a channel shows pending requests to a person and reports gestures; it
// decides nothing and never touches the log (channels.md 1).
//
// The service pushes a fresh QueueView to every channel after each change. A channel may run a
// thread of its own; Runtime is safe from any thread. Nothing a channel remembers is truth: losing
// its memory may repeat a message, never hide a request.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/gate/pending.h"
#include "core/gate/request_model.h"
#include "core/policy/policy.h"

namespace approval::channels {

// What is waiting, at one instant of one verified log. Immutable once handed out.
struct QueueView {
  std::vector<gate::RequestModel> requests;  // oldest first
  std::vector<gate::Skip> skipped;           // cannot be shown; each is listed, none is hidden
  std::optional<base::Error> stopped;  // the log does not verify: show nothing, decide nothing
  policy::Policy policy;               // in force, or the defaults; for layout and senders
  std::int64_t head_seq = 0;
  std::int64_t now_ms = 0;
};

enum class Gesture { kGrant, kReject };

// The account a transport attributed a gesture to, never anything said inside a message.
struct Sender {
  std::string id;       // decimal digits
  std::string chat_id;  // where the gesture happened
};

struct Report {
  std::string action_key;
  Gesture gesture = Gesture::kReject;
  std::string request_hash;  // hash of the request record that was shown
  std::string delivery_id;
  std::optional<std::string> note{};
  std::optional<Sender> sender{};              // transports that authenticate an account set it
  std::optional<gate::Rendering> rendering{};  // how it was drawn, under a policy of short cards
};

// What became of a report. The token of a grant never passes through here.
struct Outcome {
  bool ok = false;
  base::Code code = base::Code::kIo;  // when not ok
  gate::State state = gate::State::kNone;
  std::int64_t seq = 0;  // of the decision, when ok
  std::string actor;     // whom the log names, when ok
  std::string ts;        // of the decision record, when ok
  bool token_issued = false;
  bool sealed = false;   // the waiting requester can open it by itself
  std::string sentence;  // for the person who made the gesture (1.8); ours, holds no foreign text
};

// What a channel may ask of the service. Thread-safe; calls block for the milliseconds of an
// append.
class Runtime {
 public:
  virtual ~Runtime() = default;

  // Turns a report into an event through the gate, or says why not.
  virtual Outcome Decide(const std::string& channel, const Report& report) = 0;

  // How the request with this record hash stands according to the verified log.
  virtual gate::Settlement SettlementOf(const std::string& action_key,
                                        const std::string& request_hash) = 0;

  // The newest view.
  virtual std::shared_ptr<const QueueView> View() = 0;

  // One line for the operator. `event` and the members end up in a JSON line under --json, else in
  // words; texts are quoted by the receiver. Never pass a secret.
  virtual void Say(const std::string& event, const base::JsonObject& members) = 0;
  virtual void Warn(const std::string& code, const std::string& sentence) = 0;
};

struct Health {
  bool ok = false;
  std::string detail;  // one sentence
};

class Channel {
 public:
  virtual ~Channel() = default;

  virtual std::string name() const = 0;

  // Checks configuration and starts working. An error means that the part cannot run: `retry` says
  // whether trying again later can help.
  struct StartFailure {
    base::Error error;
    bool retry = false;
  };
  virtual tl::expected<void, StartFailure> Start() = 0;

  // A fresh view; returns at once, whatever the network does.
  virtual void Update(std::shared_ptr<const QueueView> view) = 0;

  // No network call.
  virtual Health health() const = 0;

  // The reason when the channel ended by itself after Start (a dead token, a lost port); nothing
  // while it runs.
  virtual std::optional<StartFailure> failure() const = 0;

  // Ends threads and connections within a second. Idempotent.
  virtual void Stop() = 0;
};

// The sentence of 1.8 for a gesture that was refused with this code.
std::string RefusalSentence(base::Code code);

// The headline of a settled request: "Approved", "Rejected", "Revoked", "Expired", "Withdrawn".
std::string SettledHeadline(gate::State state);

}  // namespace approval::channels
