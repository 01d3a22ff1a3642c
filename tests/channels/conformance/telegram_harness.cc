#include <algorithm>
#include <chrono>
#include <map>
#include <thread>

#include "channels/telegram/telegram_channel.h"
#include "tests/channels/conformance/harnesses.h"
#include "tests/support/bot_api_server.h"

namespace approval::testing {
namespace {

constexpr std::int64_t kChat = 700000001;
constexpr const char* kApprove = "✅ Approve";
constexpr const char* kReject = "🛑 Reject";

template <typename Done>
bool Await(const Done& done) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!done()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

// `budgets: ... (budgets)` in the fold of a card; claimed rows do not stand there.
void AddRow(const std::string& line, std::vector<RenderedField>& fields) {
  const std::size_t colon = line.find(": ");
  const std::size_t origin = line.rfind(" (");
  if (line.rfind("│", 0) == 0 || line.empty() || line.back() != ')') return;
  if (colon == std::string::npos || origin == std::string::npos || origin < colon) return;
  const std::string source = line.substr(origin + 2, line.size() - origin - 3);
  for (const char* known : {"log", "policy-match", "budgets", "attestation", "clock"}) {
    if (source != known) continue;
    fields.push_back({line.substr(0, colon), false, line.substr(colon + 2, origin - colon - 2)});
  }
}

class Telegram final : public ChannelUnderTest {
 public:
  explicit Telegram(Bench& bench)
      : bench_(bench), channel_(Config(), bench.runtime, bench.rig.clock, random_) {
    started_ = channel_.Start().has_value();
    Await([this] { return server_.PollOpen(); });
  }
  ~Telegram() override { channel_.Stop(); }

  std::string name() const override { return channel_.name(); }
  channels::Health health() const override {
    return started_ ? channel_.health() : channels::Health{false, "did not start"};
  }

  std::vector<Rendered> Show() override {
    std::vector<Rendered> out;
    const auto view = bench_.Look();
    channel_.Update(view);
    for (const gate::RequestModel& request : view->requests) {
      const std::string& key = request.action_key.value;
      if (!Await([&] { return CardOf(key).has_value(); })) continue;
      const BotMessage card = *CardOf(key);
      saved_[key] = {card.id, card.Data(kApprove), card.Data(kReject)};
      out.push_back(Read(key, card, request.payload_hash.value));
    }
    return out;
  }

  std::string Press(const std::string& key, channels::Gesture gesture) override {
    const Saved& saved = saved_[key];
    const std::string& data = gesture == channels::Gesture::kGrant ? saved.grant : saved.reject;
    if (data.empty()) return "no such button";
    const std::string query = server_.TapData(saved.message, data, base::Json(kChat), kChat);
    if (!Await([&] { return !server_.Answers(query).empty(); })) return "";
    return server_.Answers(query).front();
  }

 private:
  struct Saved {
    std::int64_t message = 0;
    std::string grant;
    std::string reject;
  };

  telegram::TelegramConfig Config() const {
    telegram::TelegramConfig config;
    config.token = base::Secret(server_.token());
    config.chat_id = std::to_string(kChat);
    config.api_base = server_.base_url();
    config.private_folder = folder_.Path("private");
    config.call_timeout = std::chrono::milliseconds(2'000);
    config.first_backoff = std::chrono::milliseconds(20);
    config.backoff_ceiling = std::chrono::milliseconds(100);
    return config;
  }

  // The newest message with buttons that names the key in its second line.
  std::optional<BotMessage> CardOf(const std::string& key) const {
    std::optional<BotMessage> found;
    for (BotMessage& message : server_.Messages()) {
      const std::size_t line = message.text.find('\n');
      if (message.buttons.empty() || line == std::string::npos) continue;
      if (message.text.compare(line + 1, key.size() + 1, key + "\n") == 0) found = message;
    }
    return found;
  }

  Rendered Read(const std::string& key, const BotMessage& card, const std::string& hash) const {
    Rendered out;
    out.action_key = key;
    out.text = card.text;
    const std::string start = "the exact bytes, display sha256 ";
    const std::size_t bytes = card.text.find(start);
    const std::string rows = card.text.substr(0, bytes);
    for (std::size_t at = 0; at < rows.size();) {
      const std::size_t end = std::min(rows.find('\n', at), rows.size());
      AddRow(rows.substr(at, end - at), out.fields);
      at = end + 1;
    }
    AddClaimedLines(rows, out.fields);
    if (bytes != std::string::npos) {
      out.payload = card.text.substr(card.text.find('\n', bytes) + 1);
      return out;
    }
    for (const BotMessage& message : server_.Messages()) {
      if (message.document_name != "payload-" + hash.substr(0, 12) + ".txt") continue;
      out.payload = message.document;
      out.text += "\n" + message.document;
    }
    return out;
  }

  Bench& bench_;
  TempFolder folder_;
  FakeRandom random_;
  BotApiServer server_;
  telegram::TelegramChannel channel_;
  bool started_ = false;
  std::map<std::string, Saved> saved_;
};

}  // namespace

std::unique_ptr<ChannelUnderTest> TelegramUnderTest(Bench& bench) {
  return std::make_unique<Telegram>(bench);
}

}  // namespace approval::testing
