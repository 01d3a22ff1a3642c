// `approval setup service`: shows a service definition, writes it when the person agrees, and never
// starts anything itself.
#include <unistd.h>

#include <array>

#include "core/base/files.h"
#include "gateway/own_program.h"
#include "gateway/setup/steps.h"
#include "gateway/setup/unit_file.h"
#include "gateway/setup/verbs.h"
#include "gateway/user_service.h"
#include "render/quote.h"

namespace approval::gateway {
namespace setup {
namespace {

using base::FileState;
using base::JoinPath;

struct Plan {
  ServiceDefinition service;
  bool systemd = true;
  std::string target;  // the file of the definition

  std::string Text() const { return systemd ? SystemdUnit(service) : LaunchdPlist(service); }
  std::string Start() const {
    return systemd ? "systemctl --user daemon-reload && systemctl --user enable --now " +
                         service.label + ".service"
                   : "launchctl bootstrap gui/$(id -u) " + target;
  }
  std::string Stop() const {
    return systemd ? "systemctl --user disable --now " + service.label + ".service"
                   : "launchctl bootout gui/$(id -u)/" + service.label;
  }
};

base::Result<Plan> MakePlan(const Invocation& call) {
  const auto fail = [](std::string message) {
    return base::Fail(base::Code::kUsage, std::move(message));
  };
  const Arguments& args = call.args();
  const std::string platform = args.FlagOr("platform", "systemd");
  if (platform != "systemd" && platform != "launchd") {
    return fail("--platform is systemd or launchd");
  }
  const auto home = call.environment()("HOME");
  if (!home || home->empty()) return fail("HOME is not set");
  Plan plan;
  plan.systemd = platform == "systemd";
  ServiceDefinition& service = plan.service;
  service.label = args.FlagOr("label", plan.systemd ? kSystemdLabel : "md.approval.up");
  if (!IsLabel(service.label)) return fail("--label takes letters, digits, dots and dashes");
  service.folder = base::AbsolutePath(args.FlagOr("dir", "."));
  service.program = base::AbsolutePath(args.FlagOr("exec", OwnApproval()));
  service.logs = base::AbsolutePath(args.FlagOr(
      "logs", JoinPath(*home, plan.systemd ? ".local/state/approval" : "Library/Logs/approval")));
  if (const auto file = args.Flag("env-file")) service.env_file = base::AbsolutePath(*file);
  const std::string fallback =
      plan.systemd ? UserUnitPath(*home, service.label)
                   : JoinPath(*home, "Library/LaunchAgents/" + service.label + ".plist");
  plan.target = base::AbsolutePath(args.FlagOr("out", fallback));
  for (const std::string& path : {service.folder, service.program, service.logs, plan.target}) {
    if (const auto reason = WhyNotPath(path)) return fail(render::QuoteLine(path) + ": " + *reason);
  }
  if (!service.env_file.empty()) {
    if (const auto reason = WhyNotPath(service.env_file)) return fail("--env-file: " + *reason);
  }
  const std::string inside = JoinPath(service.folder, ".approval");
  if (service.logs == inside || service.logs.rfind(inside + "/", 0) == 0) {
    return fail("--logs must not be inside .approval: what the service prints is not the log");
  }
  return plan;
}

int Uninstall(Dialogue& ask, const Invocation& call, const Plan& plan) {
  if (base::StateOf(plan.target) != FileState::kRegular) {
    ask.Say("there is no " + render::QuoteLine(plan.target));
    return 0;
  }
  ask.Say("First stop it:\n    " + render::QuoteLine(plan.Stop()));
  const auto yes = ask.YesNo("Remove " + render::QuoteLine(plan.target) + "?", false);
  if (!yes || !*yes) {
    ask.Say("left alone");
    return yes ? 0 : kAborted;
  }
  if (::unlink(plan.target.c_str()) != 0) {
    return call.CommandError(base::Code::kIo, "cannot remove " + plan.target);
  }
  ask.Say("✓ removed");
  return 0;
}

int Install(Dialogue& ask, const Invocation& call, const Plan& plan) {
  const std::string text = plan.Text();
  ask.Say(render::QuoteLine(plan.target) + ":\n");
  for (const std::string& line : render::QuoteLines(text, render::TabRule::kMark)) {
    ask.Say("    " + line);
  }
  const auto yes = ask.YesNo("Write it?", false);
  if (!yes || !*yes) {
    ask.Say("nothing was written");
    return yes ? 0 : kAborted;
  }
  for (const std::string& folder : {base::FolderOf(plan.target), plan.service.logs}) {
    if (auto made = base::MakeFolders(folder, 0700); !made) {
      return call.CommandError(base::Code::kIo, made.error().message);
    }
  }
  if (auto put = base::ReplaceFile(plan.target, text, {0644, true, true}); !put) {
    return call.CommandError(base::Code::kIo, put.error().message);
  }
  ask.Say("✓ written");
  if (plan.systemd && !AccountLingers()) {
    ask.Say("⚠ it stops when you log out, unless: loginctl enable-linger");
    ask.Say(
        "  Started without a login it has no session bus, so secret-service: lines give nothing;\n"
        "  use --env-file, or LoadCredential= with the variable's name, there.");
  }
  Print(stdout, "next: " + render::QuoteLine(plan.Start()));
  return 0;
}

}  // namespace
}  // namespace setup

int SetupServiceVerb(Invocation& call) {
  const auto plan = setup::MakePlan(call);
  const std::array<std::string, 1> commands = {"approval up --json --no-login-link"};
  if (const auto refused = setup::RefuseWithoutTerminal(call, commands)) return *refused;
  const auto human = call.HumanActor();
  if (!human) return call.Usage(human.error().message);
  if (!plan) return call.Usage(plan.error().message);
  setup::Dialogue ask(STDIN_FILENO, STDERR_FILENO);
  return call.args().Has("uninstall") ? setup::Uninstall(ask, call, *plan)
                                      : setup::Install(ask, call, *plan);
}

}  // namespace approval::gateway
