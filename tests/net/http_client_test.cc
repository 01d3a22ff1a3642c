#include "core/net/http_client.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <thread>

#include "core/net/http_url.h"
#include "core/net/pipe_guard.h"
#include "tests/support/tiny_http.h"

namespace approval::net {
namespace {

using std::chrono::milliseconds;
using testing::TinyHttp;

HttpResult Get(HttpClient& client, HttpRequest request) {
  std::optional<HttpResult> result;
  client.Submit(std::move(request), [&](HttpResult got) { result = std::move(got); });
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!result && std::chrono::steady_clock::now() < end) client.Poll(milliseconds(50));
  return result ? std::move(*result) : base::Fail(base::Code::kIo, "no callback");
}

HttpRequest To(const std::string& url, int deadline_ms = 2'000) {
  HttpRequest request;
  request.url = url;
  request.deadline = milliseconds(deadline_ms);
  return request;
}

constexpr const char* kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";

TEST(HttpClient, GivesStatusAndBody) {
  const TinyHttp server(kOk);
  HttpClient client{Redactor()};
  const HttpResult result = Get(client, To(server.url("/x")));
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_EQ(result->status, 200);
  EXPECT_EQ(result->body, "hi");
}

TEST(HttpClient, AnyStatusIsAResponse) {
  const TinyHttp server("HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n");
  HttpClient client{Redactor()};
  EXPECT_EQ(Get(client, To(server.url("/")))->status, 503);
}

TEST(HttpClient, ARedirectIsNotFollowed) {
  const TinyHttp target(kOk);
  const TinyHttp server("HTTP/1.1 302 Go\r\nLocation: " + target.url("/") +
                        "\r\nContent-Length: 0\r\n\r\n");
  HttpClient client{Redactor()};
  EXPECT_EQ(Get(client, To(server.url("/")))->status, 302);
  EXPECT_EQ(target.requests().size(), 0u);
}

TEST(HttpClient, SendsMethodHeadersAndBody) {
  const TinyHttp server(kOk);
  HttpClient client{Redactor()};
  HttpRequest request = To(server.url("/path"));
  request.method = "PUT";
  request.headers = {"X-Kind: test"};
  request.body = std::string("a\0b", 3);
  ASSERT_TRUE(Get(client, std::move(request)).has_value());
  const std::string sent = server.requests().at(0);
  EXPECT_EQ(sent.substr(0, 9), "PUT /path");
  EXPECT_NE(sent.find("X-Kind: test\r\n"), std::string::npos);
  EXPECT_EQ(sent.substr(sent.size() - 3), std::string("a\0b", 3));
}

TEST(HttpClient, ABearerGoesInItsHeaderAndOnlyWhenThereIsOne) {
  const TinyHttp server(kOk);
  HttpClient client{Redactor()};
  HttpRequest request = To(server.url("/with"));
  request.method = "POST";
  request.bearer = base::Secret("key-4711");
  ASSERT_TRUE(Get(client, std::move(request)).has_value());
  ASSERT_TRUE(Get(client, To(server.url("/without"))).has_value());
  EXPECT_NE(server.requests().at(0).find("Authorization: Bearer key-4711\r\n"), std::string::npos);
  EXPECT_EQ(server.requests().at(1).find("Authorization"), std::string::npos);
}

TEST(HttpClient, SendsPartsAsAForm) {
  const TinyHttp server(kOk);
  HttpClient client{Redactor()};
  HttpRequest request = To(server.url("/"));
  request.method = "POST";
  request.parts.push_back({"file", "bytes", "a.txt", "text/plain"});
  ASSERT_TRUE(Get(client, std::move(request)).has_value());
  const std::string sent = server.requests().at(0);
  EXPECT_NE(sent.find("multipart/form-data"), std::string::npos);
  EXPECT_NE(sent.find("filename=\"a.txt\""), std::string::npos);
}

TEST(HttpClient, ManyExchangesRunAtOnce) {
  const TinyHttp slow(kOk, milliseconds(1'500));
  const TinyHttp fast(kOk);
  HttpClient client{Redactor()};
  bool slow_done = false;
  client.Submit(To(slow.url("/"), 5'000), [&](const HttpResult&) { slow_done = true; });
  client.Poll(milliseconds(50));
  ASSERT_TRUE(Get(client, To(fast.url("/"))).has_value());
  EXPECT_FALSE(slow_done);
  EXPECT_EQ(client.open(), 1u);
}

// FR-054
TEST(HttpClient, OneDeadlineCoversAServerThatNeverAnswers) {
  const TinyHttp server(kOk, milliseconds(5'000));
  HttpClient client{Redactor()};
  const auto start = std::chrono::steady_clock::now();
  const HttpResult result = Get(client, To(server.url("/"), 200));
  EXPECT_EQ(result.error().code, base::Code::kHttpTimeout);
  EXPECT_TRUE(MayHaveArrived(result.error()));
  EXPECT_LT(std::chrono::steady_clock::now() - start, milliseconds(1'000));
}

TEST(HttpClient, AClosedPortIsUnreachableAndNothingArrived) {
  HttpClient client{Redactor()};
  const HttpResult result = Get(client, To("http://127.0.0.1:1/"));
  EXPECT_EQ(result.error().code, base::Code::kHttpUnreachable);
  EXPECT_FALSE(MayHaveArrived(result.error()));
}

TEST(HttpClient, AConnectionThatIsCutIsAborted) {
  const TinyHttp server("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhi");
  HttpClient client{Redactor()};
  EXPECT_EQ(Get(client, To(server.url("/"))).error().code, base::Code::kHttpAborted);
}

TEST(HttpClient, AnAnswerAboveTheLimitIsTooLarge) {
  const TinyHttp server("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n" +
                        std::string(5'000, 'x'));
  HttpClient client{Redactor()};
  HttpRequest request = To(server.url("/"));
  request.max_body_bytes = 4'999;
  EXPECT_EQ(Get(client, std::move(request)).error().code, base::Code::kHttpTooLarge);
}

TEST(HttpClient, AServerThatSpeaksNoTlsIsATlsError) {
  const TinyHttp server("not tls at all\r\n");
  HttpClient client{Redactor()};
  std::string url = server.url("/");
  url.insert(4, "s");
  EXPECT_EQ(Get(client, To(url)).error().code, base::Code::kHttpTls);
}

TEST(HttpClient, ACancelledExchangeDoesNotCallBack) {
  const TinyHttp server(kOk, milliseconds(100));
  HttpClient client{Redactor()};
  bool called = false;
  const auto id = client.Submit(To(server.url("/")), [&](const HttpResult&) { called = true; });
  client.Poll(milliseconds(20));
  client.Cancel(id);
  for (int i = 0; i < 10; ++i) client.Poll(milliseconds(30));
  EXPECT_FALSE(called);
}

TEST(HttpClient, AWakeupFromAnotherThreadEndsAPoll) {
  HttpClient client{Redactor()};
  std::thread waker([&] {
    std::this_thread::sleep_for(milliseconds(50));
    client.Wakeup();
  });
  const auto start = std::chrono::steady_clock::now();
  client.Poll(milliseconds(5'000));
  EXPECT_LT(std::chrono::steady_clock::now() - start, milliseconds(1'000));
  waker.join();
}

TEST(HttpClient, AProxyIsNeverAskedForThisMachine) {
  const TinyHttp server(kOk);
  ::setenv("http_proxy", "http://127.0.0.1:1", 1);
  HttpClient client{Redactor()};
  const HttpResult result = Get(client, To(server.url("/")));
  ::unsetenv("http_proxy");
  EXPECT_TRUE(result.has_value());
}

// FR-061
TEST(HttpClient, AnErrorHoldsNeitherTheUrlNorASecret) {
  std::vector<base::Secret> secrets;
  secrets.emplace_back(std::string("hunter2"));
  HttpClient client{Redactor(std::move(secrets))};
  for (const char* url : {"http://hunter2.example.com/hunter2", "https://hunter2.invalid/hunter2",
                          "http://127.0.0.1:1/hunter2", "::hunter2"}) {
    const HttpResult result = Get(client, To(url));
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().message.find("hunter2"), std::string::npos) << result.error().message;
  }
}

TEST(PipeGuard, ABrokenPipeInsideDoesNotEndTheProcess) {
  EXPECT_EXIT(
      {
        ::signal(SIGPIPE, SIG_DFL);
        int ends[2];
        if (::pipe(ends) != 0) ::_exit(2);
        ::close(ends[0]);
        {
          const PipeGuard guard;
          if (::write(ends[1], "x", 1) >= 0) ::_exit(3);
        }
        ::_exit(0);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST(Urls, OnlyHttpsAndThisMachineAreOpened) {
  for (const char* url : {"https://example.com", "http://127.0.0.1:80/x", "http://localhost/",
                          "http://[::1]:9/", "http://127.9.9.9"}) {
    EXPECT_TRUE(CheckUrl(url).has_value()) << url;
  }
  for (const char* url : {"http://example.com", "http://127.0.0.1.example.com/", "ftp://localhost/",
                          "file:///etc/passwd", "http://localhost.example.com",
                          "https://user@example.com", "http://127.0.0.1@example.com", "", "x"}) {
    EXPECT_FALSE(CheckUrl(url).has_value()) << url;
  }
}

TEST(Redaction, TakesOutPlainAndPercentEncodedForms) {
  std::vector<base::Secret> secrets;
  secrets.emplace_back(std::string("a:b/c"));
  secrets.emplace_back(std::string(""));
  const Redactor redactor(std::move(secrets));
  EXPECT_EQ(redactor.Clean("x a:b/c y a%3Ab%2Fc a:b/ca:b/c"),
            "x <redacted> y <redacted> <redacted><redacted>");
}

}  // namespace
}  // namespace approval::net
