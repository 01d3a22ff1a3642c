#include <termios.h>
#include <unistd.h>

#include <algorithm>

#include "core/base/files.h"
#include "core/base/utf8.h"
#include "gateway/secret_variable.h"
#include "gateway/verbs/handlers.h"
#include "render/quote.h"
#include "vault/vault.h"

namespace approval::gateway {
namespace {

using base::Code;
using base::Fail;
using base::JsonObject;
using base::Result;

constexpr std::size_t kMaxValueBytes = std::size_t{1} << 20;

vault::Vault MakeVault(const Invocation& call) {
  return {call.args().FlagOr("vault", vault::DefaultVaultPath(call.LogPath())), call.random()};
}

// While a person types a secret the terminal does not show it.
class NoEcho {
 public:
  NoEcho() {
    active_ = ::tcgetattr(STDIN_FILENO, &before_) == 0;
    if (!active_) return;
    termios quiet = before_;
    quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet);
  }
  ~NoEcho() {
    if (active_) ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_);
  }
  NoEcho(const NoEcho&) = delete;
  NoEcho& operator=(const NoEcho&) = delete;

 private:
  termios before_{};
  bool active_ = false;
};

Result<std::string> TypedLine(const char* prompt) {
  Print(stderr, prompt);
  const NoEcho quiet;
  std::string line;
  char c = 0;
  while (line.size() < kMaxValueBytes && ::read(STDIN_FILENO, &c, 1) == 1) {
    line.push_back(c);
    if (c == '\n') break;
  }
  Print(stderr, "");
  return line;
}

struct Value {
  base::Secret secret;
  bool line_end_dropped = false;
};

// A value out of the variable that `flag` names, else from stdin.
Result<Value> ReadValue(const Invocation& call, const char* flag, const char* prompt) {
  Value value;
  std::string text;
  if (const auto variable = call.args().Flag(flag)) {
    auto found = call.environment()(*variable);
    if (!found || found->empty()) {
      return Fail(Code::kUsage, "the variable of --" + std::string(flag) + " is not set");
    }
    text = std::move(*found);
  } else {
    auto read = ::isatty(STDIN_FILENO) != 0 ? TypedLine(prompt)
                                            : base::ReadDescriptor(STDIN_FILENO, kMaxValueBytes);
    if (!read) return Fail(Code::kUsage, "the value cannot be read: " + read.error().message);
    text = std::move(*read);
    if (!text.empty() && text.back() == '\n') {
      text.pop_back();
      value.line_end_dropped = true;
    }
  }
  value.secret = base::Secret(std::move(text));
  if (value.secret.empty()) return Fail(Code::kUsage, "the value is empty; it comes on stdin");
  if (!base::IsValidUtf8(value.secret.Reveal())) {
    return Fail(Code::kUsage, "the value is not UTF-8 text; nothing was stored");
  }
  return value;
}

// What a pasted secret often carries by accident, by count and place, never by content.
std::vector<std::string> Remarks(const Value& value) {
  std::vector<std::string> remarks;
  if (value.line_end_dropped) remarks.push_back("one line end at the end was dropped");
  const std::string_view text = value.secret.Reveal();
  std::size_t leading = 0, trailing = 0, inside = 0, foreign = 0, run = 0;
  bool solid = false;
  for (std::size_t at = 0; at < text.size();) {
    const base::CodePoint point = base::DecodeAt(text, at);
    if (base::IsEcmaSpace(point.value)) {
      ++run;
    } else {
      (solid ? inside : leading) += run;
      run = 0;
      solid = true;
      if (point.value > 0x7e) ++foreign;
    }
    at += point.length;
  }
  trailing = run;
  const auto note = [&](std::size_t count, const char* what) {
    if (count > 0) remarks.push_back(std::to_string(count) + " " + what);
  };
  note(leading, "blank(s) at the start, stored as given");
  note(trailing, "blank(s) at the end, stored as given");
  note(inside, "blank(s) inside, stored as given");
  note(foreign, "character(s) beyond ASCII, stored as given");
  return remarks;
}

}  // namespace

int VaultSetVerb(Invocation& call) {
  const auto name = call.Positional(0, "<name>");
  if (!name) return call.Usage(name.error().message);
  const auto human = call.HumanActor();
  if (!human) return call.Usage(human.error().message);
  const auto passphrase = VaultPassphrase(call);
  if (!passphrase) return call.Usage(passphrase.error().message);
  const auto value = ReadValue(call, "value-env", "value (not shown): ");
  if (!value) return call.Usage(value.error().message);
  vault::Vault store = MakeVault(call);
  const auto stored = store.Set(*name, value->secret, *passphrase);
  if (!stored) return call.Refuse(stored.error());
  JsonObject answer{{"ok", true},
                    {"name", *name},
                    {"created", stored->created},
                    {"count", stored->count},
                    {"path", store.path()}};
  std::string words = render::QuoteLine(*name) + (stored->created ? " stored" : " replaced") +
                      "; the vault holds " + std::to_string(stored->count);
  const std::vector<std::string> remarks = Remarks(*value);
  for (const std::string& remark : remarks) words += "\n  note: " + remark;
  if (!remarks.empty()) answer["remarks"] = base::TextArray(remarks);
  return call.Succeed(answer, words);
}

int VaultListVerb(Invocation& call) {
  const auto human = call.HumanActor();
  if (!human) return call.Usage(human.error().message);
  const vault::Vault store = MakeVault(call);
  if (!store.Present()) {
    return call.Succeed({{"ok", true},
                         {"present", false},
                         {"path", store.path()},
                         {"count", 0},
                         {"names", base::JsonArray{}}},
                        "no vault yet at " + render::QuoteLine(store.path()));
  }
  const auto passphrase = VaultPassphrase(call);
  if (!passphrase) return call.Usage(passphrase.error().message);
  const auto names = store.List(*passphrase);
  if (!names) return call.Refuse(names.error());
  std::string words = names->empty() ? "the vault is empty" : "";
  for (const std::string& name : *names) {
    words += (words.empty() ? "" : "\n") + render::QuoteLine(name);
  }
  return call.Succeed({{"ok", true},
                       {"present", true},
                       {"path", store.path()},
                       {"count", names->size()},
                       {"names", base::TextArray(*names)}},
                      words);
}

int VaultRemoveVerb(Invocation& call) {
  const auto name = call.Positional(0, "<name>");
  if (!name) return call.Usage(name.error().message);
  const auto human = call.HumanActor();
  if (!human) return call.Usage(human.error().message);
  const auto passphrase = VaultPassphrase(call);
  if (!passphrase) return call.Usage(passphrase.error().message);
  vault::Vault store = MakeVault(call);
  const auto left = store.Remove(*name, *passphrase);
  if (!left) return call.Refuse(left.error());
  return call.Succeed(
      {{"ok", true}, {"name", *name}, {"count", *left}, {"path", store.path()}},
      render::QuoteLine(*name) + " removed; the vault holds " + std::to_string(*left));
}

int VaultPasswdVerb(Invocation& call) {
  const auto human = call.HumanActor();
  if (!human) return call.Usage(human.error().message);
  const auto passphrase = VaultPassphrase(call);
  if (!passphrase) return call.Usage(passphrase.error().message);
  const auto fresh = ReadValue(call, "new-env", "new passphrase (not shown): ");
  if (!fresh) return call.Usage(fresh.error().message);
  const bool typed = !call.args().Has("new-env") && ::isatty(STDIN_FILENO) != 0;
  if (typed) {
    const auto again = ReadValue(call, "new-env", "the same again: ");
    if (!again || again->secret.Reveal() != fresh->secret.Reveal()) {
      return call.Usage("the two differ; nothing was changed");
    }
  }
  vault::Vault store = MakeVault(call);
  const auto count = store.ChangePassphrase(*passphrase, fresh->secret);
  if (!count) return call.Refuse(count.error());
  const std::string variable =
      policy::LoadPolicy(call.PolicyPath()).OrDefaults().vault_passphrase_env;
  return call.Succeed(
      {{"ok", true}, {"count", *count}, {"path", store.path()}, {"passphrase_env", variable}},
      "sealed anew, " + std::to_string(*count) + " credential(s)\n  next: give " +
          render::QuoteLine(variable) +
          " the new value wherever it is set (shell, service, keystore)");
}

int VaultGetVerb(Invocation& call) {
  return call.Usage(
      "no verb reads a credential back: values leave the vault only into an adapter that runs an "
      "approved action; `approval vault list` shows the names");
}

}  // namespace approval::gateway
