// A part under supervision: restarts with back-off, gives up where no restart helps
// (surfaces.md 14.1, FR-119).
#pragma GCC diagnostic ignored "-Wnull-dereference"  // see channels/web/server.cc

#include "gateway/service/part.h"

#include <gtest/gtest.h>

#include <atomic>

#include <boost/asio/executor_work_guard.hpp>

namespace approval::gateway {
namespace {

using channels::Channel;
using channels::QueueView;
using std::chrono::milliseconds;

// What the channels of one test do, one entry a start.
struct Script {
  std::vector<std::optional<Channel::StartFailure>> starts;
  std::atomic<std::size_t> started{0};
  std::atomic<int> updates{0};
  std::atomic<int> stops{0};
  std::optional<Channel::StartFailure> dies;  // reported by every running channel
};

class ScriptedChannel final : public Channel {
 public:
  explicit ScriptedChannel(Script& script) : script_(script) {}
  std::string name() const override { return "scripted"; }
  tl::expected<void, StartFailure> Start() override {
    const std::size_t at = script_.started++;
    if (at < script_.starts.size() && script_.starts[at]) {
      return tl::unexpected(*script_.starts[at]);
    }
    return {};
  }
  void Update(std::shared_ptr<const QueueView>) override { ++script_.updates; }
  channels::Health health() const override { return {true, ""}; }
  std::optional<StartFailure> failure() const override { return script_.dies; }
  void Stop() override { ++script_.stops; }

 private:
  Script& script_;
};

Channel::StartFailure Failure(bool retry) {
  return {{base::Code::kPortUnavailable, "taken"}, retry};
}

class PartTest : public ::testing::Test {
 protected:
  void Start(bool required = false) {
    part_ = std::make_unique<Part>(
        "scripted", [this] { return std::make_unique<ScriptedChannel>(script_); },
        [] { return base::JsonObject{}; }, milliseconds(5), required, io_, pool_, reporter_);
    part_->Start([] { return std::make_shared<QueueView>(); },
                 [this](const base::Error& error) { ended_ = error.code; });
  }

  void RunUntil(const std::function<bool()>& done) {
    // Starts end on another thread, so the loop must wait even when it has nothing to do.
    const auto work = boost::asio::make_work_guard(io_);
    for (int i = 0; i < 2000 && !done(); ++i) {
      io_.restart();
      io_.run_for(milliseconds(2));
    }
    EXPECT_TRUE(done());
  }

  ~PartTest() override {
    part_->Stop();
    pool_.join();
    io_.restart();
    io_.run_for(milliseconds(10));
  }

  boost::asio::io_context io_;
  boost::asio::thread_pool pool_{1};
  Reporter reporter_{true};
  Script script_;
  std::optional<base::Code> ended_;
  std::unique_ptr<Part> part_;
};

TEST_F(PartTest, AChannelThatStartsIsHandedTheNewestView) {
  Start();
  RunUntil([&] { return part_->running(); });
  EXPECT_EQ(script_.updates, 1);
  EXPECT_TRUE(part_->tried());
}

TEST_F(PartTest, AStartThatMaySucceedLaterIsTriedAgain) {
  script_.starts = {Failure(true), Failure(true), std::nullopt};
  Start();
  RunUntil([&] { return part_->running(); });
  EXPECT_EQ(script_.started, 3U);
  EXPECT_FALSE(ended_);
}

TEST_F(PartTest, AnErrorThatNoRestartMendsEndsThePart) {
  script_.starts = {Failure(false)};
  Start();
  RunUntil([&] { return ended_.has_value(); });
  EXPECT_EQ(ended_, base::Code::kPortUnavailable);
  EXPECT_EQ(script_.started, 1U);
}

TEST_F(PartTest, ARequiredPartEndsWhenItsFirstStartFails) {
  script_.starts = {Failure(true)};
  Start(true);
  RunUntil([&] { return ended_.has_value(); });
  EXPECT_EQ(script_.started, 1U);
}

TEST_F(PartTest, AChannelThatDiesIsStartedAgain) {
  Start();
  RunUntil([&] { return part_->running(); });
  script_.dies = Failure(true);
  part_->Check();
  script_.dies.reset();
  RunUntil([&] { return part_->running(); });
  EXPECT_EQ(script_.started, 2U);
  EXPECT_GE(script_.stops, 1);
}

TEST_F(PartTest, AStoppedPartStartsNothingMore) {
  script_.starts = {Failure(true), Failure(true), Failure(true), Failure(true)};
  Start();
  RunUntil([&] { return script_.started >= 1; });
  part_->Stop();
  const std::size_t started = script_.started;
  io_.restart();
  io_.run_for(milliseconds(50));
  EXPECT_EQ(script_.started, started);
  EXPECT_FALSE(part_->running());
}

}  // namespace
}  // namespace approval::gateway
