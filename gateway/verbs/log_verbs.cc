#include <algorithm>
#include <charconv>

#include "core/base/files.h"
#include "core/log/read.h"
#include "core/log/verify.h"
#include "core/policy/load.h"
#include "gateway/verbs/handlers.h"
#include "render/quote.h"

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
