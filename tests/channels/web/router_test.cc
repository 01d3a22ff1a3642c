// What the page shows and what a press records.
#include "render/quote.h"
#include "tests/channels/web/router_rig.h"

namespace approval::channels::web {
namespace {

using testing::SampleRequest;

TEST_F(RouterTest, TheListShowsOneRowForEachRequest) {
  Add(testing::EmailPayload());
  Add(testing::CommandPayload(), {.key = "task-102:run", .action_class = "process.exec", .seq = 4});
  Login();
  const WebAnswer list = Fetch("/");
  EXPECT_EQ(list.status, 200U);
  EXPECT_NE(list.body.find("/r/" + Ref(0)), std::string::npos);
  EXPECT_NE(list.body.find("/r/" + Ref(1)), std::string::npos);
}

// channels.md 8.10
TEST_F(RouterTest, ARequestWithoutItsPayloadIsListedAsSkipped) {
  runtime_.Skip("task-9:gone", base::Code::kPayloadUnavailable);
  Login();
  const std::string body = Fetch("/").body;
  EXPECT_NE(body.find("task-9:gone"), std::string::npos);
  EXPECT_NE(body.find("payload-unavailable"), std::string::npos);
}

TEST_F(RouterTest, AnApproveRecordsOneGrantOfTheRecordThatWasShown) {
  Add(testing::EmailPayload());
  Login();
  const WebAnswer answer = router_.Route(Press("decision=grant&note=go"));
  EXPECT_EQ(answer.status, 303U) << answer.body;
  ASSERT_EQ(runtime_.reports().size(), 1U);
  const Report report = runtime_.reports().front();
  EXPECT_EQ(report.gesture, Gesture::kGrant);
  EXPECT_EQ(report.note, "go");
  EXPECT_EQ(report.request_hash.substr(0, 16),
            answer.headers.front().second.substr(std::string("/r/").size()));
}

// FR-137: a reload shows the outcome and posts nothing again.
TEST_F(RouterTest, AfterADecisionThePageShowsWhoAnsweredAndOffersNoButton) {
  Add(testing::EmailPayload());
  Login();
  const std::string ref = Ref();
  ASSERT_EQ(router_.Route(Press("decision=grant")).status, 303U);
  const WebAnswer page = Fetch("/r/" + ref);
  EXPECT_EQ(page.status, 200U);
  EXPECT_NE(page.body.find("Approved"), std::string::npos);
  EXPECT_EQ(page.body.find("<button"), std::string::npos);
}

TEST_F(RouterTest, ASecondPressIsToldThatTheFirstStands) {
  Add(testing::EmailPayload());
  Login();
  const WebRequest press = Press("decision=grant");
  ASSERT_EQ(router_.Route(press).status, 303U);
  const WebAnswer second = router_.Route(press);
  EXPECT_EQ(second.status, 409U);
  EXPECT_NE(second.body.find("already-decided"), std::string::npos);
}

TEST_F(RouterTest, ARejectNeedsANoteAndKeepsWhatWasTyped) {
  Add(testing::EmailPayload());
  Login();
  const WebAnswer refused = router_.Route(Press("decision=reject&note=%20"));
  EXPECT_EQ(refused.status, 422U);
  EXPECT_TRUE(runtime_.reports().empty());
  ASSERT_EQ(router_.Route(Press("decision=reject&note=not%20yet")).status, 303U);
  EXPECT_EQ(runtime_.reports().front().gesture, Gesture::kReject);
  EXPECT_EQ(runtime_.reports().front().note, "not yet");
}

TEST_F(RouterTest, OnePressOfAReasonRejectsWithIt) {
  Add(testing::EmailPayload());
  Login();
  ASSERT_EQ(router_.Route(Press("note=&reason=wording")).status, 303U);
  EXPECT_EQ(runtime_.reports().front().gesture, Gesture::kReject);
  EXPECT_EQ(runtime_.reports().front().note, "wording");
}

// FR-131: everything foreign arrives as text, in elements and in attributes.
TEST_F(RouterTest, MarkupInEveryFieldArrivesAsText) {
  const std::string evil = "\"><script>alert(1)</script><img src=x onerror=alert(1)>";
  Add(testing::EmailPayload(evil, evil), {.key = "k" + evil, .summary = evil});
  Login();
  const std::string page = Fetch("/r/" + Ref()).body;
  const std::string list = Fetch("/").body;
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_EQ(list.find("<img"), std::string::npos);
  EXPECT_NE(page.find("&lt;script&gt;"), std::string::npos);
}

TEST_F(RouterTest, ALongTextIsFoldedAndCannotBeApprovedUntilItIsOpened) {
  std::string body;
  for (int i = 0; i < 300; ++i) body += "line " + std::to_string(i) + "\n";
  Add(testing::EmailPayload(body));
  Login();
  const std::string folded = Fetch("/r/" + Ref()).body;
  EXPECT_EQ(folded.find("value=\"grant\""), std::string::npos);
  EXPECT_NE(folded.find("Show all 301 lines"), std::string::npos);
  const std::string whole = Fetch("/r/" + Ref() + "?all=1").body;
  EXPECT_NE(whole.find("value=\"grant\""), std::string::npos);
  EXPECT_NE(whole.find("line 299"), std::string::npos);
}

// channels.md 8.9
TEST_F(RouterTest, ALogThatDoesNotVerifyIsAStopPageAndDecidesNothing) {
  Add(testing::EmailPayload());
  Login();
  const WebRequest press = Press("decision=grant");
  runtime_.SetStopped(base::Error{base::Code::kLogCorrupt, "record 2 was changed"});
  const WebAnswer list = Fetch("/");
  EXPECT_EQ(list.status, 503U);
  EXPECT_NE(list.body.find("log-corrupt"), std::string::npos);
  EXPECT_EQ(router_.Route(press).status, 503U);
  EXPECT_EQ(Fetch("/healthz").status, 503U);
  EXPECT_TRUE(runtime_.reports().empty());
}

TEST_F(RouterTest, TheApproveButtonCountsEveryRecipient) {
  base::Json mail = testing::EmailPayload();
  mail.as_object()["to"] = base::JsonArray{"a@example.org", "b@example.org"};
  mail.as_object().erase("cc");
  mail.as_object()["bcc"] = base::JsonArray{"c@example.org"};
  Add(mail);
  Login();
  EXPECT_NE(Fetch("/r/" + Ref()).body.find("send to 3 people"), std::string::npos);
}

TEST_F(RouterTest, ARecipientsNameIsNoSecondPerson) {
  base::Json mail = testing::EmailPayload();
  mail.as_object()["to"] = base::JsonArray{"a@example.org", "b@example.org"};
  mail.as_object()["names"] = base::JsonObject{{"a@example.org", "Ada"}, {"b@example.org", "Bo"}};
  mail.as_object()["cc"] = base::JsonArray{};
  Add(mail);
  Login();
  EXPECT_NE(Fetch("/r/" + Ref()).body.find("send to 2 people"), std::string::npos);
}

// 6.4 OURS: an approver plans in local time.
TEST_F(RouterTest, TimesStandInTheZoneThatThePolicyNames) {
  policy::Policy policy;
  policy.channels.zones["web"] = "Europe/Madrid";
  runtime_.SetPolicy(policy);
  Add(testing::EmailPayload());
  Login();
  EXPECT_NE(Fetch("/r/" + Ref()).body.find("until 14:55 Madrid (12:55 UTC)"), std::string::npos);
}

// channels.md 1.10: a required row is not behind a fold that nobody opens.
TEST_F(RouterTest, AProtectedPathStandsAboveThePayload) {
  gate::RequestModel request = SampleRequest(testing::FilePayload("APPROVAL.md"));
  request.protected_path = {"APPROVAL.md (rule protected-path)", "classifier"};
  runtime_.Add(request);
  Login();
  const std::string page = Fetch("/r/" + Ref()).body;
  const std::size_t row = page.find("<dt>protected path</dt><dd>APPROVAL.md (rule");
  ASSERT_NE(row, std::string::npos) << page;
  EXPECT_LT(row, page.find("class=\"bytes\""));
}

}  // namespace
}  // namespace approval::channels::web
