#include "vault/adapters/program_manifest.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/base/encoding.h"
#include "core/base/names.h"
#include "vault/vault.h"

namespace approval::adapters {
namespace {

using base::Json;
using base::JsonArray;
using base::JsonObject;

using Failure = tl::unexpected<std::string>;
template <typename T>
using Read = tl::expected<T, std::string>;

constexpr std::array<std::string_view, 6> kReserved = {"email",   "agentmail", "zzz",
                                                       "install", "list",      "uninstall"};
constexpr std::array<std::string_view, 5> kMembers = {"program", "sha256", "classes", "credentials",
                                                      "timeout_ms"};
constexpr std::array<std::string_view, 7> kSettingMembers = {
    "name", "kind", "required", "label", "describe", "default", "choices"};
constexpr std::size_t kMaxSettings = 32;

template <std::size_t N>
std::optional<std::string> Stranger(const JsonObject& object,
                                    const std::array<std::string_view, N>& known) {
  for (const auto& member : object) {
    if (std::find(known.begin(), known.end(), member.key()) == known.end()) {
      return base::ToText(Json(member.key()));
    }
  }
  return std::nullopt;
}

std::optional<CredentialKind> KindFrom(std::string_view text) {
  if (text == "secret") return CredentialKind::kSecret;
  if (text == "config") return CredentialKind::kConfig;
  if (text == "choice") return CredentialKind::kChoice;
  return std::nullopt;
}

std::string_view Spelling(CredentialKind kind) {
  switch (kind) {
    case CredentialKind::kSecret:
      return "secret";
    case CredentialKind::kConfig:
      return "config";
    case CredentialKind::kChoice:
      return "choice";
  }
  return "config";
}

// Names that this program keeps for itself are not a program's to read.
bool IsOpenToPrograms(std::string_view name) {
  return vault::IsCredentialName(name) && name.rfind(kInstalledPrefix, 0) != 0 &&
         name.rfind("approval.", 0) != 0;
}

Read<std::string> Choices(const Json* list) {
  std::string joined;
  if (list == nullptr) return joined;
  if (!list->is_array()) return Failure("\"choices\" must be a list");
  for (const Json& item : list->get_array()) {
    if (!item.is_string() || item.get_string().empty() ||
        item.get_string().find(' ') != boost::json::string::npos) {
      return Failure("a choice is a word");
    }
    joined += (joined.empty() ? "" : " ") + std::string(item.get_string());
  }
  return joined;
}

Read<ProgramSetting> ReadSetting(const Json& value) {
  const JsonObject* object = value.if_object();
  if (object == nullptr) return Failure("a credential is an object");
  if (const auto odd = Stranger(*object, kSettingMembers)) {
    return Failure("a credential has no member " + *odd);
  }
  ProgramSetting setting;
  setting.name = std::string(base::StringMember(*object, "name").value_or(""));
  if (!IsOpenToPrograms(setting.name)) {
    return Failure("a credential's name is printable, without blanks, and not one of approval's");
  }
  const auto kind = KindFrom(base::StringMember(*object, "kind").value_or(""));
  if (!kind) return Failure(setting.name + ": \"kind\" is secret, config or choice");
  setting.kind = *kind;
  if (const Json* required = object->if_contains("required")) {
    if (!required->is_bool()) return Failure(setting.name + ": \"required\" is true or false");
    setting.required = required->get_bool();
  }
  setting.label = std::string(base::StringMember(*object, "label").value_or(setting.name));
  setting.describe = std::string(base::StringMember(*object, "describe").value_or(""));
  setting.fallback = std::string(base::StringMember(*object, "default").value_or(""));
  if (setting.kind == CredentialKind::kSecret && !setting.fallback.empty()) {
    return Failure(setting.name + ": a secret has no default");
  }
  auto choices = Choices(object->if_contains("choices"));
  if (!choices) return Failure(setting.name + ": " + choices.error());
  setting.choices = std::move(*choices);
  if ((setting.kind == CredentialKind::kChoice) == setting.choices.empty()) {
    return Failure(setting.name + ": a choice, and only a choice, has \"choices\"");
  }
  return setting;
}

Read<std::vector<std::string>> ReadClasses(const JsonObject& object) {
  const Json* list = object.if_contains("classes");
  if (list == nullptr || !list->is_array() || list->get_array().empty()) {
    return Failure("\"classes\" must be a list with at least one class");
  }
  std::vector<std::string> classes;
  for (const Json& item : list->get_array()) {
    if (!item.is_string() || !base::IsConcreteClass(item.get_string())) {
      return Failure("\"classes\" holds exact classes, without *");
    }
    classes.emplace_back(item.get_string());
  }
  return classes;
}

}  // namespace

bool IsInstallableName(std::string_view name) {
  const bool shape = !name.empty() && name.size() <= 64 && name.front() != '-' &&
                     std::all_of(name.begin(), name.end(), [](char c) {
                       return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
                     });
  return shape && std::find(kReserved.begin(), kReserved.end(), name) == kReserved.end();
}

Read<ProgramManifest> ReadProgramManifest(std::string_view name, const Json& document) {
  const JsonObject* object = document.if_object();
  if (object == nullptr) return Failure("a manifest is a JSON object");
  if (const auto odd = Stranger(*object, kMembers)) return Failure("a manifest has no " + *odd);
  ProgramManifest manifest;
  manifest.name = std::string(name);
  manifest.program = std::string(base::StringMember(*object, "program").value_or(""));
  if (manifest.program.empty() || manifest.program.front() != '/' ||
      manifest.program.find('\0') != std::string::npos) {
    return Failure("\"program\" must be an absolute path");
  }
  if (object->contains("sha256")) {
    manifest.sha256 = std::string(base::StringMember(*object, "sha256").value_or(""));
    if (!base::IsHex64(manifest.sha256)) return Failure("\"sha256\" must be 64 hex digits");
  }
  auto classes = ReadClasses(*object);
  if (!classes) return Failure(classes.error());
  manifest.classes = std::move(*classes);
  if (const Json* list = object->if_contains("credentials")) {
    if (!list->is_array() || list->get_array().size() > kMaxSettings) {
      return Failure("\"credentials\" must be a list of at most 32");
    }
    std::set<std::string> seen;
    for (const Json& item : list->get_array()) {
      auto setting = ReadSetting(item);
      if (!setting) return Failure(setting.error());
      if (!seen.insert(setting->name).second) return Failure(setting->name + " is listed twice");
      manifest.credentials.push_back(std::move(*setting));
    }
  }
  if (const Json* timeout = object->if_contains("timeout_ms")) {
    const auto ms = base::AsInteger(*timeout);
    if (!ms || *ms < 1 || *ms > kMaxProgramMs) {
      return Failure("\"timeout_ms\" must be 1 to " + std::to_string(kMaxProgramMs));
    }
    manifest.timeout_ms = *ms;
  }
  return manifest;
}

JsonObject ToJson(const ProgramManifest& manifest) {
  JsonArray credentials;
  for (const ProgramSetting& setting : manifest.credentials) {
    JsonObject entry{{"name", setting.name},
                     {"kind", Spelling(setting.kind)},
                     {"required", setting.required},
                     {"label", setting.label},
                     {"describe", setting.describe}};
    if (!setting.fallback.empty()) entry["default"] = setting.fallback;
    if (!setting.choices.empty()) {
      JsonArray choices;
      for (std::size_t at = 0; at < setting.choices.size();) {
        const std::size_t end = std::min(setting.choices.find(' ', at), setting.choices.size());
        choices.push_back(Json(setting.choices.substr(at, end - at)));
        at = end + 1;
      }
      entry["choices"] = std::move(choices);
    }
    credentials.push_back(std::move(entry));
  }
  JsonObject out{{"program", manifest.program}};
  if (!manifest.sha256.empty()) out["sha256"] = manifest.sha256;
  out["classes"] = base::TextArray(manifest.classes);
  out["credentials"] = std::move(credentials);
  out["timeout_ms"] = manifest.timeout_ms;
  return out;
}

}  // namespace approval::adapters
