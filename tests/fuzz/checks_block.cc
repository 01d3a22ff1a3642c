#include <algorithm>
#include <charconv>
#include <functional>

#include "core/base/canonical.h"
#include "core/base/sha256.h"
#include "core/base/utf8.h"
#include "render/canonical_block.h"
#include "render/quote.h"
#include "render/views.h"
#include "tests/fuzz/checks.h"
#include "tests/render/payloads.h"

namespace approval::fuzz {
namespace {

using Lines = std::vector<std::string>;

Lines Split(std::string_view text) {
  Lines lines;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    lines.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

std::string Joined(const Lines& lines) {
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i) out += (i == 0 ? "" : "\n") + lines[i];
  return out;
}

// The lines behind the bar, one group for each run of them.
std::vector<Lines> Regions(const Lines& block) {
  std::vector<Lines> out;
  bool inside = false;
  for (const std::string& line : block) {
    const bool barred = line.starts_with("│");
    if (barred && !inside) out.emplace_back();
    if (barred) out.back().push_back(line == "│" ? "" : line.substr(std::string("│ ").size()));
    inside = barred;
  }
  return out;
}

// Every member that is text of several lines stands in a region of its own, in this order.
std::string RegionFault(const base::JsonObject& payload, const std::vector<Lines>& regions,
                        std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    const auto text = base::StringMember(payload, key);
    if (!text) continue;
    const bool shown = std::any_of(regions.begin(), regions.end(), [&](const Lines& region) {
      return render::Unquote(Joined(region)) == *text;
    });
    if (!shown) return "the text of " + std::string(key) + " does not come back";
  }
  return "";
}

// `key: "value"` whose inside gives the member back.
std::string MemberFault(const base::JsonObject& payload, const Lines& block,
                        std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    const base::Json* value = payload.if_contains(key);
    if (value == nullptr || !value->is_string()) continue;
    const std::string start = std::string(key) + ": \"";
    const auto line = std::find_if(block.begin(), block.end(),
                                   [&](const std::string& l) { return l.starts_with(start); });
    if (line == block.end() || !line->ends_with('"')) return "no line for " + std::string(key);
    const auto inside = line->substr(start.size(), line->size() - start.size() - 1);
    if (render::Unquote(inside) != render::Text(*value)) {
      return "the value of " + std::string(key) + " does not come back";
    }
  }
  return "";
}

std::string ItemsFault(const base::JsonArray& items, const Lines& block, std::string_view word) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string start = std::string(word) + std::to_string(i + 1) + ": \"";
    const auto line = std::find_if(block.begin(), block.end(),
                                   [&](const std::string& l) { return l.starts_with(start); });
    if (line == block.end()) return "an item has no line";
    // Behind the value a blank one is named, without quotes.
    const auto inside = line->substr(start.size(), line->rfind('"') - start.size());
    if (render::Unquote(inside) != render::Text(items[i])) return "an item does not come back";
  }
  return "";
}

// The two sides of a diff, out of its hunks.
class Sides {
 public:
  std::string Read(const Lines& lines) {
    for (const std::string& line : lines) {
      if (line.starts_with("@@ before: ")) {
        const std::size_t middle = line.find(", after: ");
        if (middle == std::string::npos) return "a hunk without its lines";
        old_at_ = First(line.substr(11, middle - 11), old_at_);
        new_at_ = First(line.substr(middle + 9), new_at_);
        continue;
      }
      if (line.empty()) return "a line of a diff without a sign";
      const std::string rest = line.substr(1);
      std::size_t count = 1;
      std::string text;
      if (rest.starts_with("«") && rest.ends_with(" blank lines»")) {
        std::from_chars(rest.data() + 2, rest.data() + rest.size(), count);
      } else {
        const auto unquoted = render::Unquote(rest);
        if (!unquoted) return "a line of a diff that does not come back";
        text = *unquoted;
      }
      for (std::size_t i = 0; i < count; ++i) {
        if (line.front() != '+') Put(before, old_at_, text);
        if (line.front() != '-') Put(after, new_at_, text);
      }
    }
    return "";
  }

  Lines before;
  Lines after;

 private:
  // `line 3`, `lines 3 to 9`; nothing: where we are.
  static std::size_t First(const std::string& span, std::size_t at) {
    const std::size_t digit = span.find_first_of("0123456789");
    if (digit == std::string::npos) return at;
    std::size_t first = 1;
    std::from_chars(span.data() + digit, span.data() + span.size(), first);
    return first - 1;
  }

  static void Put(Lines& side, std::size_t& at, const std::string& text) {
    if (side.size() <= at) side.resize(at + 1, "(missing)");
    side[at++] = text;
  }

  std::size_t old_at_ = 0;
  std::size_t new_at_ = 0;
};

std::string SideFault(const base::JsonObject& change, std::string_view key, const Lines& side,
                      const Lines& block) {
  const std::string_view text = render::Text(change.at(key));
  std::string back;
  for (const std::string& line : side) back += line + "\n";
  const auto label = std::find_if(block.begin(), block.end(), [&](const std::string& line) {
    return line.starts_with(std::string(key) + ": ");
  });
  if (label == block.end()) return "a side without its counts";
  if (label->ends_with(", no line break at the end") && !back.empty()) back.pop_back();
  return back == text ? "" : "the side " + std::string(key) + " does not come back";
}

std::string FileFault(const base::JsonObject& change, const Lines& block,
                      const std::vector<Lines>& regions) {
  Sides sides;
  for (const Lines& region : regions) {
    if (std::string fault = sides.Read(region); !fault.empty()) return fault;
  }
  if (change.contains("content")) return SideFault(change, "content", sides.after, block);
  std::string fault = SideFault(change, "before", sides.before, block);
  return fault.empty() ? SideFault(change, "after", sides.after, block) : fault;
}

// JSON behind the bar is the payload again once marks are taken back.
std::string OpaqueFault(const base::Json& payload, const std::vector<Lines>& regions) {
  if (regions.size() != 1) return "JSON in several regions";
  std::string text;
  for (const std::string& line : regions[0]) {
    const auto unquoted = render::Unquote(line);
    if (!unquoted) return "a line of JSON does not come back";
    for (const char c : *unquoted) {
      constexpr std::string_view kHex = "0123456789abcdef";
      const auto value = static_cast<unsigned char>(c);
      if (value < 0x20) {
        text += std::string("\\u00") + kHex[value / 16] + kHex[value % 16];
      } else {
        text.push_back(c);
      }
    }
    text.push_back('\n');
  }
  const auto parsed = base::ParseJson(text, base::kStrictJson);
  if (!parsed) return "the JSON is none: " + parsed.error().message;
  return base::CanonicalHash(*parsed).value_or("") == base::CanonicalHash(payload).value_or("none")
             ? ""
             : "other JSON comes back";
}

std::string ViewFault(const render::Canonical& block, const Lines& lines) {
  const std::vector<Lines> regions = Regions(lines);
  if (block.shape == render::Shape::kOpaque) return OpaqueFault(block.payload, regions);
  if (block.shape == render::Shape::kText) {
    return regions.size() == 1 && render::Unquote(Joined(regions[0])) == render::Text(block.payload)
               ? ""
               : "the text does not come back";
  }
  const base::JsonObject& payload = block.payload.get_object();
  if (block.shape == render::Shape::kFileChange) return FileFault(payload, lines, regions);
  std::string fault = MemberFault(payload, lines, {"subject", "cwd", "to", "from", "url"});
  if (!fault.empty()) return fault;
  if (block.shape == render::Shape::kArgv) {
    return ItemsFault(payload.at("argv").get_array(), lines, "");
  }
  for (const std::string_view key : {"to", "cc", "bcc"}) {
    const base::Json* list = payload.if_contains(key);
    if (list == nullptr || !list->is_array()) continue;
    fault = ItemsFault(list->get_array(), lines, std::string(key) + " ");
    if (!fault.empty()) return fault;
  }
  if (block.shape == render::Shape::kBinary) return "";
  return RegionFault(payload, regions, {"command", "body", "text", "html"});
}

base::Json Reversed(const base::Json& value) {
  if (!value.is_object()) return value;
  base::JsonObject out;
  const base::JsonObject& object = value.get_object();
  for (auto member = object.end(); member != object.begin();) {
    --member;
    out[member->key()] = Reversed(member->value());
  }
  return out;
}

}  // namespace

std::optional<base::Json> PayloadOf(std::string_view bytes) {
  if (bytes.empty() || static_cast<unsigned char>(bytes[0]) < 0xF0) {
    return render::RandomPayload(render::RandomText(std::string(bytes))).Next();
  }
  auto parsed = base::ParseJson(bytes.substr(1), base::kStrictJson);
  if (!parsed) return std::nullopt;
  return *parsed;
}

gate::RequestModel RequestOf(const base::Json& payload, std::string_view bytes) {
  gate::RequestModel request = render::RequestFor(payload);
  const std::string claim = base::ReplaceIllFormed(bytes);
  request.summary = {claim, "agent:drafter"};
  if (claim.size() % 2 == 0) {
    request.rationale = {claim, claim};
    request.requester = {claim, "log"};
    request.action_key = {claim, "log"};
    request.command_breakdown = {claim, "classifier"};
  }
  return request;
}

std::string CheckBlock(std::string_view bytes) {
  const std::optional<base::Json> payload = PayloadOf(bytes);
  if (!payload) return "";
  const auto block = render::CanonicalBlock(*payload, "c");
  if (!block) return base::Canonicalize(*payload) ? "a canonical payload without a block" : "";
  if (std::string fault = RawFault(block->text); !fault.empty()) return fault;
  const auto again = render::CanonicalBlock(Reversed(*payload), "c");
  if (!again || again->text != block->text || again->display_hash != block->display_hash) {
    return "the order of members changes the block";
  }
  if (block->display_hash != base::Sha256Hex(block->text)) return "another display hash";
  if (block->payload_hash != base::CanonicalHash(*payload).value_or("")) {
    return "another payload hash";
  }
  return ViewFault(*block, Split(block->text));
}

}  // namespace approval::fuzz
