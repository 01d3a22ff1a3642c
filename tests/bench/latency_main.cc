// How long a request takes to a phone, and a tap to the log: the built programs against a Bot API
// server on loopback, with a long poll open. Prints figures; judges nothing.
//
//   latency_bench [requests]      default 200
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "core/base/files.h"
#include "tests/e2e/story.h"
#include "tests/support/bot_api_server.h"

namespace approval::testing {
namespace {

constexpr std::int64_t kAlice = 700000001;

std::int64_t SteadyMs() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// The value below which `share` of the samples lie.
std::int64_t Share(std::vector<std::int64_t> samples, double share) {
  std::sort(samples.begin(), samples.end());
  const auto place = static_cast<std::size_t>(share * static_cast<double>(samples.size() - 1));
  return samples.at(place);
}

void Print(const char* what, const std::vector<std::int64_t>& samples) {
  std::printf("%s: %zu samples, p50 %lld ms, p99 %lld ms, max %lld ms\n", what, samples.size(),
              static_cast<long long>(Share(samples, 0.5)),
              static_cast<long long>(Share(samples, 0.99)),
              static_cast<long long>(Share(samples, 1)));
}

int Run(int requests) {
  BotApiServer server;
  StoryOptions options;
  options.mail_server = false;
  options.approvers = "channels: { telegram: { delivery: burst } }\n";
  Story story(options);
  story.environment()["APPROVAL_TG_TOKEN"] = server.token();
  story.environment()["APPROVAL_TG_CHAT"] = std::to_string(kAlice);
  const auto up = story.Up(
      {"--no-web", "--api-base", server.base_url(), "--poll-timeout", "50", "--send-rate", "1000"});
  if (!up->Event("part_started")) return 1;

  story.folder().Write("p.json", "{\"command\":\"true\",\"cwd\":\"/\"}");
  const std::string hash(*base::StringMember(story.Json({"payload", "hash", "p.json"}), "hash"));
  std::string task =
      "---\nid: task-1\napproval:\n  origin: { app: bench, created_by: \"agent:robot\" }\n"
      "  state: proposed\n  actions:\n";
  for (int i = 0; i < requests; ++i) {
    task += "    - { class: communicate.chat, idempotency_key: \"k-" + std::to_string(i) +
            "\", payload_hash: \"" + hash + "\" }\n";
  }
  story.folder().Write("task-1.md", task + "---\n");
  story.Json({"register", "task-1.md", "--as", "agent:robot"});

  std::vector<std::int64_t> to_phone;
  std::vector<std::int64_t> to_log;
  const std::string log = story.folder().Path(".approval/log/events.jsonl");
  std::size_t calls = server.Calls("sendMessage").size();
  for (int i = 0; i < requests; ++i) {
    const std::string key = "k-" + std::to_string(i);
    story.Run({"request", "task-1", "--action", key, "--payload", "p.json", "--as", "agent:robot"});
    const std::int64_t returned = SteadyMs();
    // The card is the message with buttons.
    std::optional<BotMessage> card;
    std::int64_t arrived = 0;
    while (!card && SteadyMs() - returned < 10'000) {
      const auto sent = server.Calls("sendMessage");
      for (std::size_t at = calls; at < sent.size() && !card; ++at) {
        if (!sent[at].body.contains("reply_markup")) continue;
        arrived = sent[at].at_ms;
        calls = at + 1;
        card = server.Messages().back();
      }
      if (!card) std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    if (!card || card->buttons.empty()) return 1;
    to_phone.push_back(std::max<std::int64_t>(0, arrived - returned));
    const auto before = base::ReadFile(log)->size();
    const std::int64_t tapped = SteadyMs();
    server.TapData(card->id, card->buttons.at(0).data, base::Json(kAlice), kAlice);
    while (base::ReadFile(log)->size() == before && SteadyMs() - tapped < 10'000) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    to_log.push_back(SteadyMs() - tapped);
  }
  Print("request returned -> card at the Bot API server", to_phone);
  Print("tap at the Bot API server -> grant in the log", to_log);
  return 0;
}

}  // namespace
}  // namespace approval::testing

int main(int argc, char** argv) {
  return approval::testing::Run(argc > 1 ? std::stoi(argv[1]) : 200);
}
