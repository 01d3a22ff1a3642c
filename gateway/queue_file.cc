#include "gateway/queue_file.h"

#include <filesystem>
#include <utility>

#include "core/base/files.h"
#include "core/gate/audit_backlog.h"
#include "core/gate/pending.h"
#include "core/log/read.h"
#include "render/queue_file.h"

namespace approval::gateway {
namespace {

// `.approval/log/events.jsonl`, wherever the project is: where a project lies is nobody's business.
std::string ShownPath(const std::string& log_path, const std::string& home) {
  const std::filesystem::path inside = std::filesystem::path(log_path).lexically_relative(home);
  return base::JoinPath(base::BaseName(home), inside.string());
}

}  // namespace

base::Result<QueueFileWritten> WriteQueueFile(const std::string& log_path,
                                              const log::VerifiedLog& log,
                                              const policy::LoadResult& load,
                                              const gate::PayloadStore& store,
                                              std::int64_t now_ms) {
  gate::PendingQueue queue = gate::BuildPendingQueue(log, load, store, now_ms);
  render::QueueFileInput input;
  input.requests = std::move(queue.requests);
  for (const gate::Skip& skip : queue.skipped) {
    input.unshown.push_back(
        {skip.action_key, std::string(base::Spelling(skip.error.code)), skip.error.message});
  }
  for (gate::SampledAudit& audit : gate::AuditBacklog(log)) {
    input.audits.push_back({audit.seq, std::move(audit.ts), std::move(audit.actor),
                            std::move(audit.task), std::move(audit.action_key)});
  }
  input.now_ms = now_ms;
  if (log.head()) {
    input.head_seq = log.head()->seq;
    input.head_hash = log.head()->hash;
  }
  const std::string home = log::HomeOf(log_path);
  input.log_path = ShownPath(log_path, home);
  const std::string text = render::QueueFile(input);
  QueueFileWritten written;
  written.path = base::JoinPath(home, "QUEUE.md");
  if (const auto done = base::ReplaceFile(written.path, text); !done) {
    return base::Fail(base::Code::kWriteFailed,
                      "cannot write " + written.path + ": " + done.error().message);
  }
  written.bytes = text.size();
  written.head = log.head();
  written.pending = input.requests.size();
  written.skipped = input.unshown.size();
  written.audit_backlog = input.audits.size();
  return written;
}

}  // namespace approval::gateway
