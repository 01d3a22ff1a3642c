#include "core/base/instant.h"
#include "core/log/read.h"
#include "gateway/queue_file.h"
#include "gateway/verbs/handlers.h"
#include "render/canonical_block.h"
#include "render/quote.h"
#include "render/views.h"

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

int RenderVerb(Invocation& call) {
  const auto log = log::ReadVerified(call.LogPath());
  if (!log) {
    if (log.error().code == base::Code::kLogUnreadable) {
      return call.CommandError(base::Code::kIo, log.error().message);
    }
    return call.Refuse(log.error());
  }
  const gate::Gate gate = call.MakeGate();
  const std::int64_t now = call.clock().NowMs();
  const auto written = WriteQueueFile(call.LogPath(), *log, gate.LoadPolicy(), gate.store(), now);
  if (!written) return call.Refuse(written.error());
  base::Json head = nullptr;
  if (written->head) {
    head = base::JsonObject{{"seq", written->head->seq}, {"hash", written->head->hash}};
  }
  return call.Succeed({{"ok", true},
                       {"out", written->path},
                       {"bytes", written->bytes},
                       {"head", std::move(head)},
                       {"pending", written->pending},
                       {"skipped", written->skipped},
                       {"audit_backlog", written->audit_backlog},
                       {"now", base::FormatInstant(now)}},
                      "wrote " + render::QuoteLine(written->path) + ": " +
                          render::Plural(written->pending, "request") + " pending");
}

}  // namespace approval::gateway
