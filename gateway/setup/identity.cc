// `approval setup identity`: who the person is.
#include <array>

#include "core/base/names.h"
#include "gateway/setup/steps.h"
#include "gateway/setup/verbs.h"
#include "render/quote.h"

namespace approval::gateway {
namespace setup {
namespace {

constexpr const char* kVariable = "APPROVAL_HUMAN";

std::string Completed(const std::string& answer) {
  return answer.find(':') == std::string::npos ? "human:" + answer : answer;
}

std::optional<std::string> WhyNot(const std::string& answer) {
  if (answer.empty()) return "a name is due, such as alice";
  if (answer.substr(0, 6) == "agent:" || answer.substr(0, 7) == "system:") {
    return "that is not a person: only a person approves, so the identity begins with human:";
  }
  if (!base::IsHuman(Completed(answer))) return "write alice or human:alice";
  return std::nullopt;
}

}  // namespace

int AskIdentity(Session& session, std::string& identity) {
  Dialogue& ask = session.ask();
  const auto may = session.MayReplace(kVariable);
  if (!may) return session.call().Refuse(may.error());
  if (!*may) return session.Aborted();
  if (!**may) {
    ask.Say("left alone");
    return 0;
  }
  const auto answer = ask.Ask("Your name (a short id; it stands in every record): ", WhyNot);
  if (!answer) return session.Aborted();
  identity = Completed(*answer);
  const auto written = session.WriteLine(kVariable, secrets::LiteralSpelling(identity));
  if (!written) return session.call().Refuse(written.error());
  ask.Say("✓ " + render::QuoteLine(identity) + " is in " +
          render::QuoteLine(session.source_map_path()));
  return 0;
}

}  // namespace setup

int SetupIdentityVerb(Invocation& call) {
  const std::array<std::string, 1> commands = {
      "(umask 077; echo APPROVAL_HUMAN=human:you >> .approval/env)"};
  if (const auto refused = setup::RefuseWithoutTerminal(call, commands)) return *refused;
  setup::Session session(call);
  std::string identity;
  const int exit = setup::AskIdentity(session, identity);
  if (exit != 0) return exit;
  Print(stdout, "next: eval \"$(approval env)\"   then approval setup vault");
  return 0;
}

}  // namespace approval::gateway
