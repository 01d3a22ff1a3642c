// What `init` lays out: the policy template, the empty queue file, the lines for git.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/base/json.h"

namespace approval::gateway {

// A policy that asks a person for everything that leaves the machine, with sealed tokens.
extern const std::string_view kPolicyTemplate;
extern const std::string_view kEmptyQueue;

inline constexpr std::array<std::string_view, 5> kNextSteps = {
    "read and edit APPROVAL.md",
    "approval setup   (who you are, the vault, a mailbox)",
    "approval policy attest --as human:<you>",
    "approval register <task-file> --as agent:<name>",
    "approval up --as human:<you>",
};

// Whether one of the lines is exactly this one.
bool HasIgnoreLine(std::string_view gitignore, std::string_view line);

// The marker and the ignore lines that `gitignore` lacks, ready to append; empty when none.
std::string MissingIgnoreLines(std::string_view gitignore);

// Sorts the paths (or objects with `path`) of an answer of `init` into the documented order.
void OrderAsShown(base::JsonArray& list);

}  // namespace approval::gateway
