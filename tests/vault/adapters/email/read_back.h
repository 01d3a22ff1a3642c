// A message as two independent readers understand it, and as the payload says it should be: three
// JSON objects that must be equal.
#pragma once

#include <gmime/gmime.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/sha256.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"
#include "vault/mail/email_payload.h"

namespace approval::adapters::email {

inline std::string LineFeeds(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      out.push_back(text[i]);
    } else if (i + 1 >= text.size() || text[i + 1] != '\n') {
      out.push_back('\n');
    }
  }
  return out;
}

inline base::JsonArray Strings(const std::vector<std::string>& items) {
  base::JsonArray list;
  for (const std::string& item : items) list.push_back(base::Json(item));
  return list;
}

// What every reader must find in a message of this mail. Addresses are in ASCII already.
inline base::JsonObject Expected(const mail::EmailPayload& mail, const std::string& message_id) {
  const auto people = [&](const std::vector<std::string>& addresses) {
    base::JsonArray list;
    for (const std::string& address : addresses) {
      const auto name = mail.names.find(address);
      list.push_back(
          base::JsonArray{name != mail.names.end() ? name->second : std::string(), address});
    }
    return list;
  };
  base::JsonArray parts;
  const auto text = [&parts](const char* type, const std::string& body) {
    parts.push_back(
        base::JsonObject{{"type", type}, {"name", ""}, {"text", LineFeeds(body) + "\n"}});
  };
  text(mail.html ? "text/html" : "text/plain", mail.body);
  if (mail.html_alternative) text("text/html", *mail.html_alternative);
  for (const mail::Attachment& it : mail.attachments) {
    parts.push_back(base::JsonObject{
        {"type", it.type}, {"name", it.name}, {"size", it.size}, {"sha256", it.sha256}});
  }
  const char* structure = !mail.attachments.empty() ? "multipart/mixed"
                          : mail.html_alternative   ? "multipart/alternative"
                          : mail.html               ? "text/html"
                                                    : "text/plain";
  return {{"from", base::JsonArray{base::JsonArray{mail.from_name, mail.from}}},
          {"reply_to", mail.reply_to.empty() ? base::JsonArray()
                                             : base::JsonArray{base::JsonArray{"", mail.reply_to}}},
          {"to", people(mail.to)},
          {"cc", people(mail.cc)},
          {"bcc", base::JsonArray()},
          {"subject", mail.subject},
          {"message_id", message_id},
          {"in_reply_to", mail.in_reply_to},
          {"references", Strings(mail.references)},
          {"structure", structure},
          {"parts", std::move(parts)},
          {"defects", base::JsonArray()}};
}

// By Python's email package, a whole batch at once.
inline std::vector<base::JsonObject> ReadByPython(const std::vector<std::string>& messages) {
  const testing::TempFolder folder;
  std::vector<std::string> argv = {"/usr/bin/python3",
                                   APPROVAL_SOURCE_DIR "/tests/support/programs/read_mail.py"};
  for (std::size_t i = 0; i < messages.size(); ++i) {
    folder.Write(std::to_string(i) + ".eml", messages[i]);
    argv.push_back(folder.Path(std::to_string(i) + ".eml"));
  }
  const testing::RunResult run = testing::RunProcess(argv);
  EXPECT_EQ(run.exit, 0) << run.err;
  std::vector<base::JsonObject> read;
  for (std::size_t at = 0; at < run.out.size();) {
    const std::size_t end = run.out.find('\n', at);
    auto parsed = base::ParseJson(run.out.substr(at, end - at), base::kLenientJson);
    if (!parsed) break;
    read.push_back(parsed->as_object());
    at = end + 1;
  }
  EXPECT_EQ(read.size(), messages.size());
  read.resize(messages.size());
  return read;
}

// By GMime's parser.
class GmimeReader {
 public:
  static base::JsonObject Read(const std::string& text) {
    g_mime_init();
    GMimeStream* stream = g_mime_stream_mem_new_with_buffer(text.data(), text.size());
    GMimeParser* parser = g_mime_parser_new_with_stream(stream);
    GMimeMessage* message = g_mime_parser_construct_message(parser, nullptr);
    GMimeObject* object = GMIME_OBJECT(message);
    base::JsonArray parts;
    AppendParts(parts, g_mime_message_get_mime_part(message));
    base::JsonArray references;
    const std::string listed = Header(object, "References");
    for (std::size_t at = 0; (at = listed.find('<', at)) != std::string::npos; ++at) {
      references.push_back(base::Json(listed.substr(at, listed.find('>', at) - at + 1)));
    }
    base::JsonObject read{{"from", People(message, GMIME_ADDRESS_TYPE_FROM)},
                          {"reply_to", People(message, GMIME_ADDRESS_TYPE_REPLY_TO)},
                          {"to", People(message, GMIME_ADDRESS_TYPE_TO)},
                          {"cc", People(message, GMIME_ADDRESS_TYPE_CC)},
                          {"bcc", People(message, GMIME_ADDRESS_TYPE_BCC)},
                          {"subject", Safe(g_mime_message_get_subject(message))},
                          {"message_id", Header(object, "Message-ID")},
                          {"in_reply_to", Header(object, "In-Reply-To")},
                          {"references", std::move(references)},
                          {"structure", TypeOf(g_mime_message_get_mime_part(message))},
                          {"parts", std::move(parts)},
                          {"defects", base::JsonArray()}};
    g_object_unref(message);
    g_object_unref(parser);
    g_object_unref(stream);
    return read;
  }

 private:
  static std::string Safe(const char* text) { return text != nullptr ? text : ""; }

  static std::string Header(GMimeObject* object, const char* name) {
    std::string value = Safe(g_mime_object_get_header(object, name));
    while (!value.empty() && value.front() == ' ') value.erase(0, 1);
    return value;
  }

  static std::string TypeOf(GMimeObject* object) {
    GMimeContentType* type = g_mime_object_get_content_type(object);
    return Safe(g_mime_content_type_get_media_type(type)) + "/" +
           Safe(g_mime_content_type_get_media_subtype(type));
  }

  static base::JsonArray People(GMimeMessage* message, GMimeAddressType kind) {
    base::JsonArray list;
    InternetAddressList* all = g_mime_message_get_addresses(message, kind);
    for (int i = 0; i < internet_address_list_length(all); ++i) {
      InternetAddress* one = internet_address_list_get_address(all, i);
      list.push_back(base::JsonArray{
          Safe(internet_address_get_name(one)),
          Safe(internet_address_mailbox_get_idn_addr(INTERNET_ADDRESS_MAILBOX(one)))});
    }
    return list;
  }

  static void AppendParts(base::JsonArray& out, GMimeObject* object) {
    if (GMIME_IS_MULTIPART(object)) {
      GMimeMultipart* multipart = GMIME_MULTIPART(object);
      for (int i = 0; i < g_mime_multipart_get_count(multipart); ++i) {
        AppendParts(out, g_mime_multipart_get_part(multipart, i));
      }
      return;
    }
    GMimeStream* stream = g_mime_stream_mem_new();
    g_mime_data_wrapper_write_to_stream(g_mime_part_get_content(GMIME_PART(object)), stream);
    const GByteArray* raw = g_mime_stream_mem_get_byte_array(GMIME_STREAM_MEM(stream));
    const std::string bytes(reinterpret_cast<const char*>(raw->data), raw->len);
    g_object_unref(stream);
    base::JsonObject part{{"type", TypeOf(object)},
                          {"name", Safe(g_mime_part_get_filename(GMIME_PART(object)))}};
    if (Safe(g_mime_object_get_disposition(object)) == "attachment") {
      part["size"] = bytes.size();
      part["sha256"] = base::Sha256Hex(bytes);
    } else {
      part["text"] = LineFeeds(bytes);
    }
    out.push_back(std::move(part));
  }
};

// Both readers find exactly what the mail says, in each message.
inline void ExpectReadBack(const std::vector<std::string>& messages,
                           const std::vector<mail::EmailPayload>& mails,
                           const std::vector<std::string>& ids) {
  const auto python = ReadByPython(messages);
  for (std::size_t i = 0; i < messages.size(); ++i) {
    SCOPED_TRACE(messages[i].substr(0, 2000));
    const std::string expected = base::ToText(Expected(mails[i], ids[i]));
    EXPECT_EQ(base::ToText(python[i]), expected);
    EXPECT_EQ(base::ToText(GmimeReader::Read(messages[i])), expected);
  }
}

}  // namespace approval::adapters::email
