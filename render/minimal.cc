#include "render/minimal.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/base/canonical.h"
#include "render/card.h"
#include "render/quote.h"

namespace approval::render {
namespace {

constexpr std::size_t kMostOfAField = 280;  // code points

// Classes that a policy may not word (channels.md 1.10).
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kOwnPhrases = {
    {{"network.call", "reach another server over the network"},
     {"read.web", "read a page on the web"},
     {"browser.exec", "act in a web browser"},
     {"cron.manage", "change what runs on a schedule"},
     {"process.write", "type into a running program"},
     {"skill.manage", "change one of its own skills"},
     {"agent.delegate", "hand work to another agent"},
     {"message.send", "send a message"},
     {"files.delete.scratch", "delete scratch files"}}};

std::string PhraseOf(const Card& card, const std::string& action_class, const Saying* saying) {
  for (const auto& [name, phrase] : kOwnPhrases) {
    if (name == action_class) return std::string(phrase);
  }
  if (saying != nullptr && saying->does) return QuoteLine(*saying->does);
  // The headline of the shape is a sentence of ours in plain letters.
  std::string phrase = card.headline;
  phrase[0] = static_cast<char>(phrase[0] - 'A' + 'a');
  const std::string name = QuoteLine(action_class);
  return phrase.ends_with(name) ? phrase : phrase + " (" + name + ")";
}

bool IsAboutPolicy(const gate::RequestModel& request) {
  const std::string& name = request.action_class.value;
  return name == "policy" || name.starts_with("policy.") || name.starts_with("log.") ||
         request.protected_path.value.has_value();
}

bool IsAbnormal(const gate::RequestModel& request) {
  const auto& budgets = request.budgets.value;
  return request.autonomy.value != "manual" ||
         request.attestation.value.status != gate::AttestationView::Status::kAttested ||
         std::any_of(budgets.begin(), budgets.end(), [](const auto& b) { return !b.pass; });
}

// Why the fields of an opaque payload cannot stand for it.
std::optional<std::string> QuoteFault(const base::Json& payload, const Saying* saying) {
  if (saying == nullptr || saying->quote.empty()) return "undeclared";
  if (!payload.is_object()) return "nothing-quoted";
  bool quotes = false;
  for (const auto& member : payload.get_object()) {
    const auto declared = saying->quote.find(std::string(member.key()));
    if (declared == saying->quote.end()) return "unlisted-key";
    quotes = quotes || declared->second.has_value();
  }
  if (!quotes) return "nothing-quoted";
  return std::nullopt;
}

std::optional<std::string> FallbackOf(const Card& card, const gate::RequestModel& request,
                                      const Saying* saying) {
  if (IsAboutPolicy(request)) return "policy";
  if (!card.complete) return "no-payload";
  if (IsAbnormal(request)) return "anomaly";
  if (card.shape == Shape::kOpaque) {
    if (auto fault = QuoteFault(request.payload.value.value, saying)) return fault;
  }
  if (request.display_hash.value && *request.display_hash.value != card.display_hash) {
    return "digest";
  }
  return std::nullopt;
}

void Join(std::string& list, const std::string& name) { list += (list.empty() ? "" : ", ") + name; }

void QuoteFields(Card& card, const base::JsonObject& payload, const Saying& saying) {
  card.key_lines.clear();
  card.content.clear();
  card.content_label.clear();
  card.content_lines_left_out = 0;
  std::string cut;
  std::string left_off;
  for (const auto& [key, label] : saying.quote) {
    const base::Json* value = payload.if_contains(key);
    if (value == nullptr) continue;
    const std::string name = QuoteLine(key);
    if (!label) {
      Join(left_off, name);
      continue;
    }
    const std::string text = value->is_string() ? std::string(value->get_string())
                                                : base::Canonicalize(*value).value_or("");
    std::string shown = QuoteLine(text, kMostOfAField);
    if (shown != QuoteLine(text)) Join(cut, name);
    card.key_lines.push_back({QuoteLine(*label), std::move(shown)});
  }
  if (!cut.empty()) card.notices.push_back("cut on this card: " + cut);
  if (!left_off.empty()) card.notices.push_back("in the request, left off this card: " + left_off);
}

}  // namespace

void MakeMinimal(Card& card, const gate::RequestModel& request, const MinimalStyle& style) {
  const auto found = style.say.find(request.action_class.value);
  const Saying* saying = found == style.say.end() ? nullptr : &found->second;
  if (auto fallback = FallbackOf(card, request, saying)) {
    card.rendering = gate::Rendering{"technical", std::move(fallback)};
    return;
  }
  card.rendering = gate::Rendering{"minimal", std::nullopt};
  card.headline = "Your agent wants to " + PhraseOf(card, request.action_class.value, saying);
  if (card.shape == Shape::kOpaque) {
    QuoteFields(card, request.payload.value.value.get_object(), *saying);
  }
  const std::size_t lines = card.content.size() + card.content_lines_left_out;
  if (card.shape == Shape::kCommand && lines > 1) {
    card.notices.push_back("the command has " + Plural(lines, "line"));
  }
  const bool drop_summary = saying != nullptr && !saying->with_summary;
  std::erase_if(card.claimed, [&](const ClaimedLine& line) {
    return (drop_summary && line.label == "summary") ||
           (line.label == "est. cost" && request.est_cost.value == base::Micros{0});
  });
}

}  // namespace approval::render
