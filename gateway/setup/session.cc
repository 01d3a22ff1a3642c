#include "gateway/setup/session.h"

#include <unistd.h>

#include "core/log/read.h"
#include "render/quote.h"

namespace approval::gateway::setup {
namespace {

using base::Code;

// A person may have to unlock the keyring in a dialog of the desktop.
constexpr int kKeystoreDeadlineMs = 60'000;

}  // namespace

Session::Session(Invocation& call)
    : call_(call),
      dialogue_(STDIN_FILENO, STDERR_FILENO),
      load_(policy::LoadPolicy(call.PolicyPath())),
      source_map_path_(secrets::SourceMapPath(call.LogPath())),
      items_(secrets::ItemNamesFor(secrets::InstanceId(log::HomeOf(call.LogPath())))),
      keystore_(secrets::SecretServiceKeystore(kKeystoreDeadlineMs)) {}

base::Result<bool> Session::HasLine(const std::string& variable) const {
  const auto map = secrets::ReadSourceMap(source_map_path_);
  if (!map) return tl::unexpected(map.error());
  return *map && (*map)->Find(variable) != nullptr;
}

base::Result<void> Session::WriteLine(const std::string& variable, const base::Secret& source) {
  std::vector<secrets::Assignment> set;
  set.push_back({variable, source.Copy()});
  const auto written = secrets::UpsertSourceMap(source_map_path_, set);
  if (!written) return tl::unexpected(written.error());
  return {};
}

base::Result<std::optional<std::string>> Session::StoreSecret(const std::string& variable,
                                                              const std::string& item,
                                                              const base::Secret& value) {
  // The map is checked before the keystore changes: a bad line stops everything.
  if (const auto line = HasLine(variable); !line) return tl::unexpected(line.error());
  const auto reached = keystore_->Reach();
  if (reached) {
    if (auto stored = keystore_->Store(item, value); !stored) {
      return tl::unexpected(stored.error());
    }
    if (auto written = WriteLine(variable, base::Secret("secret-service:" + item)); !written) {
      return tl::unexpected(written.error());
    }
    return "in the keyring, as " + item;
  }
  dialogue_.Say("  " + render::QuoteLine(reached.error().message));
  dialogue_.Say("Without a keyring the value would stand readable in " +
                render::QuoteLine(source_map_path_) + " (mode 0600).");
  const auto yes = dialogue_.WholeYes("Store it there in plain text?");
  if (!yes || !*yes) return std::nullopt;
  if (auto written = WriteLine(variable, secrets::LiteralSpelling(value.Reveal())); !written) {
    return tl::unexpected(written.error());
  }
  return "in plain text in " + render::QuoteLine(source_map_path_);
}

base::Result<std::optional<bool>> Session::MayReplace(const std::string& variable) {
  const auto line = HasLine(variable);
  if (!line) return tl::unexpected(line.error());
  if (!*line) return true;
  return dialogue_.YesNo(variable + " has a line in the source map already. Replace it?", false);
}

int Session::Aborted() {
  dialogue_.Say("left; nothing was changed");
  return kAborted;
}

std::optional<int> RefuseWithoutTerminal(const Invocation& call,
                                         std::span<const std::string> commands) {
  if (!call.json() && ::isatty(STDIN_FILENO) != 0) return std::nullopt;
  const std::string verb(call.verb().name);
  const std::string message =
      "`approval " + verb + "` asks a person at a terminal; these commands do the same without one";
  if (call.json()) {
    base::JsonArray list;
    for (const std::string& one : commands) list.push_back(base::Json(one));
    Print(stderr, base::ToText(base::JsonObject{
                      {"error", base::JsonObject{{"code", base::Spelling(Code::kUsage)},
                                                 {"message", message},
                                                 {"commands", std::move(list)}}}}));
    return 2;
  }
  call.Usage(message);
  for (const std::string& one : commands) Print(stderr, "    " + render::QuoteLine(one));
  return 2;
}

}  // namespace approval::gateway::setup
