// The fast program: verbs that agents and scripts call often. Others are handed to
// approval-gateway, so that a user sees one command.
#include <unistd.h>

#include <cerrno>

#include "core/base/files.h"
#include "gateway/own_program.h"
#include "gateway/program.h"
#include "gateway/verbs/handlers.h"

namespace {

int HandOver(const approval::gateway::VerbSpec&, char** argv) {
  const std::string program = approval::gateway::OwnGateway();
  errno = ENOENT;
  if (!program.empty()) ::execv(program.c_str(), argv);
  approval::gateway::SayLine(stderr, "✗ io  approval-gateway cannot be started from " +
                                         approval::gateway::OwnFolder() + ": " +
                                         approval::base::ErrnoText(errno) + "; reinstall approval");
  return 4;
}

}  // namespace

int main(int argc, char** argv) {
  return approval::gateway::RunProgram(argc, argv, approval::gateway::FastHandlers(), HandOver);
}
