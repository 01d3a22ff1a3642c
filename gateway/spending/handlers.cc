#include "gateway/spending/verbs.h"

namespace approval::gateway {

HandlerMap SpendingHandlers() {
  return {{"adapter", AdapterVerb},
          {"adapter email", AdapterEmailVerb},
          {"adapter agentmail", AdapterAgentmailVerb},
          {"adapter install", AdapterInstallVerb},
          {"adapter list", AdapterListVerb},
          {"adapter uninstall", AdapterUninstallVerb},
          {"payload agentmail-draft", PayloadAgentmailDraftVerb}};
}

}  // namespace approval::gateway
