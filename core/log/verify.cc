#include "core/log/verify.h"

#include "core/base/canonical.h"
#include "core/base/instant.h"
#include "core/base/sha256.h"
#include "core/base/utf8.h"
#include "core/log/event_schema.h"

namespace approval::log {
namespace {

using base::Code;
using base::Json;
using base::JsonObject;

std::optional<std::string> OptionalText(const JsonObject& object, std::string_view name) {
  const auto text = base::StringMember(object, name);
  if (!text) return std::nullopt;
  return std::string(*text);
}

// The line's seq for a report: an integer of at least 1, else null.
Json ReportedSeq(const JsonObject& object) {
  const Json* seq = object.if_contains("seq");
  if (seq == nullptr || !base::IsIntegral(*seq) || *base::AsDouble(*seq) < 1) return nullptr;
  return *seq;
}

Record ToRecord(JsonObject& object) {
  Record record;
  record.seq = base::AsInteger(object.at("seq")).value_or(0);
  record.ts = *OptionalText(object, "ts");
  record.instant = base::ParseInstant(record.ts);
  record.event = *OptionalText(object, "event");
  record.actor = *OptionalText(object, "actor");
  record.task = OptionalText(object, "task");
  record.action_key = OptionalText(object, "action_key");
  record.channel = OptionalText(object, "channel");
  record.daemon = OptionalText(object, "daemon");
  record.prev = OptionalText(object, "prev");
  record.hash = *OptionalText(object, "hash");
  if (Json* payload = object.if_contains("payload"); payload != nullptr) {
    record.has_payload = true;
    record.payload = std::move(payload->get_object());
  }
  return record;
}

}  // namespace

bool Verifier::Refuse(Code reason, Json seq, std::string message) {
  Verdict verdict;
  verdict.status = Status::kCorrupt;
  verdict.records = log_.records_.size();
  verdict.head = log_.head_;
  verdict.reason = reason;
  verdict.first_bad_seq = std::move(seq);
  verdict.message = std::move(message);
  failure_ = std::move(verdict);
  return false;
}

bool Verifier::TakeLine(std::string_view raw) {
  std::string replaced;
  std::string_view line = raw;
  if (!base::IsValidUtf8(line)) {
    replaced = base::ReplaceIllFormed(line);
    line = replaced;
  }
  const std::string place = "after record " + std::to_string(log_.records_.size());
  if (base::IsEcmaBlank(line)) {
    return Refuse(Code::kMalformedLine, nullptr, "the line " + place + " is blank");
  }
  auto parsed = base::ParseJson(line, base::kLenientJson);
  if (!parsed || !parsed->is_object()) {
    return Refuse(Code::kMalformedLine, nullptr, "the line " + place + " is not a JSON object");
  }
  JsonObject& object = parsed->get_object();
  const auto alg = base::StringMember(object, "alg");
  if (!alg || *alg != "sha256/jcs") {
    return Refuse(Code::kBadAlg, ReportedSeq(object),
                  "the line " + place + " names another algorithm than sha256/jcs");
  }
  if (const auto violations = ValidateRecord(object, SchemaUse::kRead); !violations.empty()) {
    return Refuse(Code::kSchemaInvalid, ReportedSeq(object),
                  "the line " + place + " is no valid record: " + violations.front().path + " " +
                      violations.front().message);
  }
  const Json seq = object.at("seq");
  const auto canonical = base::CanonicalizeWithout(object, "hash", base::kMaxReadDepth);
  if (!canonical || base::Sha256Hex(*canonical) != *base::StringMember(object, "hash")) {
    return Refuse(Code::kHashMismatch, seq, "the hash of the record " + place + " does not match");
  }
  const double number = *base::AsDouble(seq);
  const auto expected = static_cast<double>(log_.records_.size()) + 1;
  if (number != expected) {
    const bool duplicate = log_.head_ && number == static_cast<double>(log_.head_->seq);
    return Refuse(duplicate ? Code::kSeqDuplicate : Code::kSeqGap, seq,
                  "record " + base::NumberText(expected) + " was due " + place);
  }
  const auto prev = base::StringMember(object, "prev");
  if (!log_.head_ && prev) {
    return Refuse(Code::kNotGenesis, seq, "the first record names a predecessor");
  }
  if (log_.head_ && prev != std::string_view(log_.head_->hash)) {
    return Refuse(Code::kPrevMismatch, seq,
                  "the record " + place + " does not follow the record before it");
  }
  log_.records_.push_back(ToRecord(object));
  const Record& record = log_.records_.back();
  log_.head_ = Head{record.seq, record.hash};
  proved_bytes_ += raw.size() + 1;
  return true;
}

void Verifier::Feed(std::string_view bytes) {
  while (!failure_ && !bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos) {
      partial_.append(bytes);
      return;
    }
    if (partial_.empty()) {
      TakeLine(bytes.substr(0, end));
    } else {
      partial_.append(bytes.substr(0, end));
      TakeLine(partial_);
      partial_.clear();
    }
    bytes.remove_prefix(end + 1);
  }
}

Verdict Verifier::Judge(const std::optional<Head>& anchor) const {
  if (failure_) return *failure_;
  Verdict verdict;
  verdict.records = log_.records_.size();
  verdict.head = log_.head_;
  if (!partial_.empty()) {
    verdict.status = Status::kTornTail;
    verdict.message = "the last line is not terminated; record " + std::to_string(verdict.records) +
                      " is the last intact one";
  } else if (anchor && log_.head_ != anchor) {
    verdict.status = Status::kCorrupt;
    verdict.reason = Code::kHeadMismatch;
    if (log_.head_) verdict.first_bad_seq = log_.head_->seq;
    verdict.message = "the log does not end in the expected record";
  }
  return verdict;
}

std::vector<Anomaly> FindAnomalies(const VerifiedLog& log, std::int64_t tolerance_ms) {
  std::vector<Anomaly> found;
  const Record* previous = nullptr;
  for (const Record& record : log.records()) {
    if (!record.instant || !IsGateEvent(record.event)) continue;
    if (previous != nullptr && *previous->instant - *record.instant > tolerance_ms) {
      found.push_back({record.seq, record.ts, record.event, previous->seq, previous->ts,
                       *previous->instant - *record.instant});
    }
    previous = &record;
  }
  return found;
}

}  // namespace approval::log
