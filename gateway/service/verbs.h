// The verbs of the running gateway and its channels.
#pragma once

#include "gateway/invocation.h"
#include "gateway/verb.h"

namespace approval::gateway {

HandlerMap ServiceHandlers();

int UpVerb(Invocation& call);
int ChannelWebVerb(Invocation& call);
int ChannelWebLinkVerb(Invocation& call);
int TelegramListenVerb(Invocation& call);
int TelegramHealthVerb(Invocation& call);

}  // namespace approval::gateway
