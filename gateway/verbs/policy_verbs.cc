#include <unistd.h>

#include "core/base/files.h"
#include "core/base/names.h"
#include "core/policy/resolve.h"
#include "gateway/verbs/handlers.h"
#include "render/quote.h"

namespace approval::gateway {

using base::Code;
using base::JsonObject;

int PolicyCheckVerb(Invocation& call) {
  const auto cls = call.Positional(0, "<class>");
  if (!cls) return call.Usage(cls.error().message);
  if (!base::IsConcreteClass(*cls)) {
    return call.Usage("a class is lowercase segments joined by dots, without a wildcard");
  }
  std::optional<bool> reversible;
  if (const auto flag = call.args().Flag("reversible")) {
    if (*flag != "true" && *flag != "false") return call.Usage("--reversible takes true or false");
    reversible = *flag == "true";
  }
  const policy::LoadResult load = policy::LoadPolicy(call.PolicyPath());
  if (load.failure && load.failure->cause == Code::kIo) {
    return call.CommandError(Code::kIo, load.failure->message);
  }
  const JsonObject report = policy::CheckReport(load, *cls, reversible);
  std::string words;
  const JsonObject& outcome = report.at("outcome").as_object();
  words += *cls + ": " + std::string(*base::StringMember(outcome, "autonomy")) + " (" +
           std::string(*base::StringMember(report, "provenance")) + ")\n";
  for (const base::Json& step : report.at("decisionPath").as_array()) {
    words += "  " + render::QuoteLine(std::string_view(step.as_string())) + "\n";
  }
  return call.Succeed(report, words);
}

int PolicyAttestVerb(Invocation& call) {
  const auto human = call.HumanActor();
  if (!human) return call.Usage(human.error().message);
  gate::Gate gate = call.MakeGate();
  std::string sha256;
  const auto appended = gate.Attest(*human, sha256);
  if (!appended) {
    const base::Error& error = appended.error();
    const int exit = [&] {
      if (error.code == Code::kActorNotHuman || error.code == Code::kValidation) return 2;
      return error.code == Code::kCorruptTail ? 3 : 4;
    }();
    if (error.code == Code::kUnreadable) {
      call.CommandError(Code::kIo, error.message);
    } else {
      call.Refuse(error);
    }
    return exit;
  }
  const std::string path = base::AbsolutePath(call.PolicyPath());
  return call.Succeed({{"ok", true}, {"seq", appended->seq}, {"sha256", sha256}, {"path", path}},
                      "attested " + render::QuoteLine(path) + " (" + sha256 + ") at record " +
                          std::to_string(appended->seq) +
                          "\nnext: approval register <task-file> --as agent:<name>");
}

}  // namespace approval::gateway
