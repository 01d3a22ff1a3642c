#include "vault/adapters/email/wire_mail.h"

#include <fcntl.h>
#include <idn2.h>
#include <sys/stat.h>

#include <memory>

#include "core/base/files.h"
#include "core/base/sha256.h"

namespace approval::adapters::email {
namespace {

using Failure = tl::unexpected<ActFailed>;

Failure Invalid(std::string message) {
  return Failure(ActFailed{"email-payload-invalid", std::move(message)});
}

struct FreeIdn {
  void operator()(std::uint8_t* name) const { idn2_free(name); }
};

// Of all addresses; a name keeps the address that it stands for. Nothing when all is well.
std::optional<std::string> MapAddresses(mail::EmailPayload& mail) {
  constexpr const char* kNoForm = "an address has a domain that has no form in ASCII";
  const auto map = [](std::string& address) {
    const auto mapped = ToAsciiAddress(address);
    if (mapped) address = *mapped;
    return mapped.has_value();
  };
  if (!map(mail.from) || (!mail.reply_to.empty() && !map(mail.reply_to))) return kNoForm;
  for (auto* list : {&mail.to, &mail.cc, &mail.bcc}) {
    for (std::string& address : *list) {
      if (!map(address)) return kNoForm;
    }
  }
  std::map<std::string, std::string> names;
  for (const auto& [address, name] : mail.names) {
    const auto mapped = ToAsciiAddress(address);
    if (!mapped) return kNoForm;
    // One name of two would be sent, and both were shown.
    const auto [at, fresh] = names.emplace(*mapped, name);
    if (!fresh && at->second != name)
      return "\"names\" gives one address, spelled twice, two names";
  }
  mail.names = std::move(names);
  return std::nullopt;
}

Failure Missing(const std::string& which, const std::string& why) {
  return Failure(ActFailed{"email-attachment-missing", which + " cannot be read: " + why});
}

Failure Changed(const std::string& which, const std::string& how) {
  return Failure(
      ActFailed{"email-attachment-changed", which + " is not the file that was approved: " + how +
                                                "; restore it, or ask again with the new one"});
}

tl::expected<std::string, ActFailed> ReadApproved(const mail::Attachment& approved,
                                                  const std::string& which) {
  // A pipe or a device must not hold the open up.
  const base::Descriptor file(::open(approved.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.ok()) return Missing(which, base::ErrnoText(errno));
  struct stat facts {};
  if (::fstat(file.get(), &facts) != 0) return Missing(which, base::ErrnoText(errno));
  if (!S_ISREG(facts.st_mode)) return Missing(which, "it is no regular file");
  if (static_cast<std::size_t>(facts.st_size) != approved.size) {
    return Changed(which, "it has " + std::to_string(facts.st_size) + " bytes instead of " +
                              std::to_string(approved.size));
  }
  auto bytes = base::ReadDescriptor(file.get(), mail::kMaxMessageBytes);
  if (!bytes) return Missing(which, bytes.error().message);
  if (bytes->size() != approved.size) return Changed(which, "its size changes while it is read");
  if (base::Sha256Hex(*bytes) != approved.sha256) return Changed(which, "its SHA-256 differs");
  return std::move(*bytes);
}

}  // namespace

std::optional<std::string> ToAsciiAddress(const std::string& address) {
  if (mail::IsAscii(address)) return address;
  const std::string domain(mail::DomainOf(address));
  std::uint8_t* raw = nullptr;
  const int result = idn2_lookup_u8(reinterpret_cast<const std::uint8_t*>(domain.c_str()), &raw,
                                    IDN2_NFC_INPUT | IDN2_NO_TR46 | IDN2_USE_STD3_ASCII_RULES);
  const std::unique_ptr<std::uint8_t, FreeIdn> name(raw);
  if (result != IDN2_OK || name == nullptr) return std::nullopt;
  std::string mapped =
      address.substr(0, address.size() - domain.size()) + reinterpret_cast<const char*>(name.get());
  if (!mail::IsMailAddress(mapped)) return std::nullopt;
  return mapped;
}

tl::expected<mail::EmailPayload, ActFailed> ReadWireMail(const base::Json& payload) {
  auto mail = mail::ReadEmailPayload(payload, mail::MailForm::kWhole);
  if (!mail) return Invalid(mail.error());
  if (auto wrong = MapAddresses(*mail)) return Invalid(std::move(*wrong));
  std::size_t number = 0;
  for (mail::Attachment& attachment : mail->attachments) {
    ++number;
    if (attachment.path.empty()) continue;
    auto bytes = ReadApproved(attachment, "attachment " + std::to_string(number));
    if (!bytes) return Failure(bytes.error());
    attachment.bytes = std::move(*bytes);
  }
  return std::move(*mail);
}

}  // namespace approval::adapters::email
