// Asks for the settings of an adapter's manifest (adapters.md 7.4). Stores nothing.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "gateway/setup/dialogue.h"
#include "vault/adapters/adapter.h"

namespace approval::gateway::setup {

// Values by name, in the manifest's order when written.
using Answers = std::map<std::string, base::Secret, std::less<>>;

struct Questions {
  const adapters::Adapter& adapter;
  std::set<std::string, std::less<>> stored;     // names that the vault holds already
  std::map<std::string, std::string> suggested;  // a preset's, offered as the default
  bool every_setting = false;
};

// What the person answered; names that were left alone or skipped are absent. Nothing when they
// left or ran out of tries.
std::optional<Answers> AskSettings(Dialogue& ask, const Questions& questions);

// What was entered of a secret, made ready: outer blanks go, and four groups of four become one
// word when the person agrees. Says what it did by length, never by content.
std::optional<base::Secret> TidySecret(Dialogue& ask, const base::Secret& typed);

}  // namespace approval::gateway::setup
