#include "channels/telegram/wording.h"

#include <map>

#include "channels/telegram/markup.h"
#include "core/base/instant.h"
#include "render/quote.h"
#include "render/words.h"

namespace approval::telegram {
namespace {

constexpr std::size_t kToastUnits = 200;
constexpr std::size_t kMostClasses = 6;

std::string SymbolOf(gate::State state) {
  switch (state) {
    case gate::State::kGranted:
      return "✅ ";
    case gate::State::kRejected:
    case gate::State::kRevoked:
      return "🛑 ";
    case gate::State::kExpired:
      return "⌛ ";
    case gate::State::kWithdrawn:
      return "↩️ ";
    case gate::State::kNone:
    case gate::State::kRequested:
      break;
  }
  return "";
}

std::string Explanation(gate::State state) {
  if (state == gate::State::kExpired) return ": no answer came in time, nothing ran";
  if (state == gate::State::kWithdrawn) return ": the asker took it back, nothing to do";
  return "";
}

}  // namespace

std::string OutcomeLine(const gate::Settlement& settlement, std::int64_t now_ms,
                        const std::optional<render::LocalTime>& local) {
  if (settlement.state == gate::State::kNone || settlement.state == gate::State::kRequested) {
    return "not waiting here any more";
  }
  std::string out = SymbolOf(settlement.state) + channels::SettledHeadline(settlement.state);
  if (!settlement.actor.empty() && settlement.state != gate::State::kExpired) {
    out += " by " + render::QuoteLine(settlement.actor, 60);
  }
  if (const auto ms = base::ParseInstant(settlement.ts)) {
    out += " at " + render::ClockWords(*ms, now_ms, local);
  }
  if (settlement.seq > 0) out += " (record " + std::to_string(settlement.seq) + ")";
  out += Explanation(settlement.state);
  if (settlement.note && !settlement.note->empty()) {
    out += " · " + render::QuoteLine(*settlement.note, 120);
  }
  return out;
}

std::string Toast(std::string_view text) { return CutQuoted(text, kToastUnits - 32); }

std::string RecordedToast(channels::Gesture gesture, const channels::Outcome& outcome) {
  const std::string record =
      outcome.seq > 0 ? " Record " + std::to_string(outcome.seq) + "." : std::string();
  return gesture == channels::Gesture::kGrant ? "Approved, recorded in the log." + record
                                              : "Rejected, recorded in the log." + record;
}

std::string SettledToast(const gate::Settlement& settlement, std::int64_t now_ms,
                         const std::optional<render::LocalTime>& local) {
  gate::Settlement brief = settlement;
  brief.note.reset();
  return Toast("Your tap recorded nothing. " + OutcomeLine(brief, now_ms, local));
}

std::string SummaryText(const std::vector<gate::RequestModel>& requests, std::int64_t now_ms) {
  if (requests.empty()) return "nothing is pending";
  std::string out = std::to_string(requests.size()) + " pending";
  if (const auto& asked = requests.front().waiting.value.requested_ms) {
    out += " — oldest " + render::AgeWords(now_ms - *asked);
  }
  std::vector<std::string> order;
  std::map<std::string, std::size_t> counts;
  for (const gate::RequestModel& request : requests) {
    if (counts[request.action_class.value]++ == 0) order.push_back(request.action_class.value);
  }
  for (std::size_t i = 0; i < order.size() && i < kMostClasses; ++i) {
    out += (i == 0 ? " — " : ", ") + render::QuoteLine(order[i], 60);
    if (counts[order[i]] > 1) out += " ×" + std::to_string(counts[order[i]]);
  }
  if (order.size() > kMostClasses) {
    out += ", " + std::to_string(order.size() - kMostClasses) + " more classes";
  }
  return out;
}

bool IsSenderRefusal(base::Code code) {
  return code == base::Code::kSenderUnmapped || code == base::Code::kSenderAmbiguous ||
         code == base::Code::kSenderKeyUnavailable || code == base::Code::kNonceNotIssued ||
         code == base::Code::kActorNotApprover;
}

}  // namespace approval::telegram
