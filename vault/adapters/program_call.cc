#include "vault/adapters/program_call.h"

#include <algorithm>

#include "core/base/canonical.h"
#include "core/base/instant.h"
#include "core/base/utf8.h"
#include "vault/adapters/program_run.h"

namespace approval::adapters {
namespace {

using base::JsonObject;

constexpr std::string_view kContract = "approval/adapter/1";
constexpr std::size_t kMaxCode = 100;
constexpr std::size_t kMaxMessage = 1000;
constexpr std::size_t kMaxQuotedError = 300;

// A JSON string appended without a copy of it elsewhere: values of credentials pass here.
void AppendString(std::string& out, std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20) {
      out += "\\u00";
      out += kHex[byte >> 4U];
      out += kHex[byte & 0xFU];
    } else {
      out += c;
    }
  }
  out += '"';
}

// The credentials as JSON text, or why a required one is not there.
tl::expected<base::Secret, ActFailed> Credentials(const ProgramManifest& manifest,
                                                  const ProgramAsk& ask) {
  std::vector<std::pair<std::string_view, std::string_view>> values;
  std::size_t bytes = 2;
  for (const ProgramSetting& setting : manifest.credentials) {
    if (ask.credentials == nullptr) break;
    if (!ask.secrets && setting.kind == CredentialKind::kSecret) continue;
    const auto found = ask.credentials->Find(setting.name);
    if (!found && ask.secrets) {
      return tl::unexpected(
          ActFailed{std::string(base::Spelling(found.error().code)), found.error().message});
    }
    std::optional<std::string_view> value;
    if (found) value = *found;
    if (!value && !setting.fallback.empty()) value = setting.fallback;
    if (!value && ask.secrets && setting.required) {
      return tl::unexpected(
          ActFailed{"credential-unavailable", "the vault holds no " + setting.name});
    }
    if (!value) continue;
    values.emplace_back(setting.name, *value);
    bytes += setting.name.size() + 6 * value->size() + 8;
  }
  std::string text;
  text.reserve(bytes);  // grows nowhere, so that nothing is left behind
  text += '{';
  for (const auto& [name, value] : values) {
    if (text.size() > 1) text += ',';
    AppendString(text, name);
    text += ':';
    AppendString(text, value);
  }
  text += '}';
  return base::Secret(std::move(text));
}

// One line; wiped by the Secret that holds it.
base::Secret InputLine(const ProgramAsk& ask, const base::Secret& credentials) {
  JsonObject head{{"contract", kContract}, {"step", ask.step}};
  std::string payload = "null";
  if (ask.input != nullptr) {
    head["action_key"] = ask.input->action_key;
    head["payload_hash"] = ask.input->payload_hash;
    payload = base::Canonicalize(ask.input->payload).value_or("null");
  }
  if (ask.window != nullptr) {
    head["window"] = JsonObject{{"from", base::FormatInstant(ask.window->from_ms)},
                                {"until", base::FormatInstant(ask.window->until_ms)}};
  }
  const std::string text = base::ToText(head);
  std::string line;
  line.reserve(text.size() + payload.size() + credentials.Reveal().size() + 64);
  line += text.substr(0, text.size() - 1);
  line += ",\"payload\":" + payload + ",\"credentials\":";
  line += credentials.Reveal();
  line += "}\n";
  return base::Secret(std::move(line));
}

std::string CodeFrom(const JsonObject& answer, std::string_view otherwise) {
  const auto code = base::StringMember(answer, "code").value_or("");
  const bool fine =
      !code.empty() && code.size() <= kMaxCode && std::all_of(code.begin(), code.end(), [](char c) {
        return c > ' ' && static_cast<unsigned char>(c) < 0x7f;
      });
  return std::string(fine ? code : otherwise);
}

std::string MessageFrom(const JsonObject& answer, std::string_view otherwise) {
  const auto text = base::StringMember(answer, "message").value_or("");
  return base::CutText(text.empty() ? otherwise : text, kMaxMessage);
}

bool IsTrue(const JsonObject& answer, const char* name) {
  const base::Json* member = answer.if_contains(name);
  return member != nullptr && member->is_bool() && member->get_bool();
}

// How it ended without an answer.
std::string HowItEnded(const ProgramEnd& end) {
  std::string how;
  switch (end.kind) {
    case ProgramEnd::Kind::kNotStarted:
      return end.why;
    case ProgramEnd::Kind::kExited:
      how = end.value == 0 ? "the program answered no JSON object of the contract"
                           : "the program ended with status " + std::to_string(end.value);
      break;
    case ProgramEnd::Kind::kSignalled:
      how = "the program was ended by signal " + std::to_string(end.value);
      break;
    case ProgramEnd::Kind::kTimedOut:
      how = "the program was stopped at its deadline";
      break;
    case ProgramEnd::Kind::kTooMuch:
      how = "the program wrote more than " + std::to_string(kMaxProgramOutput) + " bytes";
      break;
  }
  if (!end.err.empty() && base::IsValidUtf8(end.err)) {
    how += "; it said: " + base::CutText(end.err, kMaxQuotedError);
  }
  return how;
}

ProgramAnswer AnswerOf(const ProgramEnd& end) {
  const bool whole = end.kind == ProgramEnd::Kind::kExited && end.value == 0;
  const auto parsed = base::ParseJson(end.out, base::kStrictJson);
  const JsonObject* answer = whole && parsed ? parsed->if_object() : nullptr;
  const base::Json* ok = answer != nullptr ? answer->if_contains("ok") : nullptr;
  if (answer != nullptr && IsTrue(*answer, "unknown")) {
    return ActUnknown{CodeFrom(*answer, "adapter-program-unknown"),
                      MessageFrom(*answer, "the program does not know what happened")};
  }
  if (ok == nullptr || !ok->is_bool()) {
    return ProgramSilent{end.kind != ProgramEnd::Kind::kNotStarted,
                         {"adapter-program-failed", HowItEnded(end)}};
  }
  if (!ok->get_bool()) {
    return ActFailed{CodeFrom(*answer, "adapter-program-refused"),
                     MessageFrom(*answer, "the program refused without a reason")};
  }
  ProgramOk done;
  if (const base::Json* detail = answer->if_contains("detail"); detail && detail->is_object()) {
    done.detail = detail->get_object();
  }
  if (const auto reference = base::StringMember(*answer, "provider_ref")) {
    done.provider_ref = std::string(*reference);
  }
  return done;
}

}  // namespace

ProgramAnswer AskProgram(const ProgramManifest& manifest, const ProgramAsk& ask) {
  const auto program = SealedProgram::Copy(manifest.program);
  if (!program) {
    return ProgramSilent{false,
                         {"adapter-program-missing", manifest.program + ": " + program.error()}};
  }
  if (program->sha256() != manifest.sha256) {
    return ProgramSilent{
        false,
        {"adapter-program-changed",
         manifest.program + " is not the program that was installed; look at it, then install it "
                            "again with `approval adapter install`"}};
  }
  auto credentials = Credentials(manifest, ask);
  if (!credentials) return ProgramSilent{false, std::move(credentials.error())};
  const base::Secret line = InputLine(ask, *credentials);
  return AnswerOf(RunSealedProgram(*program, manifest.program, line.Reveal(),
                                   std::chrono::milliseconds(manifest.timeout_ms)));
}

}  // namespace approval::adapters
