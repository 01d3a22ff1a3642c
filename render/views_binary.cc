#include "core/base/encoding.h"
#include "core/base/sha256.h"
#include "render/quote.h"
#include "render/views.h"

namespace approval::render {
namespace {

constexpr std::size_t kFirst = 64;  // bytes drawn as hex

std::string BytesOf(const base::JsonObject& binary) {
  return base::Base64Decode(Text(binary.at("base64"))).value_or("");
}

std::string FirstWords(const std::string& bytes) {
  if (bytes.empty()) return "no bytes";
  if (bytes.size() <= kFirst) return "all " + Plural(bytes.size(), "byte") + " as hex";
  return "the first " + std::to_string(kFirst) + " of " + Plural(bytes.size(), "byte") + " as hex";
}

Lines HexLines(const std::string& bytes) {
  constexpr std::size_t kRow = 16;
  Lines out;
  const std::string_view first = std::string_view(bytes).substr(0, kFirst);
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (i % kRow == 0) out.emplace_back();
    if (i % kRow != 0) out.back().push_back(' ');
    out.back() += base::HexEncode(first.substr(i, 1));
  }
  return out;
}

}  // namespace

// The bytes are never decoded onto a surface: their base64 is what stands here whole.
Lines BinaryView(const base::JsonObject& binary) {
  const std::string bytes = BytesOf(binary);
  Lines out;
  out.push_back(MemberLine(binary, "name"));
  out.push_back(MemberLine(binary, "media_type"));
  out.push_back("size: " + Plural(bytes.size(), "byte"));
  out.push_back("sha256: " + base::Sha256Hex(bytes));
  out.push_back(FirstWords(bytes));
  AppendBarred(out, HexLines(bytes));
  AppendBase64(out, "base64", Text(binary.at("base64")));
  return out;
}

Content BinaryContent(const base::JsonObject& binary) {
  const std::string bytes = BytesOf(binary);
  Content content;
  if (const auto name = base::StringMember(binary, "name")) {
    content.keys.push_back({"name", QuoteLine(*name)});
  }
  const auto type = base::StringMember(binary, "media_type");
  content.keys.push_back({"type", type ? QuoteLine(*type) : "(not stated)"});
  content.keys.push_back({"size", Plural(bytes.size(), "byte")});
  content.keys.push_back({"sha256", base::Sha256Hex(bytes)});
  content.label = FirstWords(bytes);
  content.lines = HexLines(bytes);
  return content;
}

}  // namespace approval::render
