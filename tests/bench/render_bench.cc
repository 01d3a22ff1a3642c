// CPU time from a payload of 1 MB to what a surface shows of it, per surface and payload; the
// counter `of_sha256` is that time over the time of SHA-256 of the same bytes. Prints figures;
// judges nothing. A payload whose card has no document prints the same for the Telegram message.
#include <benchmark/benchmark.h>

#include <chrono>
#include <ctime>

#include "channels/cli/document.h"
#include "channels/telegram/card_text.h"
#include "channels/web/pages.h"
#include "core/base/sha256.h"
#include "render/card.h"
#include "tests/render/payloads.h"

namespace approval::render {
namespace {

constexpr std::size_t kBytes = 1'000'000;

std::string Repeated(std::string_view unit, std::size_t bytes) {
  std::string out;
  while (out.size() + unit.size() <= bytes) out += unit;
  return out;
}

base::Json Mail(const std::string& body) {
  return base::JsonObject{{"to", base::JsonArray{"agency@example.co.uk"}},
                          {"subject", "Deposit refund chaser"},
                          {"body", body}};
}

// A unit is chosen so that the canonical form, escapes included, has 1 MB.
base::Json Prose() {
  return Mail(Repeated("The quick brown fox jumps over the lazy dog, and back over it.\n",
                       kBytes * 63 / 64));
}
base::Json OneLine() { return Mail(Repeated("The quick brown fox; ", kBytes)); }
base::Json Mixed() {
  return Mail(Repeated(
      "Привет, мир. مرحبا بالعالم 👨‍👩‍👧 ❤️ café 日本語\n",
      kBytes));
}
base::Json Marks() { return Mail(Repeated("«a»\u202E\u200B⏎│→\u00A0b\u0085\u2066 ", kBytes)); }
base::Json Controls() { return Mail(Repeated("\x01\x1b\x07", kBytes / 6)); }
base::Json LookAlikes() { return Mail(Repeated("p\u0430ypal sc\u043Epe ", kBytes)); }
base::Json Spaces() { return Mail(Repeated(std::string(40, ' ') + "x", kBytes)); }
base::Json Command() {
  return base::JsonObject{
      {"command", Repeated("grep -r 'needle' /srv/data | sort -u > out.txt; ", kBytes)},
      {"cwd", "/srv"}};
}
base::Json Argv() {
  base::JsonArray argv;
  for (int i = 0; i < 20'000; ++i) {
    argv.emplace_back("--item=" + std::to_string(i) + " of a list of some forty characters");
  }
  return base::JsonObject{{"argv", argv}, {"cwd", "/srv"}};
}
// Lines of about `width` bytes; each `step`th one differs between the sides.
base::Json Change(std::size_t width, std::size_t step) {
  std::string before;
  std::string after;
  for (std::size_t i = 0; before.size() < kBytes / 2; ++i) {
    const std::string line = std::to_string(i) + std::string(width - 8, 'x') + "\n";
    before += line;
    after += i % step == 0 ? "y" + line : line;
  }
  return base::JsonObject{{"file", "a.txt"}, {"before", before}, {"after", after}};
}
base::Json TenthLine() { return Change(50, 10); }
base::Json NothingShared() { return Change(50, 1); }
base::Json LargestTable() { return Change(256, 10); }
base::Json Keys() {
  base::JsonObject object;
  for (int i = 0; i < 100'000; ++i) object["k" + std::to_string(i)] = i % 10;
  return object;
}
base::Json Texts() {
  base::JsonObject object;
  for (int i = 0; i < 40'000; ++i) object["k" + std::to_string(i)] = "value " + std::to_string(i);
  return object;
}
base::Json Binary() {
  std::string bytes(kBytes * 3 / 4, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 7 + i / 251);
  return base::JsonObject{{"base64", base::Base64Encode(bytes)}, {"name", "a.bin"}};
}

// Each from the request, as a channel does it.
std::size_t Block(const gate::RequestModel& request) {
  return CanonicalBlock(request.payload.value.value, "c")->text.size();
}

Card CardFor(const gate::RequestModel& request, Surface surface) {
  CardOptions options;
  options.surface = surface;
  return BuildCard(request, kTestNow, options);
}

std::size_t CardAlone(const gate::RequestModel& request) {
  return CardFor(request, Surface::kCli).content.size();
}

std::size_t Terminal(const gate::RequestModel& request) {
  const Card card = CardFor(request, Surface::kCli);
  return channels::cli::FramedRows(channels::cli::CardDocument(card), {}).size() +
         channels::cli::RowsOf(channels::cli::BytesDocument(card), {}).size();
}

std::size_t Telegram(const gate::RequestModel& request) {
  const Card card = CardFor(request, Surface::kTelegram);
  const telegram::CardText text = telegram::ComposeCard(card, {});
  return text.Open().size() + telegram::DocumentOf(card).bytes.size();
}

std::size_t Page(const gate::RequestModel& request) {
  channels::web::RequestPage page;
  page.card = CardFor(request, Surface::kWeb);
  page.settlement.state = gate::State::kRequested;
  page.all_lines = true;
  return channels::web::RequestHtml({}, page).size();
}

double CpuMs() { return static_cast<double>(std::clock()) * 1000 / CLOCKS_PER_SEC; }

using Surfaced = std::size_t (*)(const gate::RequestModel&);

void Run(benchmark::State& state, base::Json (*payload)(), Surfaced surface) {
  // As it comes out of the store: members in canonical order.
  const gate::RequestModel request = RequestFor(Parsed(*base::Canonicalize(payload())));
  const std::string& bytes = request.payload.value.text;
  const double start = CpuMs();
  constexpr int kHashes = 10;
  for (int i = 0; i < kHashes; ++i) benchmark::DoNotOptimize(base::Sha256Hex(bytes));
  const double hash_ms = (CpuMs() - start) / kHashes;
  const double begin = CpuMs();
  for (auto _ : state) benchmark::DoNotOptimize(surface(request));
  const double ms = (CpuMs() - begin) / static_cast<double>(state.iterations());
  state.counters["of_sha256"] = hash_ms > 0 ? ms / hash_ms : 0;
  state.counters["payload_bytes"] = static_cast<double>(bytes.size());
}

struct Named {
  const char* name;
  base::Json (*payload)();
};

constexpr Named kPayloads[] = {
    {"prose", Prose},          {"one_line", OneLine},       {"mixed_scripts", Mixed},
    {"marks", Marks},          {"controls", Controls},      {"look_alikes", LookAlikes},
    {"spaces", Spaces},        {"command", Command},        {"argv_20000", Argv},
    {"diff_tenth", TenthLine}, {"diff_all", NothingShared}, {"diff_table", LargestTable},
    {"keys_100000", Keys},     {"texts_40000", Texts},      {"binary", Binary}};

constexpr std::pair<const char*, Surfaced> kSurfaces[] = {{"block", Block},
                                                          {"card", CardAlone},
                                                          {"terminal", Terminal},
                                                          {"telegram", Telegram},
                                                          {"page", Page}};

}  // namespace
}  // namespace approval::render

int main(int argc, char** argv) {
  using namespace approval::render;
  for (const Named& payload : kPayloads) {
    for (const auto& [surface, function] : kSurfaces) {
      const std::string name = std::string(payload.name) + "/" + surface;
      benchmark::RegisterBenchmark(name.c_str(), Run, payload.payload, function)
          ->Unit(benchmark::kMillisecond);
    }
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
