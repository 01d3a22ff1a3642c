// What the service tells its operator: one line an event, JSON under --json (surfaces.md 14.1).
//
// Safe from any thread. Words are quoted; members hold no secret.
#pragma once

#include <mutex>
#include <string>

#include "core/base/json.h"

namespace approval::gateway {

class Reporter {
 public:
  explicit Reporter(bool json) : json_(json) {}

  // On stdout: `{"event":"up_started",...}`.
  void Say(const std::string& event, const base::JsonObject& members);
  // On stderr: `{"event":"warning","code","message"}`.
  void Warn(const std::string& code, const std::string& message);
  // On stderr: `{"event":"part_failed",...}`.
  void Complain(const std::string& event, const base::JsonObject& members);
  // Once, in a frame, on stdout (on stderr under --json), and nowhere else (channels.md 3.17).
  void ShowToken(const std::string& action_key, std::string_view token);

  bool json() const { return json_; }

 private:
  void Line(std::FILE* out, const std::string& event, const base::JsonObject& members);

  const bool json_;
  std::mutex mutex_;
};

}  // namespace approval::gateway
