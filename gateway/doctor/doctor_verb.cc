#include "gateway/doctor/check.h"
#include "gateway/doctor/verbs.h"
#include "render/quote.h"

namespace approval::gateway {
namespace {

using doctor::Check;
using doctor::Status;

std::vector<Check> RunChecks(const doctor::Subject& subject) {
  std::vector<Check> checks;
  for (const auto run :
       {doctor::BuildFreshness, doctor::Identity, doctor::Attestation, doctor::Log,
        doctor::Telegram, doctor::WebPort, doctor::PayloadStore, doctor::AuditSampling,
        doctor::EnvelopeIntegrity, doctor::Vault, doctor::EnvironmentMap, doctor::KeychainScope}) {
    checks.push_back(run(subject));
  }
  for (Check& row : doctor::Adapters(subject)) checks.push_back(std::move(row));
  for (const auto run : {doctor::Trust, doctor::SecretMemory, doctor::Service}) {
    checks.push_back(run(subject));
  }
  return checks;
}

std::string_view Mark(Status status) {
  switch (status) {
    case Status::kPass:
      return "✓";
    case Status::kFail:
      return "✗";
    case Status::kSkip:
      return "–";
  }
  return "";
}

void PrintTable(const std::vector<Check>& checks) {
  int passed = 0;
  int failed = 0;
  for (const Check& one : checks) {
    passed += one.status == Status::kPass ? 1 : 0;
    failed += one.status == Status::kFail ? 1 : 0;
    std::string name(one.name);
    name.resize(std::max<std::size_t>(name.size(), 19), ' ');
    Print(stdout, std::string(Mark(one.status)) + " " + name + " " + render::QuoteLine(one.detail));
    if (!one.fix.empty()) Print(stdout, "    fix: " + render::QuoteLine(one.fix));
  }
  const int other = static_cast<int>(checks.size()) - passed - failed;
  Print(stdout, std::to_string(passed) + " ok · " + std::to_string(other) + " not applicable · " +
                    std::to_string(failed) + " failed");
}

}  // namespace

int DoctorVerb(Invocation& call) {
  const doctor::Subject subject(call);
  const std::vector<Check> checks = RunChecks(subject);
  const bool ok = std::none_of(checks.begin(), checks.end(),
                               [](const Check& one) { return one.status == Status::kFail; });
  if (!call.json()) {
    PrintTable(checks);
    return ok ? 0 : 1;
  }
  base::JsonArray list;
  for (const Check& one : checks) {
    base::JsonObject row{
        {"check", one.name}, {"status", doctor::Spelling(one.status)}, {"detail", one.detail}};
    if (!one.fix.empty()) row["fix"] = one.fix;
    list.push_back(std::move(row));
  }
  Print(stdout, base::ToText(base::JsonObject{{"ok", ok}, {"checks", std::move(list)}}));
  return ok ? 0 : 1;
}

HandlerMap DoctorHandlers() { return {{"doctor", DoctorVerb}}; }

}  // namespace approval::gateway
