#include "core/policy/intake.h"

#include <algorithm>

#include "core/policy/authorisations.h"
#include "core/policy/pattern.h"

namespace approval::policy {
namespace {

constexpr std::int64_t kHourMs = 3'600'000;

IntakeVerdict Judge(std::string limit, std::string scope, bool is_pending, std::int64_t observed,
                    base::Micros ceiling) {
  IntakeVerdict out;
  out.limit = std::move(limit);
  out.scope = std::move(scope);
  out.window = is_pending ? "simultaneous" : "rolling-1h";
  out.refusal = is_pending ? base::Code::kQueueFull : base::Code::kRateLimited;
  out.observed = observed;
  out.ceiling = ceiling / kMicrosPerUnit;
  out.remaining = out.ceiling - out.observed - out.requested;
  out.pass = out.remaining >= 0;
  return out;
}

// Requests of the actor in classes of the pattern that carries the limit.
std::int64_t RequestsInHour(std::span<const log::Record> records, const std::string& pattern,
                            const IntakeQuestion& question) {
  return std::count_if(records.begin(), records.end(), [&](const log::Record& record) {
    return record.event == "approval.requested" && record.actor == question.actor &&
           IsWithin(record, *question.now_ms, kHourMs) && Matches(pattern, ClassOf(record));
  });
}

}  // namespace

std::optional<IntakeVerdict> CheckIntake(std::span<const log::Record> records, const Policy& policy,
                                         const Resolution& resolution,
                                         const IntakeQuestion& question) {
  const auto& pending = question.pending_classes;
  if (resolution.limits && resolution.pattern) {
    for (const auto& [name, ceiling] : *resolution.limits) {
      if (name != "max_pending" && name != "requests_per_hour") continue;
      const bool is_pending = name == "max_pending";
      std::int64_t observed = 0;
      if (is_pending) {
        observed = std::count_if(pending.begin(), pending.end(), [&](const std::string& waiting) {
          return Matches(*resolution.pattern, waiting);
        });
      } else if (question.now_ms) {
        observed = RequestsInHour(records, *resolution.pattern, question);
      }
      IntakeVerdict verdict = Judge(name, "class", is_pending, observed, ceiling);
      verdict.pass = verdict.pass && (is_pending || question.now_ms);
      if (!verdict.pass) return verdict;
    }
  }
  for (const auto& [scope, limits] : policy.budgets) {
    const auto found = limits.find("max_pending");
    if (found == limits.end()) continue;
    IntakeVerdict verdict = Judge(scope + ".max_pending", "global", true,
                                  static_cast<std::int64_t>(pending.size()), found->second);
    if (!verdict.pass) return verdict;
  }
  return std::nullopt;
}

base::JsonObject IntakeVerdictJson(const IntakeVerdict& verdict) {
  const std::string_view refusal = base::Spelling(verdict.refusal);
  base::JsonObject out;
  out["limit"] = verdict.limit;
  out["scope"] = verdict.scope;
  out["window"] = verdict.window;
  out["refusal"] = boost::json::string_view(refusal.data(), refusal.size());
  out["observed"] = verdict.observed;
  out["requested"] = verdict.requested;
  out["remaining"] = verdict.remaining;
  out["ceiling"] = verdict.ceiling;
  out["pass"] = verdict.pass;
  return out;
}

}  // namespace approval::policy
