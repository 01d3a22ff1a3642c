// The views of a draft, a web request, a post and bytes, on the card and in the warnings.
#include <gtest/gtest.h>

#include "render/card.h"
#include "render/request_url.h"
#include "tests/render/payloads.h"

namespace approval::render {
namespace {

using Texts = std::vector<std::string>;

Card CardOf(std::string_view payload, std::string action_class) {
  return BuildCard(RequestFor(Parsed(payload), std::move(action_class)), kTestNow, CardOptions{});
}

Texts KeysOf(const Card& card) {
  Texts lines;
  for (const KeyLine& line : card.key_lines) lines.push_back(line.label + "=" + line.value);
  return lines;
}

Texts WarningsOf(std::string_view payload, WarningKind kind) {
  Texts out;
  for (const Warning& warning : CardOf(payload, "c").warnings) {
    if (warning.kind == kind) out.push_back(warning.text);
  }
  return out;
}

TEST(Draft, ShowsWhoGetsItAndTheText) {
  const Card card = CardOf(
      R"({"inbox_id":"desk@x.org","draft_id":"d1","to":["a@x.org","b@y.org"],"bcc":["h@z.org"],)"
      R"("subject":"s\nt","text":"one\ntwo"})",
      "communicate.email.external");
  EXPECT_EQ(card.headline, "Send a mail that waits as a draft");
  EXPECT_EQ(KeysOf(card), (Texts{"to 1/2=a@x.org", "to 2/2=b@y.org", "bcc=h@z.org", "subject=s ⏎ t",
                                 "inbox=desk@x.org", "draft=d1"}));
  EXPECT_EQ(card.content_label, "text: 2 lines, 7 characters, 7 bytes");
  EXPECT_EQ(card.content, (Texts{"one", "two"}));
}

TEST(Draft, WarnsAsAMailDoes) {
  const std::string draft =
      R"({"inbox_id":"i","draft_id":"d","to":["a@exämple.com"],"bcc":["h@z"],"subject":"s",)"
      R"("text":"t"})";
  EXPECT_EQ(WarningsOf(draft, WarningKind::kHost),
            Texts{"foreign letters in a host in to: exämple.com, in ASCII xn--exmple-cua.com"});
  EXPECT_EQ(WarningsOf(draft, WarningKind::kBlindCopy),
            Texts{"1 blind copy, which the other recipients do not see"});
}

TEST(Http, ShowsMethodHostAddressHeadersAndBody) {
  const Card card = CardOf(
      R"({"method":"POST","url":"https://u@api.example.com:8443/v1?x=1","headers":{"A":"1\n2"},)"
      R"("body":"{}"})",
      "network.http.post");
  EXPECT_EQ(card.headline, "Send a web request");
  EXPECT_EQ(KeysOf(card),
            (Texts{"method=POST", "host=api.example.com",
                   "url=https://u@api.example.com:8443/v1?x=1", "header 1=A: 1 ⏎ 2"}));
  EXPECT_EQ(card.content, Texts{"{}"});
}

TEST(Http, ARequestWithoutABodyAndOneWithAnEmptyBodyDiffer) {
  EXPECT_EQ(CardOf(R"({"method":"GET","url":"https://a/"})", "c").content_label, "no body");
  EXPECT_EQ(CardOf(R"({"method":"GET","url":"https://a/","body":""})", "c").content_label,
            "body: 0 lines, 0 characters, 0 bytes");
}

TEST(Http, NamesAForeignHostAndOneBehindAnAt) {
  EXPECT_EQ(WarningsOf(R"({"method":"GET","url":"https://exämple.com/"})", WarningKind::kHost),
            Texts{"foreign letters in a host in url: exämple.com, in ASCII xn--exmple-cua.com"});
  EXPECT_EQ(WarningsOf(R"({"method":"GET","url":"https://example.com@evil.example/"})",
                       WarningKind::kHost),
            Texts{"the real host stands behind an @ in url: evil.example"});
}

// Family L: two readers of one address.
TEST(Http, NamesAnAddressThatProgramsReadInDifferentWays) {
  for (const std::string url : {"https://a.example\\\\@b.example/", "https://a.example/ x",
                                "https://a.example\\n.b.example/", "https://a.example;@b.example/",
                                "https://a%2eexample/"}) {
    const Texts found =
        WarningsOf(R"({"method":"GET","url":")" + url + R"("})", WarningKind::kHost);
    ASSERT_FALSE(found.empty()) << url;
    EXPECT_EQ(found.back().find("an address that programs read in different ways in url: "), 0u);
  }
  EXPECT_TRUE(WarningsOf(R"({"method":"GET","url":"https://[2001:db8::1]:8080/a,b(c)?d=%20"})",
                         WarningKind::kHost)
                  .empty());
}

TEST(Http, NamesAnAddressWithoutAHost) {
  for (const std::string_view url : {"/v1/items", "//host/x", "https:///x", "https://:80/"}) {
    EXPECT_EQ(
        WarningsOf(R"({"method":"GET","url":")" + std::string(url) + R"("})", WarningKind::kHost)
            .size(),
        1u)
        << url;
  }
}

TEST(Http, NamesAHostHeaderThatSaysAnotherHost) {
  const std::string head = R"({"method":"GET","url":"https://A.example:8443/","headers":{"hOst":")";
  EXPECT_EQ(WarningsOf(head + R"(b.example"}})", WarningKind::kHost),
            Texts{"the header Host names another host than the address: b.example, not A.example"});
  EXPECT_TRUE(WarningsOf(head + R"(a.example:8443"}})", WarningKind::kHost).empty());
  EXPECT_TRUE(WarningsOf(head + R"(a.example"}})", WarningKind::kHost).empty());
}

// FR-064
TEST(Http, NamesACredentialInAHeader) {
  EXPECT_EQ(WarningsOf(R"({"method":"GET","url":"https://a/","headers":{"Authorization":)"
                       R"("Bearer abcdefghijklmnopqrstuvwxyz"}})",
                       WarningKind::kSecret),
            Texts{"looks like a secret in header Authorization: a bearer token at character 1"});
}

TEST(RequestUrl, IsCutIntoItsParts) {
  const RequestUrl url = ReadRequestUrl("https://u:p@[::1]:8443/a?b#c");
  EXPECT_TRUE(url.absolute);
  EXPECT_EQ(url.scheme, "https");
  EXPECT_EQ(url.host, "[::1]");
  EXPECT_EQ(url.port, "8443");
  EXPECT_EQ(url.target, "/a?b#c");
}

TEST(Post, ShowsWhereItGoesAndWhatItSays) {
  const Card card = CardOf(R"({"room_id":"r","title":"t","body":"b","tags":["x, y","z"],)"
                           R"("references":[{"target":"https://a/"}],"metadata":{"k":1}})",
                           "communicate.post");
  EXPECT_EQ(card.headline, "Post a message");
  EXPECT_EQ(KeysOf(card),
            (Texts{"room=r", "title=t", "tags=\"x, y\" · \"z\"", "reference 1=https://a/"}));
  EXPECT_EQ(card.content, (Texts{"b", "«metadata as JSON: 3 lines»", "{", "  \"k\": 1", "}"}));
}

// channels.md 8.44
TEST(Binary, ShowsTypeSizeAndDigestAndNeverTheBytes) {
  const Card card = CardOf(R"({"base64":"G1szMW0A","media_type":"text/x","name":"n"})", "c");
  EXPECT_EQ(KeysOf(card), (Texts{"name=n", "type=text/x", "size=6 bytes",
                                 "sha256=" + base::Sha256Hex(std::string("\x1b[31m\0", 6))}));
  EXPECT_EQ(card.content_label, "all 6 bytes as hex");
  EXPECT_EQ(card.content, Texts{"1b 5b 33 31 6d 00"});
  EXPECT_EQ(card.canonical_text.find("[31m"), std::string::npos);
}

// channels.md 8.44
TEST(Binary, OfManyBytesTheFirst64AreDrawnAndTheBlockHoldsThemAll) {
  const std::string base64 = base::Base64Encode(std::string(1000, 'x'));
  const Card card = CardOf(R"({"base64":")" + base64 + R"("})", "c");
  EXPECT_EQ(card.content_label, "the first 64 of 1000 bytes as hex");
  EXPECT_EQ(card.content.size(), 4u);
  std::string whole;
  std::string text = card.canonical_text.substr(card.canonical_text.find("\nbase64: "));
  for (std::size_t at = text.find("\n│ "); at != std::string::npos;
       at = text.find("\n│ ", at + 1)) {
    const std::size_t from = at + std::string_view("\n│ ").size();
    whole += text.substr(from, text.find('\n', from) - from);
  }
  EXPECT_EQ(whole, base64);
}

TEST(Binary, BytesThatMayRunAreNamed) {
  EXPECT_EQ(WarningsOf(R"({"base64":"","name":"invoice.pdf.exe"})", WarningKind::kAttachment),
            Texts{"these bytes may run as a program when they are opened (ends in .exe behind a "
                  ".pdf that is for show): invoice.pdf.exe"});
}

TEST(Heading, AShapeDoesNotNameAClassOfAnotherKind) {
  for (const std::string_view payload :
       {R"({"method":"GET","url":"https://a/"})", R"({"room_id":"r","body":"b"})",
        R"({"inbox_id":"i","draft_id":"d","to":[],"subject":"s","text":"t"})",
        R"({"base64":""})"}) {
    EXPECT_EQ(CardOf(payload, "payments.transfer").headline, "Use payments.transfer");
  }
}

}  // namespace
}  // namespace approval::render
