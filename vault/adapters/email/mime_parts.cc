#include "vault/adapters/email/mime_parts.h"

namespace approval::adapters::email {
namespace {

constexpr std::size_t kMaxLine = 998;

// Every line end becomes one LF; the library writes CRLF from it.
std::string NormalizedText(std::string_view body) {
  std::string out;
  out.reserve(body.size() + 1);
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (body[i] == '\r') {
      out.push_back('\n');
      if (i + 1 < body.size() && body[i + 1] == '\n') ++i;
    } else {
      out.push_back(body[i]);
    }
  }
  out.push_back('\n');
  return out;
}

bool GoesAsItIs(std::string_view body) {
  std::size_t line = 0;
  for (const char c : body) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      line = 0;
      continue;
    }
    if ((byte < 0x20 && c != '\t') || byte >= 0x7f || ++line > kMaxLine) return false;
  }
  return true;
}

void SetContent(GMimePart* part, std::string_view bytes, GMimeContentEncoding encoding) {
  const Held<GMimeStream> stream(g_mime_stream_mem_new_with_buffer(bytes.data(), bytes.size()));
  const Held<GMimeDataWrapper> content(
      g_mime_data_wrapper_new_with_stream(stream.get(), GMIME_CONTENT_ENCODING_DEFAULT));
  g_mime_part_set_content(part, content.get());
  g_mime_part_set_content_encoding(part, encoding);
}

Held<GMimeObject> AsObject(Held<GMimePart> part) {
  return Held<GMimeObject>(GMIME_OBJECT(part.release()));
}

Held<GMimeObject> TextPart(std::string_view text, const char* subtype) {
  const std::string body = NormalizedText(text);
  Held<GMimePart> part(g_mime_part_new_with_type("text", subtype));
  g_mime_object_set_content_type_parameter(GMIME_OBJECT(part.get()), "charset", "utf-8");
  SetContent(
      part.get(), body,
      GoesAsItIs(body) ? GMIME_CONTENT_ENCODING_7BIT : GMIME_CONTENT_ENCODING_QUOTEDPRINTABLE);
  return AsObject(std::move(part));
}

Held<GMimeObject> FilePart(const mail::Attachment& attachment) {
  const std::size_t slash = attachment.type.find('/');
  Held<GMimePart> part(g_mime_part_new_with_type(attachment.type.substr(0, slash).c_str(),
                                                 attachment.type.substr(slash + 1).c_str()));
  SetContent(part.get(), attachment.bytes, GMIME_CONTENT_ENCODING_BASE64);
  g_mime_object_set_disposition(GMIME_OBJECT(part.get()), GMIME_DISPOSITION_ATTACHMENT);
  g_mime_part_set_filename(part.get(), attachment.name.c_str());
  return AsObject(std::move(part));
}

// `=_` begins no sequence of quoted-printable and no base64, so a boundary ends no part early.
Held<GMimeMultipart> Multipart(const char* subtype, const std::string& tag) {
  Held<GMimeMultipart> multipart(g_mime_multipart_new_with_subtype(subtype));
  g_mime_multipart_set_boundary(multipart.get(),
                                ("=_" + tag + "_" + std::string(subtype).substr(0, 3)).c_str());
  return multipart;
}

Held<GMimeObject> TextOf(const mail::EmailPayload& mail, const std::string& tag) {
  if (!mail.html_alternative) return TextPart(mail.body, mail.html ? "html" : "plain");
  Held<GMimeMultipart> both = Multipart("alternative", tag);
  g_mime_multipart_add(both.get(), TextPart(mail.body, "plain").get());
  g_mime_multipart_add(both.get(), TextPart(*mail.html_alternative, "html").get());
  return Held<GMimeObject>(GMIME_OBJECT(both.release()));
}

}  // namespace

Held<GMimeObject> BodyOf(const mail::EmailPayload& mail, const std::string& tag) {
  Held<GMimeObject> text = TextOf(mail, tag);
  if (mail.attachments.empty()) return text;
  Held<GMimeMultipart> mixed = Multipart("mixed", tag);
  g_mime_multipart_add(mixed.get(), text.get());
  for (const mail::Attachment& attachment : mail.attachments) {
    g_mime_multipart_add(mixed.get(), FilePart(attachment).get());
  }
  return Held<GMimeObject>(GMIME_OBJECT(mixed.release()));
}

}  // namespace approval::adapters::email
