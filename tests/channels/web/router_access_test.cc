// Who gets to the page, and what of theirs counts: sessions, names of this machine, origins,
// tokens, methods.
#include "tests/channels/web/router_rig.h"
#include "tests/support/hostile_vectors.h"

namespace approval::channels::web {
namespace {

using AccessTest = RouterTest;

TEST_F(AccessTest, WithoutASessionEveryRouteIsClosed) {
  Add(testing::EmailPayload());
  for (const char* target : {"/", "/index.html", "/events", "/r/0123456789abcdef", "/decide"}) {
    const WebAnswer answer = Fetch(target);
    EXPECT_EQ(answer.status, 403U) << target;
    EXPECT_EQ(answer.body.find("Deposit"), std::string::npos);
  }
  EXPECT_EQ(Fetch("/healthz").status, 200U);
}

TEST_F(AccessTest, ALoginLinkWorksOnce) {
  const std::string link = router_.NewLoginLink();
  const std::string target = link.substr(link.find("/login"));
  const WebAnswer first = router_.Route(Get(target));
  EXPECT_EQ(first.status, 303U);
  EXPECT_EQ(router_.Route(Get(target)).status, 403U);
}

TEST_F(AccessTest, ALoginLinkWorksForTenMinutes) {
  const std::string early = router_.NewLoginLink();
  clock_.Advance(kLinkLifeMs);
  EXPECT_EQ(router_.Route(Get(early.substr(early.find("/login")))).status, 303U);
  const std::string late = router_.NewLoginLink();
  clock_.Advance(kLinkLifeMs + 1);
  EXPECT_EQ(router_.Route(Get(late.substr(late.find("/login")))).status, 403U);
}

TEST_F(AccessTest, AForgedLinkIsRefused) {
  std::string target = router_.NewLoginLink();
  target = target.substr(target.find("/login"));
  target.back() = target.back() == 'A' ? 'B' : 'A';
  EXPECT_EQ(router_.Route(Get(target)).status, 403U);
  EXPECT_EQ(router_.Route(Get("/login?t=")).status, 403U);
  EXPECT_EQ(router_.Route(Get("/login")).status, 403U);
}

TEST_F(AccessTest, TheSessionCookieIsStrictAndOutOfScriptsReach) {
  const WebAnswer answer = Login();
  ASSERT_FALSE(answer.headers.empty());
  const std::string cookie = answer.headers.back().second;
  EXPECT_NE(cookie.find("HttpOnly"), std::string::npos);
  EXPECT_NE(cookie.find("SameSite=Strict"), std::string::npos);
}

// Kind I, FR-121 and FR-124: any other name for this machine is turned away before anything runs.
TEST_F(AccessTest, AForeignHostIsMisdirected) {
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
TEST_F(AccessTest, LocalhostWorksAsWell) {
  Login();
  WebRequest request = Get("/");
  request.host = "localhost:4680";
  request.cookie = cookie_;
  EXPECT_EQ(router_.Route(request).status, 200U);
}

// FR-123 and FR-127: nothing that another page can cause is recorded.
TEST_F(AccessTest, AForeignOrMissingOriginRecordsNothing) {
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

TEST_F(AccessTest, AFormWithoutItsTokenRecordsNothing) {
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

TEST_F(AccessTest, ATokenOfAnotherSessionRecordsNothing) {
  Add(testing::EmailPayload());
  Login();
  WebRequest press = Press("decision=grant");
  Login();
  press.cookie = cookie_;
  EXPECT_EQ(router_.Route(press).status, 409U);
  EXPECT_TRUE(runtime_.reports().empty());
}

TEST_F(AccessTest, AFormOfAnotherRequestRecordsNothing) {
  Add(testing::EmailPayload());
  Add(testing::CommandPayload(), {.key = "task-102:run", .action_class = "process.exec", .seq = 4});
  Login();
  WebRequest press = Press("decision=grant", 0);
  press.body.replace(press.body.find(Ref(0)), 16, Ref(1));
  EXPECT_EQ(router_.Route(press).status, 409U);
  EXPECT_TRUE(runtime_.reports().empty());
}

// FR-138: no address decides by being opened.
TEST_F(AccessTest, NoGetRecordsAnything) {
  Add(testing::EmailPayload());
  Login();
  for (const std::string& target : {std::string("/decide?decision=grant&ref=") + Ref(),
                                    "/r/" + Ref() + "?decision=grant", std::string("/")}) {
    Fetch(target);
  }
  EXPECT_TRUE(runtime_.reports().empty());
}

TEST_F(AccessTest, OtherMethodsAreNotAllowed) {
  Login();
  WebRequest request = Get("/");
  request.method = "DELETE";
  request.cookie = cookie_;
  EXPECT_EQ(router_.Route(request).status, 405U);
  EXPECT_EQ(Fetch("/nothing").status, 404U);
}

TEST_F(AccessTest, EveryAnswerForbidsFramesInlineScriptAndCaches) {
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
TEST_F(AccessTest, HostileRequestHeadsAreRefusedBeforeAnyHandler) {
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
      if (text.find("token=WRONG") != std::string::npos)
        request.body = "token=WRONG&" + request.body;
      const WebAnswer answer = router_.Route(request);
      EXPECT_GE(answer.status, 400U) << text;
      EXPECT_EQ(answer.body.find("evil.example"), std::string::npos) << text;
      EXPECT_TRUE(runtime_.reports().empty()) << text;
    }
  }
}

}  // namespace
}  // namespace approval::channels::web
