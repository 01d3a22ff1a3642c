#include "gateway/invocation.h"

#include <unistd.h>

#include <cstdlib>

#include "core/base/files.h"
#include "core/base/names.h"
#include "core/base/utf8.h"
#include "core/log/read.h"
#include "core/policy/load.h"
#include "render/canonical_block.h"
#include "render/quote.h"

namespace approval::gateway {
namespace {

using base::Code;
using base::Error;
using base::Fail;
using base::JsonObject;
using base::Result;

constexpr std::size_t kMaxDocument = std::size_t{16} << 20;

int ExitOfAppend(const std::optional<Code>& cause) {
  if (cause == Code::kCorruptTail) return 3;
  if (cause == Code::kIo || cause == Code::kLockTimeout) return 4;
  return 1;
}

std::optional<std::string> DisplayHashOf(const base::Json& payload, std::string_view cls) {
  auto block = render::CanonicalBlock(payload, cls);
  if (!block) return std::nullopt;
  return block->display_hash;
}

}  // namespace

Environment ProcessEnvironment() {
  return [](std::string_view name) -> std::optional<std::string> {
    const char* value = std::getenv(std::string(name).c_str());
    if (value == nullptr) return std::nullopt;
    return std::string(value);
  };
}

void Print(std::FILE* out, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), out);
  if (text.empty() || text.back() != '\n') std::fputc('\n', out);
  std::fflush(out);
}

void SayLine(std::FILE* out, std::string_view text) { Print(out, render::QuoteLine(text)); }

int ExitCodeOf(const Error& error) {
  if (error.code == Code::kUsage) return 2;
  if (error.code == Code::kIo || error.code == Code::kLogUnreadable ||
      error.code == Code::kTaskFileUnreadable || error.code == Code::kPayloadStoreFailed ||
      error.code == Code::kVaultIo || error.code == Code::kVaultWriteFailed ||
      error.code == Code::kPathConflict || error.code == Code::kEnvFileIo ||
      error.code == Code::kEnvFileMode || error.code == Code::kHelperFailed ||
      error.code == Code::kHelperBinaryMissing) {
    return 4;
  }
  if (error.code == Code::kLogTornTail) return 3;
  if (error.code == Code::kAppendFailed) return ExitOfAppend(error.cause);
  return 1;
}

JsonObject RefusalJson(const Error& error) {
  JsonObject inner{{"code", base::Spelling(error.code)}, {"message", error.message}};
  for (const auto& member : error.details) inner[member.key()] = member.value();
  return {{"ok", false}, {"error", std::move(inner)}};
}

Invocation::Invocation(const VerbSpec& verb, Arguments arguments, bool json,
                       Environment environment, const base::Clock& clock, base::Random& random)
    : verb_(verb),
      arguments_(std::move(arguments)),
      json_(json),
      environment_(std::move(environment)),
      clock_(clock),
      random_(random) {}

int Invocation::Succeed(const JsonObject& answer, const std::string& words) const {
  if (json_) {
    Print(stdout, base::ToText(answer));
  } else if (!words.empty()) {
    Print(stdout, words);
  }
  return 0;
}

int Invocation::Refuse(const Error& error) const {
  if (json_) {
    Print(stderr, base::ToText(RefusalJson(error)));
  } else {
    SayLine(stderr, "✗ " + std::string(base::Spelling(error.code)) + "  " + error.message);
  }
  return ExitCodeOf(error);
}

int Invocation::CommandError(Code code, const std::string& message) const {
  if (json_) {
    const JsonObject answer{
        {"error", JsonObject{{"code", base::Spelling(code)}, {"message", message}}}};
    Print(stderr, base::ToText(answer));
  } else {
    SayLine(stderr, "✗ " + std::string(base::Spelling(code)) + "  " + message);
  }
  if (code == Code::kUsage) return 2;
  return code == Code::kIo ? 4 : 1;
}

int Invocation::Usage(const std::string& message) const {
  const int exit = CommandError(Code::kUsage, message);
  if (!json_) {
    Print(stderr, "usage: approval " + std::string(verb_.name) + " " +
                      std::string(verb_.arguments) + "   (--help for more)");
  }
  return exit;
}

Result<std::string> Invocation::Positional(std::size_t index, std::string_view what) const {
  if (index < arguments_.positionals.size() && !arguments_.positionals[index].empty()) {
    return arguments_.positionals[index];
  }
  return Fail(Code::kUsage, "missing " + std::string(what));
}

Result<std::string> Invocation::Actor() const {
  if (const auto as = arguments_.Flag("as")) {
    if (base::IsHumanOrAgent(*as)) return *as;
    return Fail(Code::kUsage, "--as takes human:<id> or agent:<id>");
  }
  const auto human = environment_("APPROVAL_HUMAN");
  if (human && base::IsHuman(*human)) return *human;
  return Fail(Code::kUsage, "who acts? pass --as agent:<id> (or human:<id>)");
}

Result<std::string> Invocation::HumanActor() const {
  if (const auto as = arguments_.Flag("as")) {
    if (base::IsHuman(*as)) return *as;
    return Fail(Code::kUsage, "only a person may do this: --as takes human:<id>");
  }
  const auto human = environment_("APPROVAL_HUMAN");
  if (human && base::IsHuman(*human)) return *human;
  return Fail(Code::kUsage, "who decides? pass --as human:<id>, or set APPROVAL_HUMAN");
}

std::string Invocation::LogPath() const { return arguments_.FlagOr("log", log::kDefaultLogPath); }

std::string Invocation::PolicyPath() const {
  return policy::PolicyPath(arguments_.Flag("policy"), arguments_.FlagOr("dir", "."));
}

gate::Gate Invocation::MakeGate() const {
  return gate::Gate({LogPath(), PolicyPath(), DisplayHashOf}, clock_, random_);
}

Result<base::Json> Invocation::ReadJsonArgument(const std::string& path) const {
  Result<std::string> text = path == "-" ? base::ReadDescriptor(STDIN_FILENO, kMaxDocument)
                                         : base::ReadFile(path, kMaxDocument);
  if (!text) return Fail(Code::kIo, text.error().message);
  if (base::IsEcmaBlank(*text)) return Fail(Code::kUsage, path + " is empty; JSON is due");
  auto parsed = base::ParseJson(*text, base::kStrictJson);
  if (!parsed) {
    return Fail(Code::kUsage, path + " is not strict JSON: " + parsed.error().message + " (byte " +
                                  std::to_string(parsed.error().offset) + ")");
  }
  return std::move(*parsed);
}

}  // namespace approval::gateway
