#include "channels/contract.h"

namespace approval::channels {

using base::Code;

std::string RefusalSentence(Code code) {
  const std::string spelled(base::Spelling(code));
  if (code == Code::kAlreadyDecided) {
    return "Already decided: the first answer stands, yours recorded nothing.";
  }
  if (code == Code::kRequestWithdrawn) {
    return "The asker took this back and is not waiting; nothing was recorded.";
  }
  if (code == Code::kExpired) return "Too late: the window closed and nothing was approved.";
  if (code == Code::kPolicyNotAttested) {
    return "Not recorded: the policy file changed and nobody has attested it. Attest it at a "
           "terminal first.";
  }
  if (code == Code::kPolicyDrift) {
    return "The policy changed after this was asked; it is withdrawn and will be asked again.";
  }
  if (code == Code::kRequestChanged) {
    return "This was asked again since you looked; nothing was recorded. Look at the new request.";
  }
  if (code == Code::kLogCorrupt || code == Code::kLogTornTail || code == Code::kLogUnreadable) {
    return "Not recorded: the log does not verify (" + spelled + ").";
  }
  return "Not recorded: " + spelled + ".";
}

std::string SettledHeadline(gate::State state) {
  switch (state) {
    case gate::State::kGranted:
      return "Approved";
    case gate::State::kRejected:
      return "Rejected";
    case gate::State::kRevoked:
      return "Revoked";
    case gate::State::kExpired:
      return "Expired";
    case gate::State::kWithdrawn:
      return "Withdrawn";
    case gate::State::kNone:
    case gate::State::kRequested:
      break;
  }
  return "Waiting";
}

}  // namespace approval::channels
