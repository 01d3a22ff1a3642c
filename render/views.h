// The views of the canonical block and the parts of a card that come out of the payload: the inside
// of canonical_block.cc and card.cc (channels.md 2.3 to 2.6).
//
// A view takes a payload of its shape whose members are in canonical order. Lines are quoted; lines
// with text of several lines are behind the bar already. Absent members print `(absent)` without
// quotes, values always have quotes. Every view is injective.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "render/shape.h"

namespace approval::render {

using Lines = std::vector<std::string>;

struct KeyLine {
  std::string label;  // ours: `to`, `cwd`
  std::string value;  // quoted; of the bound bytes
};

// What a card shows of a payload: the values that matter most, and the bytes.
struct Content {
  std::vector<KeyLine> keys;
  std::string label;  // what `lines` are and how many: `body: 4 lines, 82 characters, 82 bytes`
  Lines lines;        // quoted, without the bar
  std::optional<std::size_t> recipients{};  // of a mail: to, cc and bcc together
};

Lines EmailView(const base::JsonObject& email);
Lines CommandView(const base::JsonObject& command);
Lines ArgvView(const base::JsonObject& argv);
Lines FileChangeView(const base::JsonObject& change);
Lines DraftView(const base::JsonObject& draft);
Lines HttpView(const base::JsonObject& request);
Lines PostView(const base::JsonObject& post);
Lines BinaryView(const base::JsonObject& binary);
Lines TextView(std::string_view text);
Lines OpaqueView(const base::Json& value);

// The view of the shape, and the card's part of it.
Lines ViewOf(Shape shape, const base::Json& payload);
Content ContentOf(Shape shape, const base::Json& payload);

Content EmailContent(const base::JsonObject& email);
Content FileChangeContent(const base::JsonObject& change);
Content DraftContent(const base::JsonObject& draft);
Content HttpContent(const base::JsonObject& request);
Content PostContent(const base::JsonObject& post);
Content BinaryContent(const base::JsonObject& binary);
Lines JsonLines(const base::Json& value);

// Helpers shared by the views.
std::string Quoted(std::string_view text);    // `"text"`, one line
std::string ItemLine(std::string_view text);  // the same, blank ones named
std::string MemberLine(const base::JsonObject& object, std::string_view key);  // `key: "v"`
std::string CountWords(std::string_view text);                // `2 lines, 24 characters, 24 bytes`
std::string Plural(std::size_t count, std::string_view one);  // `1 line`, `2 lines`
std::string Numbered(std::string_view word, std::size_t index);  // `file 1` for index 0
// `to: list of 2` and a numbered line per item, or the member's own line.
void AppendItems(Lines& out, const base::JsonObject& object, std::string_view key,
                 std::string_view item);
// The key lines of a mail's `to`, `cc` and `bcc`, each address on its own.
void AppendRecipients(Content& content, const base::JsonObject& mail);
// `body: (absent)`, or the counts and then the text behind the bar.
void AppendBody(Lines& out, const base::JsonObject& object, std::string_view key);
void AppendBase64(Lines& out, const std::string& label, std::string_view base64);
void AppendBarred(Lines& out, const Lines& quoted_lines);
std::string_view Text(const base::Json& string_value);

}  // namespace approval::render
