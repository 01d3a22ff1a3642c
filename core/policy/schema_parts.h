// The topics of the policy's schema, one function each; schema.cc joins them.
//
// Each reads its part of the block from the root field, reports what is wrong, and fills the policy
// with what is right.
#pragma once

#include "core/policy/policy.h"
#include "core/policy/schema_field.h"

namespace approval::policy {

void ReadDefaults(const Field& root, Policy& policy);
void ReadApprovers(const Field& root, Policy& policy);
void ReadClasses(const Field& root, Policy& policy);
void ReadBudgets(const Field& root, Policy& policy);
void ReadAudit(const Field& root, Policy& policy);
void ReadDaemon(const Field& root, Policy& policy);
void ReadProtectedPaths(const Field& root, Policy& policy);
void ReadChannels(const Field& root, Policy& policy);

// The `prompt` block of one channel (channels.md 1.10).
PromptBlock ReadPrompt(const Field& prompt);

}  // namespace approval::policy
