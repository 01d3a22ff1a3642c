#include "vault/adapters/email/email_message.h"

#include <mutex>

#include "core/base/sha256.h"
#include "vault/adapters/email/header_words.h"
#include "vault/adapters/email/mime_parts.h"

namespace approval::adapters::email {
namespace {

constexpr std::size_t kMaxLine = 998;
// Source bytes of the subject's first word, which stands behind "Subject: " on its line.
constexpr std::size_t kFirstWordBytes = 36;

struct FreeFormat {
  void operator()(GMimeFormatOptions* options) const { g_mime_format_options_free(options); }
};
struct FreeTime {
  void operator()(GDateTime* time) const { g_date_time_unref(time); }
};

void StartLibrary() {
  static std::once_flag once;
  std::call_once(once, [] { g_mime_init(); });
}

// In the bytes given here, which the library writes as they are.
void SetRaw(GMimeMessage* message, std::string_view name, const std::string& value) {
  GMimeHeaderList* headers = g_mime_object_get_header_list(GMIME_OBJECT(message));
  for (int i = 0; i < g_mime_header_list_get_count(headers); ++i) {
    GMimeHeader* header = g_mime_header_list_get_header_at(headers, i);
    if (g_mime_header_get_name(header) == name) {
      g_mime_header_set_raw_value(header, value.c_str());
    }
  }
}

void SetSubject(GMimeMessage* message, const std::string& subject) {
  const bool plain = IsPlainSubject(subject);
  g_mime_message_set_subject(message, plain ? subject.c_str() : "x", "utf-8");
  if (!plain) SetRaw(message, "Subject", EncodedWords(subject, kFirstWordBytes) + "\n");
}

void AddAddresses(GMimeMessage* message, GMimeAddressType type, const char* header,
                  const std::vector<std::string>& addresses,
                  const std::map<std::string, std::string>& names) {
  InternetAddressList* list = g_mime_message_get_addresses(message, type);
  for (const std::string& address : addresses) {
    const Held<InternetAddress> mailbox(internet_address_mailbox_new(nullptr, address.c_str()));
    internet_address_list_add(list, mailbox.get());
  }
  // The library mixes quoted and encoded words in one name, which readers put together differently.
  if (!names.empty()) SetRaw(message, header, AddressLines(addresses, names));
}

void SetPeople(GMimeMessage* message, const mail::EmailPayload& mail) {
  std::map<std::string, std::string> sender;
  if (!mail.from_name.empty()) sender.emplace(mail.from, mail.from_name);
  AddAddresses(message, GMIME_ADDRESS_TYPE_FROM, "From", {mail.from}, sender);
  if (!mail.reply_to.empty()) {
    AddAddresses(message, GMIME_ADDRESS_TYPE_REPLY_TO, "Reply-To", {mail.reply_to}, {});
  }
  AddAddresses(message, GMIME_ADDRESS_TYPE_TO, "To", mail.to, mail.names);
  if (!mail.cc.empty()) AddAddresses(message, GMIME_ADDRESS_TYPE_CC, "Cc", mail.cc, mail.names);
}

void SetThread(GMimeMessage* message, const mail::EmailPayload& mail) {
  const auto set = [message](const char* name, const std::string& value) {
    g_mime_object_set_header(GMIME_OBJECT(message), name, value.c_str(), nullptr);
  };
  if (!mail.in_reply_to.empty()) set("In-Reply-To", mail.in_reply_to);
  std::string references;
  for (const std::string& id : mail.references) references += (references.empty() ? "" : " ") + id;
  if (!references.empty()) set("References", references);
}

bool IsSafeOnTheWire(std::string_view message) {
  std::size_t line = 0;
  char before = '\0';
  for (const char c : message) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte == 0 || byte > 0x7e) return false;
    if ((c == '\n') != (before == '\r')) return false;
    line = c == '\n' ? 0 : line + 1;
    if (line > kMaxLine + 1) return false;
    before = c;
  }
  return before == '\n';
}

}  // namespace

std::string MessageId(std::string_view action_key, std::string_view payload_hash,
                      std::string_view from) {
  const std::string bound =
      "approval.md/message-id\n" + std::string(action_key) + "\n" + std::string(payload_hash);
  return "<" + base::Sha256Hex(bound).substr(0, 40) + "@" +
         std::string(from.substr(from.rfind('@') + 1)) + ">";
}

std::optional<std::string> ComposeMessage(const mail::EmailPayload& mail,
                                          const std::string& message_id, std::int64_t now_ms) {
  StartLibrary();
  const Held<GMimeMessage> message(g_mime_message_new(TRUE));
  const std::unique_ptr<GDateTime, FreeTime> now(g_date_time_new_from_unix_utc(now_ms / 1000));
  g_mime_message_set_date(message.get(), now.get());
  SetPeople(message.get(), mail);
  SetSubject(message.get(), mail.subject);
  g_mime_message_set_message_id(message.get(), message_id.substr(1, message_id.size() - 2).c_str());
  SetThread(message.get(), mail);
  const Held<GMimeObject> body = BodyOf(mail, base::Sha256Hex(message_id).substr(0, 24));
  g_mime_message_set_mime_part(message.get(), body.get());
  const std::unique_ptr<GMimeFormatOptions, FreeFormat> format(g_mime_format_options_new());
  g_mime_format_options_set_newline_format(format.get(), GMIME_NEWLINE_FORMAT_DOS);
  const Held<GMimeStream> out(g_mime_stream_mem_new());
  if (g_mime_object_write_to_stream(GMIME_OBJECT(message.get()), format.get(), out.get()) < 0) {
    return std::nullopt;
  }
  const GByteArray* bytes = g_mime_stream_mem_get_byte_array(GMIME_STREAM_MEM(out.get()));
  std::string text(reinterpret_cast<const char*>(bytes->data), bytes->len);
  if (!IsSafeOnTheWire(text)) return std::nullopt;
  return text;
}

}  // namespace approval::adapters::email
