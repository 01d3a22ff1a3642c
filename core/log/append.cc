#include "core/log/append.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include <boost/json/array.hpp>
#include <boost/json/string.hpp>

#include "core/base/canonical.h"
#include "core/base/files.h"
#include "core/base/instant.h"
#include "core/base/sha256.h"
#include "core/base/utf8.h"
#include "core/log/event_schema.h"
#include "core/log/lock.h"
#include "core/log/read.h"
#include "core/log/tail.h"

namespace approval::log {
namespace {

using base::Code;
using base::Error;
using base::Fail;
using base::Json;
using base::JsonObject;
using base::Result;

// Counted in doubles, as every reader counts: beyond 2^53 a seq no longer moves.
std::int64_t NextSeq(const std::optional<Head>& tail) {
  return tail ? static_cast<std::int64_t>(static_cast<double>(tail->seq) + 1) : 1;
}

JsonObject BuildMembers(const Draft& draft, std::int64_t now_ms, const std::optional<Head>& tail) {
  JsonObject record;
  record["seq"] = NextSeq(tail);
  record["ts"] = base::FormatInstant(now_ms);
  record["event"] = draft.event;
  record["actor"] = draft.actor;
  record["alg"] = "sha256/jcs";
  record["prev"] = tail ? Json(tail->hash) : Json(nullptr);
  if (draft.task) record["task"] = *draft.task;
  if (draft.action_key) record["action_key"] = *draft.action_key;
  if (draft.channel) record["channel"] = *draft.channel;
  if (draft.payload) record["payload"] = *draft.payload;
  return record;
}

// Whether every text of the value is Unicode. What is not would be written as it is, and no reader
// would take the line, nor anything after it.
bool IsUnicode(const Json& value) {
  const auto is_text = [](const auto& text) {
    return base::IsValidUtf8({text.data(), text.size()});
  };
  if (const boost::json::string* text = value.if_string()) return is_text(*text);
  if (const base::JsonArray* array = value.if_array()) {
    return std::all_of(array->begin(), array->end(), IsUnicode);
  }
  if (const JsonObject* object = value.if_object()) {
    return std::all_of(object->begin(), object->end(), [&](const auto& member) {
      return is_text(member.key()) && IsUnicode(member.value());
    });
  }
  return true;
}

Error ValidationError(const std::vector<Violation>& violations) {
  Error error{Code::kValidation, "the record may not be written: " + violations.front().path + " " +
                                     violations.front().message};
  base::JsonArray list;
  for (const Violation& violation : violations) {
    list.push_back(JsonObject{
        {"path", violation.path}, {"keyword", violation.keyword}, {"message", violation.message}});
  }
  error.details["errors"] = std::move(list);
  return error;
}

// A bare append error as the gate's refusal, its code kept as the cause.
Error AppendFailed(Error error) {
  error.cause = error.code;
  error.code = Code::kAppendFailed;
  return error;
}

// The record that says a lock was taken over from a holder that is gone.
Draft ReclaimNote(const std::string& log_path, const Reclaimed& reclaimed) {
  Draft note{"audit.lock_reclaimed", "system:log"};
  note.payload = JsonObject{{"lockfile", base::BaseName(log_path) + ".lock"},
                            {"reason", reclaimed.reason},
                            {"age_ms", reclaimed.age_ms},
                            {"holder", reclaimed.holder}};
  return note;
}

}  // namespace

// Holds the lock while it lives, when asked to.
class LogFile::Guard {
 public:
  Guard(const std::string& path, const base::Clock& clock, base::Random& random)
      : lock(path, clock, random) {}

  LogLock lock;
};

LogFile::LogFile(std::string path, const base::Clock& clock, base::Random& random)
    : path_(std::move(path)), clock_(clock), random_(random) {}

bool LogFile::MayRepeat(const Error& error) {
  return error.code == Code::kAppendFailed && error.cause == Code::kHeadMoved;
}

Result<LogFile::Opened> LogFile::Open(bool under_lock) {
  std::shared_ptr<Guard> guard;
  if (under_lock) {
    guard = std::make_shared<Guard>(path_, clock_, random_);
    if (auto acquired = guard->lock.Acquire(); !acquired) {
      return tl::unexpected(AppendFailed(acquired.error()));
    }
  }
  Result<VerifiedLog> verified = ReadVerified(path_);
  if (!verified) return tl::unexpected(verified.error());
  if (guard && guard->lock.reclaimed() && verified->head()) {
    const Draft note = ReclaimNote(path_, *guard->lock.reclaimed());
    Result<Appended> noted = AppendLocked(note, clock_.NowMs(), verified->head());
    if (!noted) return tl::unexpected(AppendFailed(noted.error()));
    verified = ReadVerified(path_);
    if (!verified) return tl::unexpected(verified.error());
  }
  return Opened{std::move(guard), Session(*this, std::move(*verified), clock_.NowMs(), under_lock)};
}

Result<Appended> LogFile::AppendLocked(const Draft& draft, std::int64_t now_ms,
                                       const std::optional<std::optional<Head>>& expected) {
  const bool fresh = base::StateOf(path_) == base::FileState::kMissing;
  std::optional<Head> tail;
  if (!fresh) {
    const base::Descriptor reader(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!reader.ok()) {
      return Fail(Code::kIo, "cannot open the log " + path_ + ": " + base::ErrnoText(errno));
    }
    Result<std::optional<Head>> read = ReadTail(reader.get());
    if (!read) return tl::unexpected(read.error());
    tail = std::move(*read);
  }
  if (expected && *expected != tail) {
    return Fail(Code::kHeadMoved, "another writer appended first; nothing was recorded, try again");
  }
  JsonObject record = BuildMembers(draft, now_ms, tail);
  Result<std::string> hashed = base::Canonicalize(record);
  if (!hashed) return tl::unexpected(hashed.error());
  if (!IsUnicode(record)) {
    return Fail(Code::kCanonicalization,
                "a text of the record is not valid Unicode; nothing was recorded");
  }
  record["hash"] = base::Sha256Hex(*hashed);
  if (const auto violations = ValidateRecord(record, SchemaUse::kWrite); !violations.empty()) {
    return Fail(ValidationError(violations));
  }
  Result<std::string> line = base::Canonicalize(record);
  if (!line) return tl::unexpected(line.error());
  line->push_back('\n');

  const base::Descriptor writer(
      ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666));
  if (!writer.ok()) {
    return Fail(Code::kIo, "cannot open the log " + path_ + ": " + base::ErrnoText(errno));
  }
  ssize_t put = 0;
  do {
    put = ::write(writer.get(), line->data(), line->size());
  } while (put < 0 && errno == EINTR);
  if (put < 0) {
    return Fail(Code::kIo, "cannot write to the log " + path_ + ": " + base::ErrnoText(errno));
  }
  if (static_cast<std::size_t>(put) != line->size()) {
    return Fail(Code::kIo, "the log " + path_ +
                               " took only a part of the record (is the disk full?); its tail is"
                               " torn and a person must look at it");
  }
  if (::fdatasync(writer.get()) != 0) {
    sync_failed_ = true;
    return Fail(Code::kIo, "the log " + path_ + " could not be synced to disk: " +
                               base::ErrnoText(errno) + "; nothing more is appended here");
  }
  if (fresh) {
    if (auto synced = base::SyncFolder(base::FolderOf(path_)); !synced) {
      return tl::unexpected(synced.error());
    }
  }
  const JsonObject& written = record;
  return Appended{NextSeq(tail), std::string(*base::StringMember(written, "hash")),
                  base::FormatInstant(now_ms)};
}

Result<Appended> LogFile::Append(const Draft& draft, std::int64_t now_ms,
                                 const std::optional<std::optional<Head>>& expected,
                                 bool lock_held) {
  if (sync_failed_) {
    return Fail(Code::kIo, "an earlier sync of the log failed; restart after checking the disk");
  }
  std::optional<Guard> guard;
  if (!lock_held) {
    guard.emplace(path_, clock_, random_);
    if (auto acquired = guard->lock.Acquire(); !acquired) return tl::unexpected(acquired.error());
    // The takeover is on record before anything else is. With a precondition on the head it stands
    // at that head; without one (attestation) wherever the log ends.
    if (const auto& reclaimed = guard->lock.reclaimed();
        reclaimed && (!expected || expected->has_value())) {
      Result<Appended> noted = AppendLocked(ReclaimNote(path_, *reclaimed), now_ms, expected);
      if (!noted) return noted;
      return AppendLocked(draft, now_ms, std::optional<Head>(Head{noted->seq, noted->hash}));
    }
  }
  return AppendLocked(draft, now_ms, expected);
}

Result<Appended> LogFile::AppendAnywhere(const Draft& draft) {
  return Append(draft, clock_.NowMs(), std::nullopt, false);
}

Result<Appended> Session::Append(const Draft& draft) {
  Result<Appended> appended = file_.Append(draft, now_ms_, head_, lock_held_);
  if (!appended) {
    return tl::unexpected(AppendFailed(appended.error()));
  }
  head_ = Head{appended->seq, appended->hash};
  return appended;
}

}  // namespace approval::log
