#include "render/mail_attachment.h"

#include <algorithm>
#include <iterator>

#include "core/base/encoding.h"
#include "core/base/sha256.h"
#include "core/base/utf8.h"

namespace approval::render {
namespace {

constexpr std::string_view kRunning[] = {
    "exe", "com",  "scr",  "pif",  "bat", "cmd", "msi",      "msp",     "msix", "jar", "js",  "jse",
    "mjs", "vbs",  "vbe",  "wsf",  "wsh", "hta", "ps1",      "psm1",    "lnk",  "reg", "cpl", "dll",
    "iso", "img",  "vhd",  "vhdx", "app", "dmg", "pkg",      "deb",     "rpm",  "sh",  "py",  "pl",
    "apk", "docm", "xlsm", "pptm", "xll", "run", "appimage", "desktop", "url"};

constexpr std::string_view kDocuments[] = {
    "pdf", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "odt", "ods", "rtf",  "txt",
    "csv", "jpg", "jpeg", "png", "gif",  "zip", "mp3",  "mp4", "htm", "html", "eml"};

constexpr std::string_view kRunningTypes[] = {"application/x-msdownload",
                                              "application/x-msdos-program",
                                              "application/vnd.microsoft.portable-executable",
                                              "application/x-executable",
                                              "application/x-sh",
                                              "application/x-shellscript",
                                              "application/javascript",
                                              "text/javascript",
                                              "application/java-archive"};

template <typename List>
bool Holds(const List& list, std::string_view item) {
  return std::find(std::begin(list), std::end(list), item) != std::end(list);
}

// The last ending of a name, which loses it; dots and blanks at the end do not count, as they do
// not for the system that opens the file.
std::string TakeEnding(std::string_view& name) {
  while (!name.empty() && (name.back() == '.' || name.back() == ' ')) name.remove_suffix(1);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return "";
  std::string ending = base::AsciiLower(name.substr(dot + 1));
  name = name.substr(0, dot);
  return ending;
}

}  // namespace

std::vector<MailAttachment> AttachmentsOf(const base::JsonObject& email) {
  std::vector<MailAttachment> all;
  const base::Json* list = email.if_contains("attachments");
  if (list == nullptr) return all;
  for (const base::Json& item : list->get_array()) {
    const base::JsonObject& object = item.get_object();
    MailAttachment it;
    it.name = base::StringMember(object, "name").value_or("");
    it.type = base::StringMember(object, "type").value_or("");
    it.path = base::StringMember(object, "path").value_or("");
    it.states_size = object.contains("size");
    it.states_digest = object.contains("sha256");
    if (const auto text = base::StringMember(object, "base64")) {
      const std::string bytes = base::Base64Decode(*text).value_or("");
      it.inside = true;
      it.base64 = *text;
      it.size = bytes.size();
      it.sha256 = base::Sha256Hex(bytes);
    } else {
      it.size = static_cast<std::size_t>(base::AsInteger(object.at("size")).value_or(0));
      it.sha256 = base::StringMember(object, "sha256").value_or("");
    }
    all.push_back(std::move(it));
  }
  return all;
}

std::string RunsBecause(const MailAttachment& attachment) {
  std::string_view name = attachment.name;
  const std::string last = TakeEnding(name);
  if (Holds(kRunning, last)) {
    const std::string before = TakeEnding(name);
    if (!Holds(kDocuments, before)) return "ends in ." + last;
    return "ends in ." + last + " behind a ." + before + " that is for show";
  }
  if (Holds(kRunningTypes, base::AsciiLower(attachment.type))) return "its type says so";
  return "";
}

}  // namespace approval::render
