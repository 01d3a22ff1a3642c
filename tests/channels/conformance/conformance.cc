#include "tests/channels/conformance/conformance.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/base/encoding.h"
#include "render/canonical_block.h"
#include "tests/channels/conformance/texts.h"

namespace approval::testing {
namespace {

using channels::Gesture;

constexpr const char* kClass = "communicate.email.external";
constexpr const char* kKey = "task-1:chaser";

// One check at work: a bench and the channel on it.
struct Stage {
  explicit Stage(const MakeChannel& make) : channel(make(bench)) {}

  std::size_t Records() const { return bench.rig.Count(); }

  // The code of the newest report that reached the gate; "none" when none did since `before`.
  std::string CodeSince(std::size_t before) const {
    const auto seen = bench.runtime.seen();
    if (seen.size() <= before) return "none";
    return seen.back().outcome.ok ? "ok" : std::string(base::Spelling(seen.back().outcome.code));
  }

  Bench bench;
  std::unique_ptr<ChannelUnderTest> channel;
};

std::string BlockOf(const base::Json& payload) {
  const auto block = render::CanonicalBlock(payload, kClass);
  return block ? block->text : std::string();
}

// Whether a member of this label is claimed; nothing for a label of no member.
std::optional<bool> IsClaimedMember(const std::string& label) {
  static const std::set<std::string> kClaimed{"summary", "est. cost", "rationale", "confidence"};
  static const std::set<std::string> kComputed{
      "action key", "task",           "class",     "autonomy",       "resolved by", "state",
      "requested",  "waiting",        "ttl",       "payload sha256", "policy",      "budgets",
      "chain",      "token delivery", "reversible"};
  if (kClaimed.count(label) > 0) return true;
  if (kComputed.count(label) > 0) return false;
  return std::nullopt;
}

std::string Tagging(const MakeChannel& make) {
  Stage stage(make);
  if (!stage.bench.Ask(kKey)) return "the bench could not ask";
  const auto shown = stage.channel->Show();
  if (shown.size() != 1) return "one request waits and is not shown once";
  if (shown[0].action_key != kKey) return "the action key is shown as " + shown[0].action_key;
  if (shown[0].fields.empty()) return "no field is rendered";
  for (const RenderedField& field : shown[0].fields) {
    const auto claimed = IsClaimedMember(field.label);
    if (!claimed) return "a field names no member: " + field.label;
    if (*claimed != field.claimed) return field.label + " is rendered as the other kind";
  }
  return {};
}

std::string Basics(const MakeChannel& make) {
  Stage stage(make);
  static const std::set<std::string> kNames{"cli", "web", "telegram"};
  if (kNames.count(stage.channel->name()) == 0) return "the name is no channel's";
  if (!stage.channel->health().ok) return "not healthy: " + stage.channel->health().detail;
  if (!stage.bench.Ask(kKey)) return "the bench could not ask";
  const std::size_t before = stage.Records();
  stage.channel->Show();
  return stage.Records() == before ? std::string() : "showing appended to the log";
}

std::string FullPayload(const MakeChannel& make) {
  Stage stage(make);
  if (!stage.bench.Ask(kKey)) return "the bench could not ask";
  const auto shown = stage.channel->Show();
  if (shown.size() != 1 || shown[0].payload.empty()) return "the payload has no region";
  const std::string& region = shown[0].payload;
  if (region != BlockOf(Letter())) return "the region is not the canonical block";
  for (const char* part : {"agency@example.org", "Deposit", "Hello"}) {
    if (region.find(part) == std::string::npos) return std::string("missing: ") + part;
  }
  for (const RenderedField& field : shown[0].fields) {
    if (field.label != "summary") continue;
    if (!field.claimed) return "the summary is not claimed";
    if (field.text == region) return "the region is the summary";
  }
  return {};
}

std::string OneGesture(const MakeChannel& make, Gesture gesture) {
  Stage stage(make);
  if (!stage.bench.Ask(kKey)) return "the bench could not ask";
  stage.channel->Show();
  const std::size_t before = stage.Records();
  const std::string told = stage.channel->Press(kKey, gesture);
  if (stage.Records() != before + 1) return "one gesture is not one record: " + told;
  const log::Record record = stage.bench.rig.Last();
  const bool grant = gesture == Gesture::kGrant;
  if (record.event != (grant ? "approval.granted" : "approval.rejected")) return record.event;
  if (record.action_key != kKey) return "the record is of another key";
  if (record.actor.rfind("human:", 0) != 0) return "decided by " + record.actor;
  if (record.channel != stage.channel->name()) return "the record does not name the channel";
  if (record.payload.contains("batch_delivery_id")) return "a single decision names a batch";
  const auto seen = stage.bench.runtime.seen();
  if (seen.size() != 1) return "not exactly one report";
  if (seen[0].report.delivery_id.empty()) return "the delivery has no id";
  if (grant && !seen[0].outcome.token_issued) return "no token was issued";
  const std::string digest = stage.bench.rig.LastText("token_sha256");
  if (HoldsToken(told + " " + seen[0].outcome.sentence, digest)) return "the token is told";
  return {};
}

std::string RoundTrip(const MakeChannel& make) {
  std::string problem = OneGesture(make, Gesture::kGrant);
  return problem.empty() ? OneGesture(make, Gesture::kReject) : problem;
}

std::string TwoAtOnce(const MakeChannel& make) {
  Stage stage(make);
  const base::Json second = Letter("Another");
  if (!stage.bench.Ask("task-1:a") || !stage.bench.Ask("task-2:b", second)) {
    return "the bench could not ask";
  }
  const auto shown = stage.channel->Show();
  if (shown.size() != 2) return "two requests wait, shown: " + std::to_string(shown.size());
  if (shown[0].action_key != "task-1:a" || shown[1].action_key != "task-2:b") {
    return "not the oldest first";
  }
  if (shown[0].payload != BlockOf(Letter()) || shown[1].payload != BlockOf(second)) {
    return "a request is shown with the payload of another";
  }
  stage.channel->Press("task-2:b", Gesture::kReject);
  if (stage.bench.rig.Last().action_key != "task-2:b") return "the gesture met another request";
  stage.channel->Press("task-1:a", Gesture::kGrant);
  if (stage.bench.rig.Last().event != "approval.granted") return "the second gesture is lost";
  const auto seen = stage.bench.runtime.seen();
  if (seen.size() != 2) return "two gestures are not two reports";
  if (seen[0].report.delivery_id == seen[1].report.delivery_id) return "one delivery for two";
  return {};
}

// Presses again and again: whatever reaches the gate is refused with this code, nothing is appended
// and nobody is told of an approval.
std::string DeadFor(Stage& stage, Gesture gesture, std::string_view code) {
  const std::size_t records = stage.Records();
  const std::size_t reports = stage.bench.runtime.seen().size();
  const std::string told = stage.channel->Press(kKey, gesture);
  if (stage.Records() != records) return "a dead request was decided";
  const std::string met = stage.CodeSince(reports);
  if (met != "none" && met != code) return "the gate answered " + met;
  return told.empty() ? "the person is told nothing" : std::string();
}

std::string Withdrawal(const MakeChannel& make) {
  Stage stage(make);
  if (!stage.bench.Ask(kKey)) return "the bench could not ask";
  const auto shown = stage.channel->Show();
  if (shown.size() != 1) return "not shown";
  const channels::QueueView view = *stage.bench.Look();
  if (view.requests.at(0).waiting.source != "clock") return "`waiting` is not computed";
  for (const RenderedField& field : shown[0].fields) {
    if (field.label != "waiting") continue;
    if (field.claimed) return "`waiting` is rendered as claimed";
    if (field.text.find("requested") == std::string::npos) return "`waiting` names no request";
  }
  if (!stage.bench.rig.gate.Withdraw("task-1", kKey, "agent:claude", "cancelled", std::nullopt)) {
    return "the bench could not withdraw";
  }
  std::string problem = DeadFor(stage, Gesture::kGrant, "request-withdrawn");
  if (!problem.empty()) return problem;
  if (!stage.channel->Show().empty()) return "a withdrawn request is still shown";
  problem = DeadFor(stage, Gesture::kReject, "request-withdrawn");
  if (!problem.empty()) return problem;
  channels::Report late;
  late.action_key = kKey;
  late.gesture = Gesture::kGrant;
  late.request_hash = view.requests.at(0).chain.value.hash;
  const channels::Outcome outcome = stage.bench.runtime.Decide(stage.channel->name(), late);
  return outcome.code == base::Code::kRequestWithdrawn ? std::string() : "the gate took it";
}

std::string Decided(const MakeChannel& make) {
  Stage stage(make);
  if (!stage.bench.Ask(kKey)) return "the bench could not ask";
  stage.channel->Show();
  stage.channel->Press(kKey, Gesture::kGrant);
  if (stage.bench.rig.Last().event != "approval.granted") return "the first gesture is lost";
  for (const Gesture gesture : {Gesture::kGrant, Gesture::kReject}) {
    const std::string problem = DeadFor(stage, gesture, "already-decided");
    if (!problem.empty()) return problem;
  }
  if (!stage.channel->Show().empty()) return "a decided request is still shown as waiting";
  return DeadFor(stage, Gesture::kReject, "already-decided");
}

// A claimed value takes no line that a computed value could own; nothing hidden survives anywhere.
std::string Quoting(const MakeChannel& make) {
  for (const std::string& hostile : HostileTexts()) {
    for (const bool claimed : {true, false}) {
      Stage stage(make);
      const base::Json payload = claimed ? Letter() : Letter(hostile);
      if (!stage.bench.Ask(kKey, payload, claimed ? hostile : "Send the chaser")) {
        return "the bench could not ask";
      }
      const auto shown = stage.channel->Show();
      if (shown.size() != 1) return "not shown: " + base::HexEncode(hostile);
      if (const auto hidden = FirstHidden(shown[0].text)) return "unmarked: " + *hidden;
      if (claimed && LineBegins(shown[0].text, kForged)) {
        return "a claim begins a line: " + shown[0].text;
      }
      if (shown[0].payload != BlockOf(payload)) return "the payload is not shown whole";
    }
  }
  return {};
}

std::string Completeness(const MakeChannel& make) {
  for (const auto& [one, other] : NearPairs()) {
    std::array<std::string, 2> texts;
    std::size_t at = 0;
    for (const base::Json* payload : {&one, &other}) {
      Stage stage(make);
      if (!stage.bench.Ask(kKey, *payload)) return "the bench could not ask";
      const auto shown = stage.channel->Show();
      if (shown.size() != 1) return "not shown";
      texts.at(at++) = WithoutDigests(shown[0].payload);
    }
    if (texts[0] == texts[1]) return "two payloads look alike:\n" + texts[0];
  }
  return {};
}

std::string Truncation(const MakeChannel& make) {
  {
    Stage stage(make);
    std::string body = "the start\n";
    body.append(50'000, 'x');
    body += "\nthe end";
    const base::Json large = Letter(body);
    if (!stage.bench.Ask(kKey, large)) return "the bench could not ask";
    const auto shown = stage.channel->Show();
    if (shown.size() != 1 || shown[0].payload != BlockOf(large)) return "a large one is cut";
  }
  {
    Stage stage(make);
    if (!stage.bench.Ask(kKey)) return "the bench could not ask";
    stage.bench.runtime.SpoilPayloads();
    stage.channel->Show();
    const std::size_t before = stage.Records();
    stage.channel->Press(kKey, Gesture::kGrant);
    if (stage.Records() != before) return "granted although the bytes were not shown";
  }
  return {};
}

using Check = std::string (*)(const MakeChannel&);
constexpr std::array<Check, 10> kChecks{Tagging,    Basics,  FullPayload, RoundTrip,    TwoAtOnce,
                                        Withdrawal, Decided, Quoting,     Completeness, Truncation};

}  // namespace

Finding CheckOne(const MakeChannel& make, int number) {
  const std::string problem = kChecks.at(static_cast<std::size_t>(number - 1))(make);
  return problem.empty() ? Finding{} : Finding{number, problem};
}

Finding CheckConformance(const MakeChannel& make) {
  for (int number = 1; number <= static_cast<int>(kChecks.size()); ++number) {
    Finding finding = CheckOne(make, number);
    if (finding.check != 0) return finding;
  }
  return {};
}

}  // namespace approval::testing
