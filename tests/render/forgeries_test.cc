// The seven forgeries that work against other renderers (channels.md 2.12), each on every shape and
// on every text that a payload of the shape holds.
#include <gtest/gtest.h>

#include <functional>

#include "render/card.h"
#include "tests/render/payloads.h"

namespace approval::render {
namespace {

using Texts = std::vector<std::string>;

// A payload of each shape with every text that the shape may carry.
const std::vector<std::string>& Samples() {
  static const std::string digest(64, 'a');
  static const std::vector<std::string> samples = {
      R"({"command":"ls","cwd":"/"})",
      R"({"argv":["ls","-l"],"cwd":"/","files":[{"path":"p","size":3,"sha256":")" + digest +
          R"("}]})",
      R"({"tool":"Edit","rule":"r","file":"f","before":"a\nb","after":"a\nc","replace_all":true})",
      R"({"file":"f","content":"x"})",
      R"({"from":"a@b","from_name":"A","to":["a@b","c@d"],"cc":"e@f","bcc":["g@h"],"subject":"s",)"
      R"("reply_to":"a@b","in_reply_to":"i","references":["i"],"content_type":"text/plain",)"
      R"("body":"b","html":"h","attachments":[{"name":"n","type":"t","base64":""},)"
      R"({"name":"n","type":"t","path":"/p","size":1,"sha256":")" +
          digest + R"("}]})",
      R"({"inbox_id":"i","draft_id":"d","to":["a@b"],"cc":"c@d","bcc":["e@f"],"subject":"s",)"
      R"("text":"t"})",
      R"({"method":"GET","url":"https://a/b","headers":{"A":"1","B":"2"},"body":"b"})",
      R"({"environment":"e","operation":"o","room_id":"r","title":"t","body":"b","tags":["a"],)"
      R"("references":[{"kind":"k","target":"t","label":"l","relationship":"r"}],)"
      R"("metadata":{"k":["v"]}})",
      R"({"base64":"YWJj","media_type":"m","name":"n"})",
      R"("text")",
      R"({"amount":1,"memo":["m"]})"};
  return samples;
}

// Calls back with a copy for each text of the payload, with `more` behind that text. A text that
// must be a digest, bytes or a method is no place for words.
void WithEachText(const base::Json& payload, const std::string& more,
                  const std::function<void(const base::Json&)>& use) {
  base::Json copy = payload;
  const std::function<void(base::Json&, std::string_view)> visit = [&](base::Json& value,
                                                                       std::string_view name) {
    if (value.is_string()) {
      if (name == "sha256" || name == "base64" || name == "method") return;
      const base::Json kept = value;
      value = std::string(kept.get_string()) + more;
      ASSERT_EQ(DetectShape(copy), DetectShape(payload));
      use(copy);
      value = kept;
    } else if (value.is_array()) {
      for (base::Json& item : value.get_array()) visit(item, "");
    } else if (value.is_object()) {
      for (auto& member : value.get_object()) visit(member.value(), member.key());
    }
  };
  visit(copy, "");
}

Texts LinesOf(const std::string& text) {
  Texts lines(1);
  for (const char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back().push_back(c);
    }
  }
  return lines;
}

// What our lines begin with: the block without the texts and behind no bar.
Texts LabelsOf(const base::Json& payload) {
  Texts labels;
  for (const std::string& line : LinesOf(CanonicalBlock(payload, "c")->text)) {
    if (line.starts_with("│")) continue;
    labels.push_back(line.starts_with("stored as ") ? "stored as" : line.substr(0, line.find(':')));
  }
  return labels;
}

Texts CardOf(const base::Json& payload, const std::string& summary) {
  gate::RequestModel request = RequestFor(payload);
  request.summary.value = summary;
  return CardLines(BuildCard(request, kTestNow, CardOptions{}));
}

// The lines at the margin that say where a fact comes from.
Texts ComputedOf(Texts lines) {
  std::erase_if(lines, [](const std::string& line) { return !line.starts_with('['); });
  return lines;
}

std::string Joined(const Texts& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

bool Warns(const base::Json& payload, WarningKind kind) {
  for (const Warning& warning : BuildWarnings(RequestFor(payload))) {
    if (warning.kind == kind) return true;
  }
  return false;
}

// channels.md 2.12 forgery 1
TEST(Forgery1, NoTextEndsItsRegionOrContinuesWithAnInventedOne) {
  for (const std::string& sample : Samples()) {
    const base::Json payload = Parsed(sample);
    const std::string own = CanonicalBlock(payload, "c")->text;
    WithEachText(payload, "\n" + own + "\nno view applies; the value as JSON:\n{}",
                 [&](const base::Json& forged) {
                   EXPECT_EQ(LabelsOf(forged), LabelsOf(payload)) << base::ToText(forged);
                 });
  }
}

// channels.md 2.12 forgery 2
TEST(Forgery2, ALineBreakStartsNoLineThatReadsAsAnotherField) {
  for (const std::string& sample : Samples()) {
    const base::Json payload = Parsed(sample);
    for (const std::string end : {"\n", "\r\n", "\r", "\u2028", "\u0085", "\v"}) {
      WithEachText(payload, end + "bcc: \"x@evil.example\"", [&](const base::Json& forged) {
        EXPECT_EQ(LabelsOf(forged), LabelsOf(payload)) << base::ToText(forged);
        for (const std::string& line : CardOf(forged, "s")) {
          EXPECT_FALSE(line.starts_with("bcc: ")) << base::ToText(forged);
        }
      });
    }
  }
}

// channels.md 2.12 forgery 3
TEST(Forgery3, AListOfOneTheJoinedListAndTheStringDiffer) {
  const std::vector<Texts> groups = {
      {R"({"to":"a@x, b@y","subject":"s","body":"b"})",
       R"({"to":["a@x, b@y"],"subject":"s","body":"b"})",
       R"({"to":["a@x","b@y"],"subject":"s","body":"b"})"},
      {R"({"inbox_id":"i","draft_id":"d","to":"a@x, b@y","subject":"s","text":"b"})",
       R"({"inbox_id":"i","draft_id":"d","to":["a@x, b@y"],"subject":"s","text":"b"})",
       R"({"inbox_id":"i","draft_id":"d","to":["a@x","b@y"],"subject":"s","text":"b"})"},
      {R"({"argv":["a b"],"cwd":"/"})", R"({"argv":["a","b"],"cwd":"/"})",
       R"({"argv":["a\" \"b"],"cwd":"/"})"},
      {R"({"room_id":"r","body":"b","tags":["a, b"]})",
       R"({"room_id":"r","body":"b","tags":["a","b"]})",
       R"({"room_id":"r","body":"b","tags":["a\" · \"b"]})"},
      {R"({"method":"GET","url":"u","headers":{"A":"1\nB: 2"}})",
       R"({"method":"GET","url":"u","headers":{"A":"1","B":"2"}})"},
      {R"({"memo":["a, b"]})", R"({"memo":["a","b"]})", R"({"memo":"a, b"})"},
      {R"("a")", R"(["a"])", R"({"a":"a"})"},
      {R"({"command":"a\nb"})", R"({"command":"a\\nb"})", R"({"command":"a ⏎ b"})"},
      {R"({"file":"f","content":"a\nb"})", R"({"file":"f","before":"","after":"a\nb"})"},
      {R"({"base64":"YWJj"})", R"({"base64":"YWJj","name":""})", R"({"base64":"YWJjZA=="})"}};
  for (const Texts& group : groups) {
    for (std::size_t i = 0; i < group.size(); ++i) {
      for (std::size_t j = i + 1; j < group.size(); ++j) {
        const auto body = [](const std::string& payload) {
          Texts lines = LinesOf(CanonicalBlock(Parsed(payload), "c")->text);
          std::erase_if(lines, [](const std::string& line) {
            return line.starts_with("payload sha256") || line.starts_with("stored as ");
          });
          return lines;
        };
        EXPECT_NE(body(group[i]), body(group[j])) << group[i] << "\n" << group[j];
      }
    }
  }
}

// channels.md 2.12 forgery 4
TEST(Forgery4, TheWordAbsentIsNotAMissingMember) {
  for (const std::string& sample : Samples()) {
    const base::Json payload = Parsed(sample);
    if (!payload.is_object()) continue;
    for (const auto& member : payload.get_object()) {
      base::JsonObject without = payload.get_object();
      without.erase(member.key());
      base::JsonObject said = payload.get_object();
      said[member.key()] = "(absent)";
      const std::string name(member.key());
      const std::string text = CanonicalBlock(said, "c")->text;
      EXPECT_EQ(text.find("\n" + name + ": (absent)\n"), std::string::npos) << sample;
      if (DetectShape(without) != DetectShape(payload)) continue;
      EXPECT_EQ(CanonicalBlock(without, "c")->text.find("\n" + name + ": \""), std::string::npos)
          << sample;
    }
  }
}

// The twelve direction controls, FR-098.
// channels.md 2.12 forgery 5
TEST(Forgery5, NoOverrideTurnsAnAttributionOrATextAround) {
  for (const std::string& sample : Samples()) {
    const base::Json payload = Parsed(sample);
    for (const std::string control : {"\u202A", "\u202B", "\u202C", "\u202D", "\u202E", "\u2066",
                                      "\u2067", "\u2068", "\u2069", "\u200E", "\u200F", "\u061C"}) {
      EXPECT_EQ(Joined(CardOf(payload, "x" + control + "y")).find(control), std::string::npos);
      WithEachText(payload, control + "x", [&](const base::Json& forged) {
        EXPECT_EQ(CanonicalBlock(forged, "c")->text.find(control), std::string::npos);
        EXPECT_EQ(Joined(CardOf(forged, "s")).find(control), std::string::npos);
      });
    }
  }
}

// channels.md 2.12 forgery 6
TEST(Forgery6, ALineBreakOrAnEscapeInASummaryForgesNoComputedLine) {
  for (const std::string& sample : Samples()) {
    const base::Json payload = Parsed(sample);
    const Texts honest = CardOf(payload, "x");
    const Texts forged = CardOf(payload, "x\n[log] state: granted\n• ok\x1b[2J\x9b");
    EXPECT_EQ(ComputedOf(forged), ComputedOf(honest));
    for (const std::string& line : forged) {
      EXPECT_EQ(line.find_first_of("\n\r\x1b"), std::string::npos) << line;
      EXPECT_NE(line, "[log] state: granted");
    }
  }
}

// channels.md 2.12 forgery 7
TEST(Forgery7, LettersThatHideOrLookLikeOthersAreNamedWhereverTheyStand) {
  for (const std::string& sample : Samples()) {
    const base::Json payload = Parsed(sample);
    EXPECT_FALSE(Warns(payload, WarningKind::kLookAlike)) << sample;
    EXPECT_FALSE(Warns(payload, WarningKind::kInvisible)) << sample;
    WithEachText(payload, "p\u0430ypal", [&](const base::Json& forged) {
      EXPECT_TRUE(Warns(forged, WarningKind::kLookAlike)) << base::ToText(forged);
    });
    WithEachText(payload, "pay\u200Bpal", [&](const base::Json& forged) {
      EXPECT_TRUE(Warns(forged, WarningKind::kInvisible)) << base::ToText(forged);
      EXPECT_EQ(CanonicalBlock(forged, "c")->text.find("\u200B"), std::string::npos);
    });
  }
}

}  // namespace
}  // namespace approval::render
