#include "render/rows.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "core/base/canonical.h"
#include "render/facts.h"
#include "render/quote.h"
#include "render/words.h"

namespace approval::render {
namespace {

enum class Show { kAlways, kAbnormal, kOff };

struct Default {
  std::string_view name;
  Show show;
};

using Defaults = std::vector<Default>;

const Defaults& TelegramDefaults() {
  static const Defaults rows = {
      {"action_key", Show::kOff},
      {"task", Show::kOff},
      {"class", Show::kAlways},
      {"command_breakdown", Show::kAlways},
      {"protected_path", Show::kAlways},
      {"policy_diff", Show::kAlways},
      {"policy_load", Show::kAlways},
      {"autonomy", Show::kAbnormal},
      {"budgets", Show::kAbnormal},
      {"attestation", Show::kAbnormal},
      {"provenance", Show::kOff},
      {"state", Show::kOff},
      {"requested_ts", Show::kOff},
      {"waiting", Show::kAlways},
      {"ttl_remaining_ms", Show::kOff},
      {"payload_hash", Show::kOff},
      {"chain", Show::kOff},
      {"token_delivery", Show::kOff},
      {"gloss", Show::kAlways},
      {"summary", Show::kAlways},
      {"est_cost_usd", Show::kAlways},
      {"rationale", Show::kAlways},
      {"confidence", Show::kAlways},
  };
  return rows;
}

const Defaults& ScreenDefaults() {
  static const Defaults rows = {
      {"action_key", Show::kAlways},
      {"task", Show::kAlways},
      {"class", Show::kAlways},
      {"command_breakdown", Show::kAlways},
      {"protected_path", Show::kAlways},
      {"policy_diff", Show::kAlways},
      {"policy_load", Show::kAlways},
      {"autonomy", Show::kAlways},
      {"provenance", Show::kAlways},
      {"state", Show::kAlways},
      {"requested_ts", Show::kAlways},
      {"waiting", Show::kAlways},
      {"ttl_remaining_ms", Show::kAlways},
      {"payload_hash", Show::kAlways},
      {"attestation", Show::kAlways},
      {"budgets", Show::kAlways},
      {"chain", Show::kAlways},
      {"est_cost_usd", Show::kAlways},
      {"gloss", Show::kAlways},
      {"summary", Show::kAlways},
      {"rationale", Show::kAlways},
      {"confidence", Show::kAlways},
      {"token_delivery", Show::kAlways},
  };
  return rows;
}

bool Holds(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The warning sign says "abnormal" and is ours alone.
std::string QuoteUnsigned(std::string_view text) {
  constexpr std::string_view kSign = "⚠";
  constexpr std::string_view kStyle = "\uFE0F";
  std::string quoted = QuoteLine(text);
  for (std::size_t at = quoted.find(kSign); at != std::string::npos; at = quoted.find(kSign, at)) {
    const std::size_t after = at + kSign.size();
    const bool styled = std::string_view(quoted).substr(after).starts_with(kStyle);
    quoted.replace(at, kSign.size() + (styled ? kStyle.size() : 0),
                   styled ? "«U+26A0»«U+FE0F»" : "«U+26A0»");
  }
  return quoted;
}

class Builder {
 public:
  Builder(const gate::RequestModel& request, std::int64_t now_ms,
          const std::optional<LocalTime>& local) {
    Computed("action_key", "action key", request.action_key.source,
             QuoteUnsigned(request.action_key.value));
    Optional("task", "task", request.task);
    Computed("class", "class", request.action_class.source,
             QuoteUnsigned(request.action_class.value));
    Optional("command_breakdown", "commands", request.command_breakdown);
    Optional("protected_path", "protected path", request.protected_path);
    Computed("autonomy", "autonomy", request.autonomy.source, QuoteUnsigned(request.autonomy.value),
             request.autonomy.value != "manual");
    Computed("provenance", "resolved by", request.provenance.source,
             QuoteUnsigned(request.provenance.value));
    Computed("state", "state", request.state.source, QuoteUnsigned(request.state.value));
    Computed("requested_ts", "requested", "log", QuoteUnsigned(request.waiting.value.requested_ts));
    Computed("waiting", "waiting", request.waiting.source,
             WaitingLine(request.waiting.value, now_ms, local));
    Computed("ttl_remaining_ms", "ttl", request.ttl_remaining_ms.source,
             LeftWords(request.ttl_remaining_ms.value));
    Computed("payload_hash", "payload sha256", request.payload_hash.source,
             QuoteUnsigned(request.payload_hash.value));
    using Status = gate::AttestationView::Status;
    Computed("attestation", "policy", request.attestation.source,
             AttestationText(request.attestation.value),
             request.attestation.value.status != Status::kAttested);
    const auto& budgets = request.budgets.value;
    Computed("budgets", "budgets", request.budgets.source, BudgetsText(budgets),
             std::any_of(budgets.begin(), budgets.end(), [](const auto& b) { return !b.pass; }));
    Computed("chain", "chain", request.chain.source, ChainText(request.chain.value));
    if (request.token_delivery.value) {
      Computed("token_delivery", "token delivery", request.token_delivery.source,
               "sealed to x25519:" + QuoteLine(*request.token_delivery.value));
    }
    Claims(request);
    if (request.reversible.value) {
      Computed("reversible", "reversible", request.reversible.source,
               *request.reversible.value ? "yes, says the envelope" : "no, it cannot be undone");
    }
  }

  const Row* Find(std::string_view name) const {
    const auto row =
        std::find_if(rows_.begin(), rows_.end(), [name](const Row& r) { return r.name == name; });
    return row == rows_.end() ? nullptr : &*row;
  }

  const std::vector<Row>& All() const { return rows_; }

 private:
  void Computed(std::string name, std::string label, const std::string& source, std::string text,
                bool abnormal = false) {
    rows_.push_back({std::move(name), std::move(label), (abnormal ? "⚠ " : "") + text,
                     Kind::kComputed, QuoteLine(source), abnormal});
  }

  void Optional(std::string name, std::string label,
                const gate::Computed<std::optional<std::string>>& field) {
    if (!field.value) return;
    Computed(std::move(name), std::move(label), field.source, QuoteUnsigned(*field.value));
  }

  void Claim(std::string name, std::string label, const std::string& author, std::string text) {
    rows_.push_back({std::move(name), std::move(label), std::move(text), Kind::kClaimed,
                     QuoteUnsigned(author), false});
  }

  void Claims(const gate::RequestModel& request) {
    if (request.summary.value) {
      Claim("summary", "summary", request.summary.author, QuoteUnsigned(*request.summary.value));
    }
    if (request.est_cost.value) {
      Claim("est_cost_usd", "est. cost", request.est_cost.author,
            base::DollarText(*request.est_cost.value));
    }
    if (request.rationale.value) {
      Claim("rationale", "rationale", request.rationale.author,
            QuoteUnsigned(*request.rationale.value));
    }
    if (request.confidence.value && std::isfinite(*request.confidence.value)) {
      Claim("confidence", "confidence", request.confidence.author,
            base::NumberText(*request.confidence.value));
    }
  }

  std::vector<Row> rows_;
};

// The surface's order with the policy's names first.
std::vector<std::string> Order(const Defaults& defaults, const PromptRows& prompt) {
  std::vector<std::string> order;
  const auto known = [&](std::string_view name) {
    return std::any_of(defaults.begin(), defaults.end(),
                       [name](const Default& d) { return d.name == name; });
  };
  for (const std::string& name : prompt.rows) {
    if (known(name) && !Holds(order, name)) order.push_back(name);
  }
  for (const Default& row : defaults) {
    if (!Holds(order, row.name)) order.emplace_back(row.name);
  }
  return order;
}

}  // namespace

// `action_key` is the second line of a Telegram card, not a bullet; it is required all the same.
bool IsRequiredRow(std::string_view name) {
  static constexpr std::string_view kRequired[] = {
      "action_key", "class", "command_breakdown", "protected_path", "policy_diff", "policy_load"};
  return std::find(std::begin(kRequired), std::end(kRequired), name) != std::end(kRequired);
}

bool StandsOnCard(const Row& row) {
  return row.name == "protected_path" || row.name == "policy_diff" || row.name == "policy_load";
}

std::vector<Row> BuildRows(const gate::RequestModel& request, std::int64_t now_ms, Surface surface,
                           const PromptRows& prompt) {
  const bool telegram = surface == Surface::kTelegram;
  const Defaults& defaults = telegram ? TelegramDefaults() : ScreenDefaults();
  const Builder builder(request, now_ms, prompt.local);
  const auto shown = [&](const Row& row, Show by_default) {
    if (Holds(prompt.hide, row.name) && !IsRequiredRow(row.name)) return false;
    if (Holds(prompt.always, row.name)) return true;
    return by_default == Show::kAlways || (by_default == Show::kAbnormal && row.abnormal);
  };
  std::vector<Row> out;
  for (const std::string& name : Order(defaults, prompt)) {
    const auto found = std::find_if(defaults.begin(), defaults.end(),
                                    [&](const Default& d) { return d.name == name; });
    const Row* row = builder.Find(name);
    if (row != nullptr && shown(*row, found->show)) out.push_back(*row);
  }
  for (const Row& row : builder.All()) {
    const bool listed = std::any_of(defaults.begin(), defaults.end(),
                                    [&](const Default& d) { return d.name == row.name; });
    if (!listed && !telegram) out.push_back(row);
  }
  // The side a row lands on comes from its tag, after ordering.
  std::stable_partition(out.begin(), out.end(),
                        [](const Row& row) { return row.kind == Kind::kComputed; });
  return out;
}

}  // namespace approval::render
