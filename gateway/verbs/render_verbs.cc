#include "gateway/verbs/handlers.h"
#include "render/canonical_block.h"

namespace approval::gateway {

int RenderPayloadVerb(Invocation& call) {
  const auto path = call.Positional(0, "<file|->");
  if (!path) return call.Usage(path.error().message);
  const auto action_class = call.args().Flag("class");
  if (!action_class || action_class->empty()) return call.Usage("missing --class <class>");
  const auto payload = call.ReadJsonArgument(*path);
  if (!payload) return call.CommandError(payload.error().code, payload.error().message);
  const auto block = render::CanonicalBlock(*payload, *action_class);
  if (!block) return call.Refuse(block.error());
  return call.Succeed({{"ok", true},
                       {"renderer", render::kRendererName},
                       {"class", *action_class},
                       {"kind", render::Spelling(block->shape)},
                       {"payload_hash", block->payload_hash},
                       {"display_hash", block->display_hash},
                       {"text", block->text}},
                      block->text + "\ndisplay sha256: " + block->display_hash);
}

}  // namespace approval::gateway
