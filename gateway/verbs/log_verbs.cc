#include <algorithm>
#include <charconv>

#include "core/base/files.h"
#include "core/gate/payload_store.h"
#include "core/log/read.h"
#include "core/log/verify.h"
#include "core/policy/load.h"
#include "gateway/verbs/handlers.h"
#include "render/canonical_block.h"
#include "render/quote.h"
#include "render/views.h"

namespace approval::gateway {
namespace {

using base::Code;
using base::Json;
using base::JsonObject;
using log::Status;
using log::Verdict;
using render::QuoteLine;

Json HeadJson(const Verdict& verdict) {
  if (verdict.status != Status::kClean || !verdict.head) return nullptr;
  return JsonObject{{"seq", verdict.head->seq}, {"hash", verdict.head->hash}};
}

base::JsonArray AnomaliesJson(const std::vector<log::Anomaly>& anomalies) {
  base::JsonArray list;
  for (const log::Anomaly& anomaly : anomalies) {
    list.push_back(JsonObject{{"kind", "gate-ts-regression"},
                              {"seq", anomaly.seq},
                              {"ts", anomaly.ts},
                              {"event", anomaly.event},
                              {"previousSeq", anomaly.previous_seq},
                              {"previousTs", anomaly.previous_ts},
                              {"skewMs", anomaly.skew_ms},
                              {"message", "this record's time lies before an earlier record's"}});
  }
  return list;
}

int AnswerCorrupt(const Invocation& call, const Verdict& verdict) {
  if (call.json()) {
    Print(stdout, base::ToText(JsonObject{{"status", "corrupt"},
                                          {"records", nullptr},
                                          {"head", nullptr},
                                          {"firstBadSeq", verdict.first_bad_seq},
                                          {"reason", base::Spelling(*verdict.reason)},
                                          {"message", verdict.message}}));
    return 1;
  }
  const std::string place = verdict.first_bad_seq.is_null()
                                ? std::string("at unknown seq")
                                : "at seq " + base::ToText(verdict.first_bad_seq);
  SayLine(stderr, "✗ corrupt  " + std::string(base::Spelling(*verdict.reason)) + " " + place);
  SayLine(stderr, verdict.message);
  return 1;
}

JsonObject RecordJson(const log::Record& record) {
  JsonObject object{
      {"seq", record.seq}, {"ts", record.ts}, {"event", record.event}, {"actor", record.actor}};
  if (record.task) object["task"] = *record.task;
  if (record.action_key) object["action_key"] = *record.action_key;
  if (record.channel) object["channel"] = *record.channel;
  if (record.daemon) object["daemon"] = *record.daemon;
  if (record.has_payload) object["payload"] = record.payload;
  object["alg"] = "sha256/jcs";
  object["prev"] = record.prev ? Json(*record.prev) : Json(nullptr);
  object["hash"] = record.hash;
  return object;
}

// The walk, or the exit code after saying why there is none.
std::optional<int> Walk(const Invocation& call, log::Verifier& verifier) {
  const auto fed = log::FeedFile(call.LogPath(), verifier);
  if (fed) return std::nullopt;
  return call.CommandError(Code::kIo, fed.error().message);
}

// Corrupt logs show nothing.
int IntegrityError(const Invocation& call, const Verdict& verdict) {
  return call.CommandError(Code::kIntegrity, "the log does not verify: " + verdict.message +
                                                 "; see approval log verify");
}

// What a request's approver was shown, derived again from the payload store.
struct Shown {
  JsonObject json;  // verdict, recorded, and where it could be derived: renderer, derived, text
  std::string words;
  bool fine = false;  // what was recorded was derived as well, or there is nothing to derive
};

Shown NotDerived(Code why, const Json& recorded, const std::string& message) {
  Shown out;
  const bool binds = why != Code::kClassMissing && why != Code::kPayloadHashMissing;
  out.fine = !binds && recorded.is_null();
  out.json = {{"verdict", base::Spelling(why)}, {"recorded", recorded}, {"message", message}};
  out.words = "what the approver saw cannot be derived again (" + std::string(base::Spelling(why)) +
              "): " + QuoteLine(message);
  return out;
}

Shown DeriveShown(const log::Record& request, const std::string& log_path) {
  const auto text = [&](std::string_view name) {
    return base::StringMember(request.payload, name);
  };
  const auto display_hash = text("display_hash");
  const Json recorded = display_hash ? Json(*display_hash) : Json(nullptr);
  const auto action_class = text("class");
  if (!action_class) return NotDerived(Code::kClassMissing, recorded, "the record has no class");
  const auto payload_hash = text("payload_hash");
  if (!payload_hash) {
    return NotDerived(Code::kPayloadHashMissing, recorded, "the record binds no payload");
  }
  const auto stored = gate::PayloadStore(log_path).Get(*payload_hash);
  if (!stored) return NotDerived(stored.error().code, recorded, stored.error().message);
  const auto block = render::CanonicalBlock(stored->value, *action_class);
  if (!block) return NotDerived(block.error().code, recorded, block.error().message);

  Shown out;
  const bool match = display_hash && *display_hash == block->display_hash;
  out.fine = match || !display_hash;
  out.json = {{"verdict", match          ? "match"
                          : display_hash ? "differs"
                                         : "not-recorded"},
              {"recorded", recorded},
              {"renderer", render::kRendererName},
              {"derived", block->display_hash},
              {"text", block->text}};
  const std::string renderer(render::kRendererName);
  if (match) {
    out.words = "match: the approver saw exactly this";
  } else if (display_hash) {
    out.words = "differs: the record's display hash is not that of " + renderer +
                "; another renderer showed it, or the record is wrong";
  } else {
    out.words = "not recorded: the record has no display hash; " + renderer + " shows this";
  }
  out.words += "\nrecorded  " + QuoteLine(display_hash.value_or("-")) + "\nderived   " +
               block->display_hash + "\n\n" + block->text;
  return out;
}

}  // namespace

int LogVerifyVerb(Invocation& call) {
  log::Verifier verifier;
  if (const auto exit = Walk(call, verifier)) return *exit;
  const Verdict verdict = verifier.Judge();
  if (verdict.status == Status::kCorrupt) return AnswerCorrupt(call, verdict);
  const policy::LoadResult load = policy::LoadPolicy(call.PolicyPath());
  const auto anomalies =
      log::FindAnomalies(verifier.proved(), load.OrDefaults().audit.skew_tolerance_ms);
  const std::string count = std::to_string(verdict.records) + " record(s)";
  const bool torn = verdict.status == Status::kTornTail;
  JsonObject answer{{"status", torn ? "torn-tail" : "clean"},
                    {"records", verdict.records},
                    {"head", HeadJson(verdict)}};
  std::string words;
  if (torn) {
    answer["intactThroughSeq"] = verdict.records;
    answer["message"] = verdict.message;
    words = "torn-tail: " + count + ", intact through seq " + std::to_string(verdict.records);
  } else {
    words = "clean: " + count + ", head " +
            (verdict.head ? "seq " + std::to_string(verdict.head->seq) + " " + verdict.head->hash
                          : std::string("none"));
  }
  if (!anomalies.empty()) {
    answer["anomalies"] = AnomaliesJson(anomalies);
    words += "\n" + std::to_string(anomalies.size()) + " record(s) went back in time";
  }
  call.Succeed(answer, words);
  return torn ? 3 : 0;
}

int LogTailVerb(Invocation& call) {
  const std::string wanted = call.args().FlagOr("n", "10");
  std::size_t count = 0;
  const auto read = std::from_chars(wanted.data(), wanted.data() + wanted.size(), count);
  if (read.ec != std::errc() || read.ptr != wanted.data() + wanted.size()) {
    return call.Usage("-n takes a whole number");
  }
  log::Verifier verifier;
  if (const auto exit = Walk(call, verifier)) return *exit;
  const Verdict verdict = verifier.Judge();
  if (verdict.status == Status::kCorrupt) return IntegrityError(call, verdict);
  const auto& records = verifier.proved().records();
  const std::size_t first = records.size() - std::min(count, records.size());
  base::JsonArray list;
  std::string words;
  for (std::size_t i = first; i < records.size(); ++i) {
    const log::Record& record = records[i];
    list.push_back(RecordJson(record));
    words += std::to_string(record.seq) + "\t" + QuoteLine(record.ts) + "\t" + record.event + "\t" +
             QuoteLine(record.actor) + "\t" + QuoteLine(record.task.value_or("-")) + "\n";
  }
  const bool torn = verdict.status == Status::kTornTail;
  JsonObject answer{{"status", torn ? "torn-tail" : "ok"}, {"records", std::move(list)}};
  if (torn) {
    answer["warning"] = verdict.message;
    if (!call.json()) SayLine(stderr, "warning: " + verdict.message);
  }
  return call.Succeed(answer, words);
}

int LogShowVerb(Invocation& call) {
  const auto wanted = call.Positional(0, "<seq>");
  if (!wanted) return call.Usage(wanted.error().message);
  std::size_t seq = 0;
  const auto read = std::from_chars(wanted->data(), wanted->data() + wanted->size(), seq);
  if (read.ec != std::errc() || read.ptr != wanted->data() + wanted->size() || seq == 0) {
    return call.Usage("<seq> is the number of a record, from 1");
  }
  log::Verifier verifier;
  if (const auto exit = Walk(call, verifier)) return *exit;
  const Verdict verdict = verifier.Judge();
  if (verdict.status == Status::kCorrupt) return IntegrityError(call, verdict);
  const auto& records = verifier.proved().records();
  if (seq > records.size()) {
    return call.Refuse({Code::kAbsent, "the log has no record " + std::to_string(seq) +
                                           "; its last is " + std::to_string(records.size())});
  }
  const log::Record& record = records[seq - 1];
  const bool torn = verdict.status == Status::kTornTail;
  const Json shown_record = RecordJson(record);
  JsonObject answer{{"status", torn ? "torn-tail" : "ok"}, {"record", shown_record}};
  if (torn) {
    answer["warning"] = verdict.message;
    if (!call.json()) SayLine(stderr, "warning: " + verdict.message);
  }
  std::string words;
  for (const std::string& line : render::JsonLines(shown_record)) words += line + "\n";
  bool fine = true;
  if (record.event == "approval.requested") {
    const Shown shown = DeriveShown(record, call.LogPath());
    answer["shown"] = shown.json;
    words += "\n" + shown.words;
    fine = shown.fine;
  }
  call.Succeed(answer, words);
  return fine ? 0 : 1;
}

int LogExportVerb(Invocation& call) {
  log::Verifier verifier;
  if (const auto exit = Walk(call, verifier)) return *exit;
  const Verdict verdict = verifier.Judge();
  if (verdict.status == Status::kCorrupt) return IntegrityError(call, verdict);
  const bool torn = verdict.status == Status::kTornTail;
  if (torn && !call.json()) SayLine(stderr, "warning: " + verdict.message);
  if (!call.json()) {
    // The stored lines, byte for byte, of what was proved.
    const auto bytes = base::ReadFile(call.LogPath());
    if (!bytes) return bytes.error().code == Code::kAbsent ? 0 : call.Refuse(bytes.error());
    const std::string proved = bytes->substr(0, verifier.proved_bytes());
    std::fwrite(proved.data(), 1, proved.size(), stdout);
    std::fflush(stdout);
    return 0;
  }
  base::JsonArray list;
  for (const log::Record& record : verifier.proved().records()) list.push_back(RecordJson(record));
  JsonObject answer{{"records", std::move(list)}};
  if (torn) answer["warning"] = verdict.message;
  return call.Succeed(answer, "");
}

}  // namespace approval::gateway
