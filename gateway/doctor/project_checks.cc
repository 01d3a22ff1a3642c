// Rows about the project itself: program, person, policy, log, payloads, tasks.
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <set>

#include "core/base/build_id.h"
#include "core/base/files.h"
#include "core/base/names.h"
#include "core/base/time_zone.h"
#include "core/gate/envelope.h"
#include "core/gate/payload_store.h"
#include "core/policy/attestation.h"
#include "gateway/doctor/check.h"
#include "gateway/own_program.h"
#include "gateway/secret_variable.h"

namespace approval::gateway::doctor {
namespace {

using base::JoinPath;

constexpr std::size_t kShownDigits = 12;

// Names in a folder, sorted; nothing when it cannot be read.
std::optional<std::vector<std::string>> NamesIn(const std::string& folder) {
  DIR* opened = ::opendir(folder.c_str());
  if (opened == nullptr) return std::nullopt;
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(opened)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  ::closedir(opened);
  std::sort(names.begin(), names.end());
  return names;
}

bool SameFile(const std::string& a, const std::string& b) {
  struct stat one {};
  struct stat other {};
  return ::stat(a.c_str(), &one) == 0 && ::stat(b.c_str(), &other) == 0 &&
         one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

std::optional<std::string> OnPath(const Environment& environment, const std::string& program) {
  const std::string path = environment("PATH").value_or("");
  std::size_t begin = 0;
  while (begin <= path.size()) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    const std::string one = JoinPath(path.substr(begin, end - begin), program);
    if (end > begin && ::access(one.c_str(), X_OK) == 0) return one;
    begin = end + 1;
  }
  return std::nullopt;
}

std::string LogRefusal(const Subject& subject) {
  return "the log does not verify (" + std::string(base::Spelling(subject.log.error().code)) + ")";
}

// Hashes that records bind.
std::set<std::string> BoundHashes(const log::VerifiedLog& log) {
  std::set<std::string> hashes;
  for (const log::Record& record : log.records()) {
    if (const auto hash = base::StringMember(record.payload, "payload_hash")) hashes.emplace(*hash);
  }
  return hashes;
}

}  // namespace

std::string_view Spelling(Status status) {
  switch (status) {
    case Status::kPass:
      return "pass";
    case Status::kFail:
      return "fail";
    case Status::kSkip:
      return "skip";
  }
  return "";
}

Check BuildFreshness(const Subject& subject) {
  Check check{"build-freshness", Status::kPass, base::VersionLine(), ""};
  const auto found = OnPath(subject.call.environment(), "approval");
  if (!found) {
    check.status = Status::kSkip;
    check.detail += "; no approval is on PATH";
    return check;
  }
  if (SameFile(*found, OwnApproval())) return check;
  check.status = Status::kFail;
  check.detail += "; another approval is first on PATH: " + *found;
  check.fix = "hash -r; command -v approval   and remove or update the one that is not wanted";
  return check;
}

Check Identity(const Subject& subject) {
  const auto value = subject.call.environment()("APPROVAL_HUMAN");
  if (!value || value->empty()) {
    return {"identity", Status::kFail, "APPROVAL_HUMAN is not set",
            "eval \"$(approval env)\"   or first: approval setup identity"};
  }
  if (!base::IsHuman(*value)) {
    return {"identity", Status::kFail, "APPROVAL_HUMAN names no person: " + *value,
            "approval setup identity"};
  }
  return {"identity", Status::kPass, *value, ""};
}

Check Attestation(const Subject& subject) {
  constexpr const char* kName = "attestation";
  const std::string fix = "approval policy attest --as human:<you>";
  if (subject.policy.failure) {
    return {
        kName, Status::kFail,
        std::string(base::Spelling(subject.policy.failure->code)) + ": " +
            subject.policy.failure->message,
        "approval policy check communicate.email.external   then repair " + subject.policy.path};
  }
  if (!subject.log) return {kName, Status::kFail, LogRefusal(subject), "approval log verify"};
  const auto standing = policy::CheckAttestation(subject.log->records(), subject.policy);
  const std::string digest = subject.policy.sha256.substr(0, kShownDigits);
  for (const auto& [channel, zone] : subject.policy.OrDefaults().channels.zones) {
    if (const auto known = base::TimeZone::Load(zone); !known) {
      return {kName, Status::kFail, "channels." + channel + ".timezone: " + known.error().message,
              fix + "   after naming the zone right; until then times are UTC"};
    }
  }
  if (standing.ok()) {
    return {kName, Status::kPass,
            "record " + std::to_string(*standing.seq) + " attests the policy as it is, " + digest,
            ""};
  }
  return {kName, Status::kFail,
          "the policy " + digest +
              " is not in force: " + std::string(policy::Spelling(standing.status)),
          fix};
}

Check Log(const Subject& subject) {
  if (!subject.log) {
    return {"log", Status::kFail, subject.log.error().message, "approval log verify"};
  }
  const auto& head = subject.log->head();
  if (!head) return {"log", Status::kPass, "empty", ""};
  return {"log", Status::kPass,
          std::to_string(subject.log->records().size()) + " records, head " +
              head->hash.substr(0, kShownDigits),
          ""};
}

Check PayloadStore(const Subject& subject) {
  constexpr const char* kName = "payload-store";
  const gate::PayloadStore store(subject.call.LogPath());
  const base::FileState state = base::StateOf(store.folder());
  if (state == base::FileState::kMissing) {
    return {kName, Status::kSkip, "nothing was stored yet", ""};
  }
  const auto names = NamesIn(store.folder());
  if (!names) {
    return {kName, Status::kFail, "the folder cannot be read: " + store.folder(),
            "ls -ld " + store.folder()};
  }
  if (!subject.log) {
    return {kName, Status::kPass, std::to_string(names->size()) + " files", ""};
  }
  const std::set<std::string> bound = BoundHashes(*subject.log);
  const auto orphans = std::count_if(names->begin(), names->end(), [&](const std::string& name) {
    return !bound.contains(name.substr(0, name.find('.')));
  });
  return {kName, Status::kPass,
          std::to_string(names->size()) + " files, " + std::to_string(orphans) +
              " that no record binds",
          ""};
}

Check AuditSampling(const Subject& subject) {
  constexpr const char* kName = "audit-sampling";
  const std::string fix = "approval setup sampling";
  if (subject.policy.failure) return {kName, Status::kFail, "policy-unreadable", fix};
  const policy::Audit& audit = subject.policy.OrDefaults().audit;
  if (!audit.supervised_sample_rate) {
    return {kName, Status::kSkip, "rate-absent: the policy draws no samples", ""};
  }
  if (*audit.supervised_sample_rate == 0) {
    return {kName, Status::kSkip, "rate-zero: the policy draws no samples", ""};
  }
  if (!audit.sampling_secret_env) {
    return {kName, Status::kFail, "secret-env-unnamed: audit.sampling_secret_env is missing", fix};
  }
  if (!SecretVariable(subject.call.environment(), *audit.sampling_secret_env)) {
    return {kName, Status::kFail, "secret-unset: " + *audit.sampling_secret_env,
            "eval \"$(approval env)\"   or first: approval setup sampling"};
  }
  return {kName, Status::kPass, "enabled", ""};
}

Check EnvelopeIntegrity(const Subject& subject) {
  constexpr const char* kName = "envelope-integrity";
  const std::string folder = subject.call.args().FlagOr("tasks", JoinPath(subject.folder, "tasks"));
  const auto names = NamesIn(folder);
  if (!names) return {kName, Status::kSkip, "there is no folder of tasks", ""};
  if (!subject.log) return {kName, Status::kFail, LogRefusal(subject), "approval log verify"};
  std::set<std::string> registered;
  for (const log::Record& record : subject.log->records()) {
    if (record.event == "task.registered" && record.task) registered.insert(*record.task);
  }
  std::string broken;
  int whole = 0;
  for (const std::string& name : *names) {
    if (name.size() < 3 || name.substr(name.size() - 3) != ".md") continue;
    const auto task = gate::ReadTaskFile(JoinPath(folder, name));
    const bool has = task && task->missing == gate::Missing::kNothing;
    if (has) {
      ++whole;
    } else if (task && registered.contains(task->id)) {
      broken += (broken.empty() ? "" : ", ") + name;
    }
  }
  if (!broken.empty()) {
    return {kName, Status::kFail, "registered, but without their envelope now: " + broken,
            "git diff -- " + folder};
  }
  return {kName, Status::kPass, std::to_string(whole) + " task files carry their envelope", ""};
}

}  // namespace approval::gateway::doctor
