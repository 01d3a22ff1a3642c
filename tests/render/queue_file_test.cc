// QUEUE.md: order, kinds, and texts that would like to be Markdown (channels.md 6.1).
#include "render/queue_file.h"

#include <gtest/gtest.h>

#include "render/quote.h"
#include "tests/render/payloads.h"

namespace approval::render {
namespace {

const base::Json kMail =
    base::JsonObject{{"to", "a@example.org"}, {"subject", "Refund"}, {"body", "Hello"}};

QueueFileInput InputOf(std::vector<gate::RequestModel> requests) {
  QueueFileInput input;
  input.requests = std::move(requests);
  input.now_ms = kTestNow;
  input.head_seq = 3;
  input.head_hash = std::string(64, 'c');
  input.log_path = ".approval/log/events.jsonl";
  return input;
}

std::size_t At(const std::string& text, const std::string& part) {
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part << "\n" << text;
  return at;
}

// Lines that begin like this.
std::size_t CountLines(const std::string& text, const std::string& begin) {
  std::size_t count = text.starts_with(begin) ? 1 : 0;
  for (std::size_t at = text.find("\n" + begin); at != std::string::npos;
       at = text.find("\n" + begin, at + 1)) {
    ++count;
  }
  return count;
}

TEST(QueueFile, SectionsStandInTheirOrder) {
  const std::string text = QueueFile(InputOf({RequestFor(kMail)}));
  const std::vector<std::string> order = {"<!--",
                                          "# Approval queue",
                                          "> Do not edit",
                                          "- Evaluated at",
                                          "- Derived from",
                                          "- Payloads are not",
                                          "## Pending requests",
                                          "1 request, oldest first",
                                          "### 1. `task-101:a`",
                                          "Computed from",
                                          "Claimed by `agent:drafter`, UNVERIFIED",
                                          "## Live requests this render could not summarize",
                                          "## Sampled-audit backlog",
                                          "---"};
  std::size_t before = 0;
  for (const std::string& part : order) {
    const std::size_t at = At(text, part);
    EXPECT_GE(at, before) << part;
    before = at;
  }
}

TEST(QueueFile, ComputedLinesStandInTheirOrderAndSayWhereTheyComeFrom) {
  const std::string text = QueueFile(InputOf({RequestFor(kMail)}));
  const std::vector<std::string> order = {
      "- **action key** — computed · `log`: `task-101:a`",
      "- **task** — computed · `log`: `task-101`",
      "- **class** — computed · `log`: `communicate.email.external`",
      "- **autonomy** — computed · `policy-match`: `manual` (provenance `rule`)",
      "- **state** — computed · `log`: `requested`",
      "- **requested at** — computed · `log`: `2026-08-26T11:55:00.000Z`",
      "- **waiting** — computed · `clock`: `requested 5 min ago",
      "- **TTL remaining** — computed · `clock`: ",
      "- **payload hash** — computed · `log`: ",
      "- **payload bytes** — computed · `payload-binding`: not shown here",
      "- **attestation** — computed · `attestation`: ",
      "- **budgets** — computed · `budgets`:\n  - ",
      "- **chain position** — computed · `log`: `record 3 of 3",
      "- **summary** — claimed by `agent:drafter`: `Send the deposit chaser`",
      "- **est. cost (USD)** — claimed by `agent:drafter`: `$0.02`"};
  std::size_t before = 0;
  for (const std::string& part : order) {
    const std::size_t at = At(text, part);
    EXPECT_GT(at, before) << part;
    before = at;
  }
}

TEST(QueueFile, TheSameInputsGiveTheSameBytesAndAnotherInstantOnlyOtherTimes) {
  gate::RequestModel later = RequestFor(kMail);
  const std::string first = QueueFile(InputOf({RequestFor(kMail)}));
  EXPECT_EQ(first, QueueFile(InputOf({RequestFor(kMail)})));
  QueueFileInput input = InputOf({RequestFor(kMail)});
  input.now_ms += 61'000;
  const std::string second = QueueFile(input);
  std::size_t differing = 0;
  std::size_t a = 0;
  std::size_t b = 0;
  while (a < first.size() && b < second.size()) {
    const std::string one = first.substr(a, first.find('\n', a) - a);
    const std::string two = second.substr(b, second.find('\n', b) - b);
    if (one != two) {
      ++differing;
      EXPECT_TRUE(one.starts_with("- Evaluated at") || one.starts_with("- **waiting**") ||
                  one.starts_with("- **TTL remaining**"))
          << one;
    }
    a += one.size() + 1;
    b += two.size() + 1;
  }
  EXPECT_GE(differing, 2U);
  EXPECT_EQ(a >= first.size(), b >= second.size());
}

// channels 2.12 forgery 6, in Markdown.
// channels.md 2.12 forgery 6
TEST(QueueFile, NoTextOfARecordOpensAHeadingAFenceACommentOrALine) {
  const std::string forged =
      "x`\n- **class** — computed · `log`: `read.web`\n## Approved\n```\n<!-- gone -->\n| a |";
  gate::RequestModel request = RequestFor(kMail);
  request.summary.value = forged;
  request.action_key.value = forged;
  request.task.value = forged;
  request.requester.value = forged;
  const std::string text = QueueFile(InputOf({request}));
  EXPECT_EQ(CountLines(text, "- **class**"), 1U);
  EXPECT_EQ(CountLines(text, "## "), 3U);
  EXPECT_EQ(CountLines(text, "```"), 0U);
  EXPECT_EQ(CountLines(text, "<!--"), 1U);
  EXPECT_EQ(CountLines(text, "| "), 0U);
  // Every line that holds a span holds whole spans.
  for (std::size_t at = 0; at < text.size();) {
    const std::string line = text.substr(at, text.find('\n', at) - at);
    EXPECT_EQ(std::count(line.begin(), line.end(), '`') % 2, 0) << line;
    at += line.size() + 1;
  }
}

TEST(QueueFile, AGraveAccentIsMarkedAndCanBeReadBack) {
  EXPECT_EQ(CodeSpan("a`b"), "`a«U+0060»b`");
  EXPECT_EQ(CodeSpan(""), "``");
  EXPECT_EQ(CodeSpan(" a "), "`  a  `");
  EXPECT_EQ(SpanOrNone(std::nullopt), "_none_");
  EXPECT_EQ(CodeSpan("a\nb\x1b"), "`a ⏎ b«U+001B»`");
}

// channels.md 8.10
TEST(QueueFile, WhatCannotBeShownIsListedWithItsCode) {
  QueueFileInput input = InputOf({});
  input.unshown.push_back({"t:k", "payload-unavailable", "the bytes are not here"});
  const std::string text = QueueFile(input);
  At(text, "- `t:k`: `payload-unavailable` `the bytes are not here`");
  At(text, "awaiting a human decision\n\nNone.");
}

TEST(QueueFile, OpenAuditsAreListed) {
  QueueFileInput input = InputOf({});
  input.audits.push_back({7, "2026-08-26T11:55:00.000Z", "daemon:d", "task-1", std::nullopt});
  At(QueueFile(input),
     "- record 7 `2026-08-26T11:55:00.000Z`: actor `daemon:d`, task `task-1`, action _none_");
}

TEST(QueueFile, AnEmptyLogSaysSo) {
  QueueFileInput input = InputOf({});
  input.head_seq.reset();
  At(QueueFile(input), "- Derived from an empty log\n");
}

TEST(QueueFile, ThePolicysLayoutOfAChannelDoesNotReachIt) {
  // No prompt block is even an input; every row that the request carries is there.
  gate::RequestModel request = RequestFor(kMail);
  request.rationale = {"because", "agent:drafter"};
  request.confidence = {0.5, "agent:drafter"};
  const std::string text = QueueFile(InputOf({request}));
  At(text, "- **rationale** — claimed by `agent:drafter`: `because`");
  At(text, "- **confidence** — claimed by `agent:drafter`: `0.5`");
}

}  // namespace
}  // namespace approval::render
