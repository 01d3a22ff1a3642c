// The dialogues of setup, apart from the verbs that start them, so that the walk through all of
// them (`approval setup`) asks the same questions.
//
// Each returns the exit code. Words go to the person as they happen; nothing is printed on stdout.
#pragma once

#include <optional>
#include <string>

#include "gateway/setup/session.h"

namespace approval::gateway::setup {

// Writes APPROVAL_HUMAN; the identity that holds afterwards is in `identity`.
int AskIdentity(Session& session, std::string& identity);

// Makes a passphrase, stores it and names its place in the source map. `passphrase` holds it when
// one was made.
int MakePassphrase(Session& session, std::optional<base::Secret>& passphrase);

// Asks for an adapter's settings, stores them in the vault and offers the probe.
int AskAdapter(Session& session, const std::string& name, const base::Secret& passphrase);

}  // namespace approval::gateway::setup
