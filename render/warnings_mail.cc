#include "render/warnings_mail.h"

#include <algorithm>

#include "core/base/utf8.h"
#include "render/hosts.h"
#include "render/mail_attachment.h"
#include "render/quote.h"
#include "render/views.h"

namespace approval::render {
namespace {

constexpr std::size_t kShown = 120;

std::string LowerDomain(std::string_view address) {
  const auto parts = SplitAddress(address);
  return base::AsciiLower(parts ? std::string_view(parts->domain) : address);
}

void AppendName(std::vector<Warning>& out, const std::string& field, std::string_view name) {
  // The commercial at, also in its fullwidth and small forms.
  for (const std::string_view mark : {"@", "\uff20", "\ufe6b"}) {
    if (name.find(mark) == std::string_view::npos) continue;
    out.push_back(
        {WarningKind::kAddress, field,
         "a name that reads like an address in " + field + ": " + QuoteLine(name, kShown)});
    return;
  }
}

}  // namespace

std::vector<Warning> AddressWarnings(const base::JsonObject& email) {
  std::vector<Warning> out;
  const auto from = base::StringMember(email, "from");
  const auto reply_to = base::StringMember(email, "reply_to");
  if (reply_to && (!from || LowerDomain(*from) != LowerDomain(*reply_to))) {
    out.push_back(
        {WarningKind::kAddress, "reply_to",
         "answers go to another domain than the sender's: " + QuoteLine(*reply_to, kShown) +
             ", not " + QuoteLine(from.value_or("(absent)"), kShown)});
  }
  AppendName(out, "from_name", base::StringMember(email, "from_name").value_or(""));
  if (const base::Json* names = email.if_contains("names")) {
    for (const auto& member : names->get_object()) AppendName(out, "names", Text(member.value()));
  }
  return out;
}

std::vector<Warning> AttachmentWarnings(const base::JsonObject& email) {
  std::vector<Warning> out;
  const std::vector<MailAttachment> all = AttachmentsOf(email);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string because = RunsBecause(all[i]);
    if (because.empty()) continue;
    out.push_back({WarningKind::kAttachment, "attachment " + std::to_string(i + 1),
                   "attachment " + std::to_string(i + 1) +
                       " may run as a program when it is opened (" + because +
                       "): " + QuoteLine(all[i].name, kShown)});
  }
  return out;
}

}  // namespace approval::render
