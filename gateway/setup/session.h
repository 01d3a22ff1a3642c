// What every setup verb starts from: a person at a terminal, a project, its keystore.
//
// Checks come in the order of adapters.md 7.4: a terminal, stray words, the identity, the verb's
// own. Nothing is written before they pass, and no setup verb appends to the log.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/policy/load.h"
#include "gateway/invocation.h"
#include "gateway/setup/dialogue.h"
#include "vault/secrets/instance_id.h"
#include "vault/secrets/keystore.h"
#include "vault/secrets/source_map.h"

namespace approval::gateway::setup {

// The exit of a dialogue that the person left or that ran out of tries.
inline constexpr int kAborted = 2;

class Session {
 public:
  explicit Session(Invocation& call);

  Invocation& call() { return call_; }
  Dialogue& ask() { return dialogue_; }
  const policy::Policy& policy() const { return load_.OrDefaults(); }
  const std::string& source_map_path() const { return source_map_path_; }
  const secrets::ItemNames& items() const { return items_; }
  secrets::Keystore& keystore() { return *keystore_; }

  // Whether the source map has a line for the variable. `env-file-*` when it does not read.
  base::Result<bool> HasLine(const std::string& variable) const;

  // Writes `<variable>=<source>` into the source map.
  base::Result<void> WriteLine(const std::string& variable, const base::Secret& source);

  // Where a secret for the variable goes: the keystore, or the file itself after a whole `yes`.
  // On success the source map names it. Nothing when the person declined; then nothing was written.
  base::Result<std::optional<std::string>> StoreSecret(const std::string& variable,
                                                       const std::string& item,
                                                       const base::Secret& value);

  // May an existing line be replaced? Asks; no line needs no question.
  base::Result<std::optional<bool>> MayReplace(const std::string& variable);

  int Aborted();

 private:
  Invocation& call_;
  Dialogue dialogue_;
  policy::LoadResult load_;
  std::string source_map_path_;
  secrets::ItemNames items_;
  std::unique_ptr<secrets::Keystore> keystore_;
};

// Whether a person can be asked here: standard input is a terminal and --json was not given.
// Otherwise the refusal is printed, with the commands that do the same without one.
std::optional<int> RefuseWithoutTerminal(const Invocation& call,
                                         std::span<const std::string> commands);

}  // namespace approval::gateway::setup
