// A Telegram channel at a server of ours, with a queue in memory and a clock that the test moves.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "channels/telegram/telegram_channel.h"
#include "tests/support/bot_api_server.h"
#include "tests/support/fake_runtime.h"
#include "tests/support/fakes.h"
#include "tests/support/sample_requests.h"
#include "tests/support/temp_folder.h"

namespace approval::telegram {

using testing::BotApiServer;
using testing::BotFault;
using testing::BotMessage;
using testing::CommandPayload;
using testing::EmailPayload;
using testing::FilePayload;
using testing::SampleOptions;
using testing::SampleRequest;

// Stands still until it is moved; any thread.
class MovableClock final : public base::Clock {
 public:
  std::int64_t NowMs() const override { return now_ms_.load(); }
  void Advance(std::int64_t ms) { now_ms_ += ms; }

 private:
  std::atomic<std::int64_t> now_ms_{testing::kSampleNow};
};

inline bool WaitFor(const std::function<bool()>& done, int limit_ms = 5'000) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(limit_ms);
  while (std::chrono::steady_clock::now() < end) {
    if (done()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return done();
}

inline void Pause(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

class Rig {
 public:
  explicit Rig(std::int64_t chat = 700000001)
      : chat_(chat), server(std::make_unique<BotApiServer>(kToken, chat)), runtime(clock) {}

  ~Rig() { channel.reset(); }

  TelegramConfig Config() const {
    TelegramConfig config;
    config.token = base::Secret(std::string(kToken));
    config.chat_id = std::to_string(chat_);
    config.api_base = server->base_url();
    config.private_folder = folder.Path("private");
    config.poll_timeout = std::chrono::seconds(30);
    config.call_timeout = std::chrono::milliseconds(call_timeout_ms);
    config.first_backoff = std::chrono::milliseconds(20);
    config.backoff_ceiling = std::chrono::milliseconds(100);
    config.forbidden_retry = std::chrono::milliseconds(150);
    return config;
  }

  std::unique_ptr<TelegramChannel> Make() {
    return std::make_unique<TelegramChannel>(Config(), runtime, clock, random);
  }

  // Starts the channel and waits for the first poll, so that later steps meet an open one.
  void Start() {
    channel = Make();
    const auto started = channel->Start();
    ASSERT_TRUE(started.has_value()) << started.error().error.message;
    WaitFor([this] { return server->PollOpen(); }, 1'000);
  }

  void Restart() {
    channel.reset();
    Start();
  }

  void Publish() { channel->Update(runtime.View()); }

  void Add(gate::RequestModel request) {
    runtime.Add(std::move(request));
    if (channel != nullptr) Publish();
  }

  // Cards that are in the chat: messages with buttons.
  std::vector<BotMessage> Cards() const {
    std::vector<BotMessage> out;
    for (BotMessage& message : server->Messages()) {
      if (!message.buttons.empty()) out.push_back(std::move(message));
    }
    return out;
  }

  // The n-th card (from 0) once it is there; fails the test otherwise.
  BotMessage Card(std::size_t n = 0) {
    EXPECT_TRUE(WaitFor([&] { return Cards().size() > n; })) << "no card " << n;
    const std::vector<BotMessage> cards = Cards();
    return cards.size() > n ? cards[n] : BotMessage{};
  }

  // Starts, asks this one request, and gives its card.
  BotMessage StartWith(gate::RequestModel request) {
    Start();
    Add(std::move(request));
    return Card();
  }

  // The text answered to a query.
  std::string Toast(const std::string& query) {
    EXPECT_TRUE(WaitFor([&] { return !server->Answers(query).empty(); })) << "no answer " << query;
    const auto answers = server->Answers(query);
    return answers.empty() ? "" : answers.front();
  }

  bool WaitEdited(std::int64_t message_id, const std::string& part) {
    return WaitFor([&] {
      const auto message = server->Message(message_id);
      return message && message->edits > 0 && message->text.find(part) != std::string::npos;
    });
  }

  static constexpr const char* kToken = "1234567890:FAKE-token-for-tests_000000";

 private:
  std::int64_t chat_;

 public:
  testing::TempFolder folder;
  std::unique_ptr<BotApiServer> server;
  MovableClock clock;
  testing::FakeRandom random;
  testing::FakeRuntime runtime;
  int call_timeout_ms = 2'000;
  std::unique_ptr<TelegramChannel> channel;
};

inline SampleOptions Keyed(const std::string& key, std::int64_t seq = 3) {
  SampleOptions options;
  options.key = key;
  options.seq = seq;
  return options;
}

inline gate::RequestModel Mail(const std::string& key = "task-101:chaser", std::int64_t seq = 3) {
  return SampleRequest(EmailPayload(), Keyed(key, seq));
}

// Twenty kilobytes, more than a card holds.
inline std::string LongBody() {
  std::string body;
  for (int i = 1; i <= 500; ++i)
    body += "line " + std::to_string(i) + " of twenty kilobytes of mail\n";
  return body;
}

inline constexpr const char* kApprove = "✅ Approve";
inline constexpr const char* kReject = "🛑 Reject";

}  // namespace approval::telegram
