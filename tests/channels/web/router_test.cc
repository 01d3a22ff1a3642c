// The page's rules without sockets: who gets in, what is shown, what a press records.
#include "channels/web/router.h"

#include <gtest/gtest.h>

#include "core/base/encoding.h"
#include "render/quote.h"
#include "tests/support/fake_runtime.h"
#include "tests/support/fakes.h"
#include "tests/support/hostile_vectors.h"
#include "tests/support/sample_requests.h"

namespace approval::channels::web {
namespace {

using testing::SampleRequest;

std::string HiddenValue(const std::string& page, const std::string& name) {
  const std::string start = "name=\"" + name + "\" value=\"";
  const std::size_t at = page.find(start);
  if (at == std::string::npos) return {};
  const std::size_t from = at + start.size();
  return page.substr(from, page.find('"', from) - from);
}

class RouterTest : public ::testing::Test {
 protected:
  RouterTest() { router_.SetPort(4680); }

  void Add(const base::Json& payload, testing::SampleOptions options = {}) {
    runtime_.Add(SampleRequest(payload, options));
  }

  static WebRequest Get(const std::string& target) {
    WebRequest request;
    request.method = "GET";
    request.target = target;
    request.host = "127.0.0.1:4680";
    return request;
  }

  WebAnswer Login() {
    const std::string link = router_.NewLoginLink();
    WebAnswer answer = router_.Route(Get(link.substr(link.find("/login"))));
    for (const auto& [name, value] : answer.headers) {
      if (name == "Set-Cookie") cookie_ = value.substr(0, value.find(';'));
    }
    return answer;
  }

  WebAnswer Fetch(const std::string& target) {
    WebRequest request = Get(target);
    request.cookie = cookie_;
    return router_.Route(request);
  }

  std::string Ref(std::size_t index = 0) {
    return runtime_.View()->requests.at(index).chain.value.hash.substr(0, 16);
  }

  // The form of a request's page with these members on top.
  WebRequest Press(const std::string& members, std::size_t index = 0) {
    const std::string page = Fetch("/r/" + Ref(index)).body;
    WebRequest request;
    request.method = "POST";
    request.target = "/decide";
    request.host = "127.0.0.1:4680";
    request.origin = "http://127.0.0.1:4680";
    request.cookie = cookie_;
    request.content_type = "application/x-www-form-urlencoded";
    for (const char* name : {"ref", "request_hash", "display_hash", "token"}) {
      request.body +=
          std::string(name) + "=" + base::PercentEncode(HiddenValue(page, name), "-_") + "&";
    }
    request.body += members;
    return request;
  }

  testing::FakeClock clock_{testing::kSampleNow};
  testing::FakeRandom random_;
  testing::FakeRuntime runtime_{clock_};
  Router router_{runtime_, "human:alice", base::Secret(std::string(32, 'k')), clock_, random_};
  std::optional<std::string> cookie_;
};

TEST_F(RouterTest, WithoutASessionEveryRouteIsClosed) {
  Add(testing::EmailPayload());
  for (const char* target : {"/", "/index.html", "/events", "/r/0123456789abcdef", "/decide"}) {
    const WebAnswer answer = Fetch(target);
    EXPECT_EQ(answer.status, 403U) << target;
    EXPECT_EQ(answer.body.find("Deposit"), std::string::npos);
  }
  EXPECT_EQ(Fetch("/healthz").status, 200U);
}

TEST_F(RouterTest, ALoginLinkWorksOnce) {
  const std::string link = router_.NewLoginLink();
  const std::string target = link.substr(link.find("/login"));
  const WebAnswer first = router_.Route(Get(target));
  EXPECT_EQ(first.status, 303U);
  EXPECT_EQ(router_.Route(Get(target)).status, 403U);
}

TEST_F(RouterTest, ALoginLinkWorksForTenMinutes) {
  const std::string early = router_.NewLoginLink();
  clock_.Advance(kLinkLifeMs);
  EXPECT_EQ(router_.Route(Get(early.substr(early.find("/login")))).status, 303U);
  const std::string late = router_.NewLoginLink();
  clock_.Advance(kLinkLifeMs + 1);
  EXPECT_EQ(router_.Route(Get(late.substr(late.find("/login")))).status, 403U);
}

TEST_F(RouterTest, AForgedLinkIsRefused) {
  std::string target = router_.NewLoginLink();
  target = target.substr(target.find("/login"));
  target.back() = target.back() == 'A' ? 'B' : 'A';
  EXPECT_EQ(router_.Route(Get(target)).status, 403U);
  EXPECT_EQ(router_.Route(Get("/login?t=")).status, 403U);
  EXPECT_EQ(router_.Route(Get("/login")).status, 403U);
}

TEST_F(RouterTest, TheSessionCookieIsStrictAndOutOfScriptsReach) {
  const WebAnswer answer = Login();
  ASSERT_FALSE(answer.headers.empty());
  const std::string cookie = answer.headers.back().second;
  EXPECT_NE(cookie.find("HttpOnly"), std::string::npos);
  EXPECT_NE(cookie.find("SameSite=Strict"), std::string::npos);
}

// Kind I, FR-121 and FR-124: any other name for this machine is turned away before anything runs.
TEST_F(RouterTest, AForeignHostIsMisdirected) {
  Login();
  for (const char* host : {"attacker.example:4680", "127.0.0.1", "127.0.0.1:4681", "0.0.0.0:4680",
                           "localhost:4680.", "", "[::1]:80"}) {
    WebRequest request = Get("/");
    request.host = host;
    request.cookie = cookie_;
    EXPECT_EQ(router_.Route(request).status, 421U) << host;
  }
  WebRequest none = Get("/");
  none.host.reset();
  EXPECT_EQ(router_.Route(none).status, 421U);
}

// FR-130: both names of the loopback work.
TEST_F(RouterTest, LocalhostWorksAsWell) {
  Login();
  WebRequest request = Get("/");
  request.host = "localhost:4680";
  request.cookie = cookie_;
  EXPECT_EQ(router_.Route(request).status, 200U);
}

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

// FR-123 and FR-127: nothing that another page can cause is recorded.
TEST_F(RouterTest, AForeignOrMissingOriginRecordsNothing) {
  Add(testing::EmailPayload());
  Login();
  for (const char* origin : {"null", "https://attacker.example", "http://127.0.0.1:4681",
                             "http://localhost:4680", "https://127.0.0.1:4680"}) {
    WebRequest press = Press("decision=grant");
    press.origin = origin;
    EXPECT_EQ(router_.Route(press).status, 403U) << origin;
  }
  WebRequest press = Press("decision=grant");
  press.origin.reset();
  EXPECT_EQ(router_.Route(press).status, 403U);
  EXPECT_TRUE(runtime_.reports().empty());
}

TEST_F(RouterTest, AFormWithoutItsTokenRecordsNothing) {
  Add(testing::EmailPayload());
  Login();
  WebRequest press = Press("decision=grant");
  const std::size_t at = press.body.find("token=");
  press.body.replace(at + 6, 4, "AAAA");
  EXPECT_EQ(router_.Route(press).status, 409U);
  press.body.erase(at, press.body.find('&', at) - at + 1);
  EXPECT_EQ(router_.Route(press).status, 409U);
  EXPECT_TRUE(runtime_.reports().empty());
}

TEST_F(RouterTest, ATokenOfAnotherSessionRecordsNothing) {
  Add(testing::EmailPayload());
  Login();
  WebRequest press = Press("decision=grant");
  Login();
  press.cookie = cookie_;
  EXPECT_EQ(router_.Route(press).status, 409U);
  EXPECT_TRUE(runtime_.reports().empty());
}

TEST_F(RouterTest, AFormOfAnotherRequestRecordsNothing) {
  Add(testing::EmailPayload());
  Add(testing::CommandPayload(), {.key = "task-102:run", .action_class = "process.exec", .seq = 4});
  Login();
  WebRequest press = Press("decision=grant", 0);
  press.body.replace(press.body.find(Ref(0)), 16, Ref(1));
  EXPECT_EQ(router_.Route(press).status, 409U);
  EXPECT_TRUE(runtime_.reports().empty());
}

// FR-138: no address decides by being opened.
TEST_F(RouterTest, NoGetRecordsAnything) {
  Add(testing::EmailPayload());
  Login();
  for (const std::string& target : {std::string("/decide?decision=grant&ref=") + Ref(),
                                    "/r/" + Ref() + "?decision=grant", std::string("/")}) {
    Fetch(target);
  }
  EXPECT_TRUE(runtime_.reports().empty());
}

TEST_F(RouterTest, OtherMethodsAreNotAllowed) {
  Login();
  WebRequest request = Get("/");
  request.method = "DELETE";
  request.cookie = cookie_;
  EXPECT_EQ(router_.Route(request).status, 405U);
  EXPECT_EQ(Fetch("/nothing").status, 404U);
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

TEST_F(RouterTest, EveryAnswerForbidsFramesInlineScriptAndCaches) {
  const auto headers = FixedHeaders();
  std::string all;
  for (const auto& [name, value] : headers) all += name + ": " + value + "\n";
  for (const char* part : {"frame-ancestors 'none'", "default-src 'none'", "no-store", "nosniff",
                           "Referrer-Policy: same-origin"}) {
    EXPECT_NE(all.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(all.find("unsafe-inline"), std::string::npos);
}

TEST(FormMembers, AreDecodedAndBrokenOnesAreNothing) {
  EXPECT_EQ(FormMember("a=1&note=x+y%C3%A9", "note"), "x y\xC3\xA9");
  EXPECT_EQ(FormMember("a=1", "b"), std::nullopt);
  EXPECT_EQ(FormMember("a=%4", "a"), std::nullopt);
  EXPECT_EQ(FormMember("a=%FF", "a"), std::nullopt);
  EXPECT_EQ(FormMember("a", "a"), "");
}

// HV-103: a valid token under a foreign name, from a foreign page or by GET decides nothing.
TEST_F(RouterTest, HostileRequestHeadsAreRefusedBeforeAnyHandler) {
  APPROVAL_REQUIRE_VECTORS();
  Add(testing::EmailPayload());
  Login();
  const WebRequest good = Press("decision=grant");
  for (const testing::HostileInput& input : testing::HostileInputs("http")) {
    for (const base::Json& head : input.vector.at("requests").get_array()) {
      std::string text = testing::TextOf(head);
      for (std::size_t at = text.find("PORT"); at != std::string::npos; at = text.find("PORT")) {
        text.replace(at, 4, "4680");
      }
      WebRequest request = good;
      request.method = text.substr(0, text.find(' '));
      request.target = text.substr(request.method.size() + 1);
      request.target.resize(request.target.find(' '));
      request.origin.reset();
      const auto header = [&text](const std::string& name) -> std::optional<std::string> {
        const std::size_t at = text.find("\r\n" + name + ": ");
        if (at == std::string::npos) return std::nullopt;
        const std::size_t from = at + name.size() + 4;
        return text.substr(from, text.find("\r\n", from) - from);
      };
      request.host = header("Host").value_or("");
      request.origin = header("Origin");
      // The token of the form is the right one but where the vector says otherwise.
      if (text.find("token=WRONG") != std::string::npos) request.body = "token=WRONG&" + request.body;
      const WebAnswer answer = router_.Route(request);
      EXPECT_GE(answer.status, 400U) << text;
      EXPECT_EQ(answer.body.find("evil.example"), std::string::npos) << text;
      EXPECT_TRUE(runtime_.reports().empty()) << text;
    }
  }
}

}  // namespace
}  // namespace approval::channels::web
