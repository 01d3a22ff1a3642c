#include <algorithm>
#include <map>

#include "channels/cli/line_front.h"
#include "channels/cli/terminal_channel.h"
#include "tests/channels/conformance/harnesses.h"

namespace approval::testing {
namespace {

namespace cli = channels::cli;

std::string Joined(const std::vector<std::string>& lines, std::size_t from, std::size_t to) {
  std::string out;
  for (std::size_t i = from; i < to; ++i) out += (i == from ? "" : "\n") + lines[i];
  return out;
}

// `[computed] budgets: ...  (budgets)`
void AddRow(const std::string& line, std::vector<RenderedField>& fields) {
  const bool claimed = line.rfind("  [claimed]  ", 0) == 0;
  const std::string start = claimed ? "  [claimed]  " : "[computed] ";
  if (line.rfind(start, 0) != 0) return;
  const std::size_t colon = line.find(": ", start.size());
  if (colon == std::string::npos) return;
  fields.push_back(
      {line.substr(start.size(), colon - start.size()), claimed, line.substr(colon + 2)});
}

class Terminal final : public ChannelUnderTest {
 public:
  explicit Terminal(Bench& bench) : bench_(bench) {}

  std::string name() const override { return "cli"; }
  channels::Health health() const override { return {true, "the terminal needs nothing"}; }

  std::vector<Rendered> Show() override {
    std::vector<Rendered> out;
    const auto view = bench_.Look();
    for (const gate::RequestModel& request : view->requests) {
      channels::QueueView one = *view;
      one.requests = {request};
      shown_[request.action_key.value] = one;
      out.push_back(Read(one));
    }
    return out;
  }

  std::string Press(const std::string& key, channels::Gesture gesture) override {
    const auto found = shown_.find(key);
    if (found == shown_.end()) return "never shown";
    const std::string word = gesture == channels::Gesture::kGrant ? "g" : "r";
    bool typed = false;
    const auto read = [&](const std::string& prompt,
                          const std::function<bool()>&) -> std::optional<cli::Typed> {
      if (prompt == "type yes to approve: ") return cli::Typed{"yes"};
      if (prompt != "> ") return cli::Typed{"no more"};
      if (typed) return std::nullopt;
      typed = true;
      return cli::Typed{word};
    };
    const std::vector<std::string> lines = Run(found->second, read);
    return Joined(lines, 0, lines.size());
  }

 private:
  std::vector<std::string> Run(const channels::QueueView& view, const cli::ReadLine& read) {
    std::vector<std::string> lines;
    std::vector<std::string> seen;
    cli::LineFront front(read, [&lines](const std::string& line) { lines.push_back(line); },
                         {false, 0});
    cli::AskAll(view, bench_.runtime, front, bench_.rig.clock, seen);
    return lines;
  }

  // Types d, p and s, and takes the screen apart at the prompts.
  Rendered Read(const channels::QueueView& view) {
    Rendered out;
    std::vector<std::string> lines;
    std::vector<std::string> seen;
    std::vector<std::size_t> prompts;
    const std::vector<std::string> words{"d", "p", "s"};
    cli::LineFront front(
        [&](const std::string&, const std::function<bool()>&) -> std::optional<cli::Typed> {
          prompts.push_back(lines.size());
          return cli::Typed{words.at(prompts.size() - 1)};
        },
        [&lines](const std::string& line) { lines.push_back(line); }, {false, 0});
    cli::AskAll(view, bench_.runtime, front, bench_.rig.clock, seen);
    out.text = Joined(lines, 0, lines.size());
    for (std::size_t i = prompts.at(0); i < prompts.at(1); ++i) AddRow(lines[i], out.fields);
    AddClaimedLines(Joined(lines, 0, prompts.at(0)), out.fields);
    // Above the bytes stand a rule and a title, behind them their digest and the keys.
    out.payload = Joined(lines, prompts.at(1) + 2, prompts.at(2) - 2);
    for (const RenderedField& field : out.fields) {
      if (field.label == "action key") {
        out.action_key = field.text.substr(0, field.text.rfind("  ("));
      }
    }
    return out;
  }

  Bench& bench_;
  std::map<std::string, channels::QueueView> shown_;
};

}  // namespace

void AddClaimedLines(const std::string& text, std::vector<RenderedField>& fields) {
  static const std::string kSays = " says (unverified)";
  for (std::size_t at = text.find(kSays); at != std::string::npos; at = text.find(kSays, at + 1)) {
    // Behind it `: label: text` or `, label: text`.
    const std::size_t label = at + kSays.size() + 2;
    const std::size_t colon = text.find(": ", label);
    if (colon == std::string::npos) continue;
    const std::size_t end = std::min(text.find('\n', colon), text.size());
    fields.push_back(
        {text.substr(label, colon - label), true, text.substr(colon + 2, end - colon - 2)});
  }
}

std::unique_ptr<ChannelUnderTest> TerminalUnderTest(Bench& bench) {
  return std::make_unique<Terminal>(bench);
}

}  // namespace approval::testing
