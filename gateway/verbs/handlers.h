// The verbs of the fast program.
#pragma once

#include "gateway/invocation.h"
#include "gateway/verb.h"

namespace approval::gateway {

HandlerMap FastHandlers();

int InitVerb(Invocation& call);
int PolicyCheckVerb(Invocation& call);
int PolicyAttestVerb(Invocation& call);
int PayloadHashVerb(Invocation& call);
int RenderPayloadVerb(Invocation& call);
int RenderVerb(Invocation& call);
int RegisterVerb(Invocation& call);
int RequestVerb(Invocation& call);
int QueueVerb(Invocation& call);
int WaitVerb(Invocation& call);
int DecideVerb(Invocation& call);
int WithdrawVerb(Invocation& call);
int ExpireVerb(Invocation& call);
int TokenVerb(Invocation& call);
int ConsumeVerb(Invocation& call);
int RunVerb(Invocation& call);
int ExecutionResolveVerb(Invocation& call);
int ChannelCliVerb(Invocation& call);
int ApproveVerb(Invocation& call);
int LogVerifyVerb(Invocation& call);
int LogTailVerb(Invocation& call);
int LogShowVerb(Invocation& call);
int LogExportVerb(Invocation& call);
int VaultSetVerb(Invocation& call);
int VaultListVerb(Invocation& call);
int VaultRemoveVerb(Invocation& call);
int VaultPasswdVerb(Invocation& call);
int VaultGetVerb(Invocation& call);

}  // namespace approval::gateway
