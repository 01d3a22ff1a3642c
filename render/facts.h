// Computed facts in words: budgets, attestation, position in the log (channels.md 3.4).
//
// What comes back is quoted text of one line.
#pragma once

#include <string>

#include "core/gate/request_model.h"

namespace approval::render {

// `ok class.daily_usd (rolling-24h): consumed $1.00, this $0.02, left $3.98`, or `EXCEEDED ...`.
std::string BudgetText(const policy::BudgetVerdict& verdict);

// Every verdict, joined with `; `; a sentence when no limit applies.
std::string BudgetsText(const std::vector<policy::BudgetVerdict>& verdicts);

std::string AttestationText(const gate::AttestationView& attestation);

std::string ChainText(const gate::ChainView& chain);

}  // namespace approval::render
