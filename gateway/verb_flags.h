// Flags that many verbs share, and the parts of the verb table. Internal to the room.
#pragma once

#include "gateway/verb.h"

namespace approval::gateway {

inline constexpr FlagSpec kAs{"as", "<actor>", "who acts: human:<id> or agent:<id>"};
inline constexpr FlagSpec kAsHuman{"as", "human:<id>", "the person; default APPROVAL_HUMAN"};
inline constexpr FlagSpec kLog{"log", "<file>", "the log; default .approval/log/events.jsonl"};
inline constexpr FlagSpec kPolicy{"policy", "<file>", "the policy file; beats --dir"};
inline constexpr FlagSpec kDir{"dir", "<folder>", "where APPROVAL.md is; default here"};
inline constexpr FlagSpec kNote{"note", "<text>", "words that go on record"};
inline constexpr FlagSpec kVault{"vault", "<file>", "the vault; default beside the log folder"};
inline constexpr FlagSpec kPayload{"payload", "<file|->",
                                   "the JSON document to bind; - reads stdin"};

inline constexpr std::string_view kRefusals = "1 refused, 2 usage, 3 torn log, 4 files";

// Each adds its verbs at the end, in the order of the overview.
void AddCredentialVerbs(std::vector<VerbSpec>& table);
void AddServiceVerbs(std::vector<VerbSpec>& table);
void AddAdapterVerbs(std::vector<VerbSpec>& table);
void AddSetupVerbs(std::vector<VerbSpec>& table);

}  // namespace approval::gateway
