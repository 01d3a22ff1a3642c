// What both programs do alike: find the verb, read the arguments, call the handler.
#pragma once

#include "gateway/invocation.h"
#include "gateway/verb.h"

namespace approval::gateway {

// What a program does with a verb that is not its own.
using Elsewhere = std::function<int(const VerbSpec& verb, char** argv)>;

// Runs one call and returns its exit code. Never throws.
int RunProgram(int argc, char** argv, const HandlerMap& handlers, const Elsewhere& elsewhere);

}  // namespace approval::gateway
