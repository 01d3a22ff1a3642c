// The steps of the sequence before anything is spent, which the run and the dry run share
// (adapters.md 2.4, steps 1 to 7). Internal to the room.
//
// Nothing here appends, spends or acts. What the adapter read from the vault is known to the
// redaction afterwards, and every window is closed on return. What an adapter throws is caught here
// and becomes an outcome.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/gate/declarations.h"
#include "core/gate/gate.h"
#include "vault/adapters/execute.h"
#include "vault/adapters/redaction.h"

namespace approval::adapters {

struct Refusal {
  base::Error error;
  std::string adapter_code{};  // the adapter's own, or the credential window's
};

// What the log says about the key.
struct Standing {
  gate::Declaration declared;
  std::string_view state;  // core.md's spelling
  policy::Autonomy autonomy = policy::Autonomy::kManual;
  bool needs_token = false;
  std::optional<WindowGrant> grant{};       // a live token was shown, or the level needs none
  std::optional<std::string> bound_hash{};  // the payload that may run
  std::optional<base::Secret> opened{};     // a sealed token that this machine could open
};

// `payload-unhashable`.
base::Result<std::string> HashOf(const base::Json& payload);

// `hash` is the payload's.
base::Result<Standing> LookAt(const gate::Gate& gate, const ExecuteAsk& ask,
                              const std::string& hash);

class BeforeSpend {
 public:
  BeforeSpend(gate::Gate& gate, const Adapter& adapter, const CredentialSource* source,
              base::Random& random, const ExecuteAsk& ask, Redaction& redaction)
      : gate_(gate),
        adapter_(adapter),
        source_(source),
        random_(random),
        ask_(ask),
        redaction_(redaction) {}

  // Why the action may not go on to its spend. Nothing also when the spend itself will say why.
  std::optional<Refusal> Go();

  // Empty while the payload was not hashed.
  const std::string& hash() const { return hash_; }
  // Nothing while the log was not read.
  const std::optional<Standing>& standing() const { return standing_; }
  bool bound() const { return standing_ && standing_->bound_hash == hash_; }
  bool class_fits() const { return class_fits_; }
  // The credentials and the precheck were asked and had no objection.
  bool credentials_found() const { return credentials_found_; }
  bool prechecked() const { return prechecked_; }

 private:
  std::optional<Refusal> Prepare();

  gate::Gate& gate_;
  const Adapter& adapter_;
  const CredentialSource* source_;
  base::Random& random_;
  const ExecuteAsk& ask_;
  Redaction& redaction_;
  std::string hash_;
  std::optional<Standing> standing_;
  bool class_fits_ = false;
  bool credentials_found_ = false;
  bool prechecked_ = false;
};

// The secrets of a window that is about to close go into the redaction.
void Learn(const Adapter& adapter, CredentialWindow& window, Redaction& redaction);

}  // namespace approval::adapters
