// One step asked of an adapter's program, and what its answer says. Internal to the room.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/json.h"
#include "core/base/secret.h"
#include "vault/adapters/adapter.h"
#include "vault/adapters/program_manifest.h"

namespace approval::adapters {

struct ProgramAsk {
  std::string_view step;
  const ActInput* input = nullptr;          // of the steps that have one
  const ObserveWindow* window = nullptr;    // of `observe`
  CredentialWindow* credentials = nullptr;  // null: none are given
  bool secrets = true;                      // else settings only, and only what can be had
};

struct ProgramOk {
  base::JsonObject detail;
  std::optional<std::string> provider_ref;
};
struct ProgramSilent {
  bool started = false;  // it ran, and nobody knows what it did
  ActFailed why;
};
// ActFailed: the program says no. ActUnknown: it says that it does not know.
using ProgramAnswer = std::variant<ProgramOk, ActFailed, ActUnknown, ProgramSilent>;

ProgramAnswer AskProgram(const ProgramManifest& manifest, const ProgramAsk& ask);

}  // namespace approval::adapters
