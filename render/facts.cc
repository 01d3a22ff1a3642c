#include "render/facts.h"

#include "render/quote.h"

namespace approval::render {

std::string BudgetText(const policy::BudgetVerdict& verdict) {
  const bool dollars = verdict.limit.find("usd") != std::string::npos;
  const auto amount = [dollars](base::Micros micros) {
    return dollars ? base::DollarText(micros) : base::MoneyText(micros);
  };
  const bool scoped = verdict.limit.find('.') != std::string::npos;
  std::string text = verdict.pass ? "ok " : "EXCEEDED ";
  text += QuoteLine(scoped ? verdict.limit : verdict.scope + "." + verdict.limit);
  text += " (" + QuoteLine(verdict.window) + "): consumed " + amount(verdict.consumed) + ", this " +
          amount(verdict.requested) + ", left " + amount(verdict.remaining);
  if (verdict.note) text += " (" + QuoteLine(*verdict.note) + ")";
  return text;
}

std::string BudgetsText(const std::vector<policy::BudgetVerdict>& verdicts) {
  if (verdicts.empty()) return "no limit applies";
  std::string text;
  for (const policy::BudgetVerdict& verdict : verdicts) {
    if (!text.empty()) text += "; ";
    text += BudgetText(verdict);
  }
  return text;
}

std::string AttestationText(const gate::AttestationView& attestation) {
  const std::string record =
      attestation.seq ? " (record " + std::to_string(*attestation.seq) + ")" : "";
  switch (attestation.status) {
    case gate::AttestationView::Status::kAttested:
      return "attested" + record;
    case gate::AttestationView::Status::kNotAttested:
      return "not attested by anyone";
    case gate::AttestationView::Status::kHashMismatch:
      return "changed since it was attested" + record;
    case gate::AttestationView::Status::kUnreadable:
      return "unreadable";
  }
  return "unreadable";
}

std::string ChainText(const gate::ChainView& chain) {
  return "record " + std::to_string(chain.seq) + " of " + std::to_string(chain.head_seq) +
         ", hash " + QuoteLine(chain.hash);
}

}  // namespace approval::render
