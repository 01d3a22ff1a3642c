// The page's server over real sockets: limits, order of answers, event streams, its end.
#pragma GCC diagnostic ignored "-Wnull-dereference"  // see channels/web/server.cc

#include "channels/web/server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <thread>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include "core/base/files.h"

namespace approval::channels::web {
namespace {

class ServerTest : public ::testing::Test {
 protected:
  ServerTest()
      : work_(boost::asio::make_work_guard(io_)),
        server_(io_, [this](const WebRequest& request) { return Answer(request); }),
        thread_([this] { io_.run(); }) {
    port_ = server_.Listen(0).value_or(0);
  }
  ~ServerTest() override {
    server_.Stop();
    work_.reset();
    io_.stop();
    thread_.join();
  }

  WebAnswer Answer(const WebRequest& request) {
    WebAnswer answer;
    answer.events = request.target == "/events";
    if (answer.events) answer.content_type = "text/event-stream";
    answer.body = request.method + " " + request.target + " " + request.body;
    return answer;
  }

  base::Descriptor Connect() const {
    base::Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port_);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    return socket;
  }

  // Reads until the text appears or the server closes; what was read.
  static std::string ReadUntil(int fd, const std::string& text) {
    std::string got;
    std::array<char, 4096> block{};
    pollfd wait{fd, POLLIN, 0};
    while (got.find(text) == std::string::npos && ::poll(&wait, 1, 5000) == 1) {
      const ssize_t count = ::read(fd, block.data(), block.size());
      if (count <= 0) break;
      got.append(block.data(), static_cast<std::size_t>(count));
    }
    return got;
  }

  std::string Talk(const std::string& request) const {
    const base::Descriptor socket = Connect();
    EXPECT_EQ(base::WriteAll(socket.get(), request), 0);
    return ReadUntil(socket.get(), "never this text");
  }

  static std::string Head(const std::string& first, const std::string& more = "") {
    return first + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n" + more;
  }

  boost::asio::io_context io_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  Server server_;
  std::thread thread_;
  unsigned short port_ = 0;
};

TEST_F(ServerTest, AnswersCarryTheFixedHeaders) {
  const std::string answer = Talk(Head("GET /x") + "\r\n");
  EXPECT_EQ(answer.rfind("HTTP/1.1 200", 0), 0U);
  EXPECT_NE(answer.find("GET /x"), std::string::npos);
  for (const auto& [name, value] : FixedHeaders()) {
    EXPECT_NE(answer.find(name + ": " + value), std::string::npos) << name;
  }
}

TEST_F(ServerTest, SeveralRequestsUseOneConnection) {
  const base::Descriptor socket = Connect();
  for (const char* path : {"/one", "/two"}) {
    ASSERT_EQ(base::WriteAll(socket.get(),
                             std::string("GET ") + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"),
              0);
    EXPECT_NE(ReadUntil(socket.get(), path).find(path), std::string::npos);
  }
}

// FR-135: own limits, an answer each, the connection closed in order.
TEST_F(ServerTest, ALargeHeaderIs431) {
  const std::string answer =
      Talk(Head("GET /", "X: " + std::string(20'000, 'x') + "\r\n") + "\r\n");
  EXPECT_EQ(answer.rfind("HTTP/1.1 431", 0), 0U) << answer.substr(0, 80);
}

TEST_F(ServerTest, ALargeBodyIs413) {
  const std::string answer =
      Talk(Head("POST /decide", "Content-Length: 2000000\r\n") + "\r\n" + std::string(1000, 'x'));
  EXPECT_EQ(answer.rfind("HTTP/1.1 413", 0), 0U) << answer.substr(0, 80);
}

TEST_F(ServerTest, RubbishIs400) {
  EXPECT_EQ(Talk("rubbish\r\n\r\n").rfind("HTTP/1.1 400", 0), 0U);
}

TEST_F(ServerTest, AHostSentTwiceIs400) {
  EXPECT_EQ(Talk(Head("GET /", "Host: attacker.example\r\n") + "\r\n").rfind("HTTP/1.1 400", 0),
            0U);
}

TEST_F(ServerTest, AStreamOpensWithAnEventAndCarriesEveryPush) {
  const base::Descriptor socket = Connect();
  ASSERT_EQ(base::WriteAll(socket.get(), Head("GET /events") + "\r\n"), 0);
  EXPECT_NE(ReadUntil(socket.get(), "event: queue").find("text/event-stream"), std::string::npos);
  server_.Push("queue", "42");
  EXPECT_NE(ReadUntil(socket.get(), "data: 42").find("data: 42"), std::string::npos);
}

TEST_F(ServerTest, MoreStreamsThanAllowedAreRefused) {
  std::vector<base::Descriptor> open;
  for (int i = 0; i < 16; ++i) {
    open.push_back(Connect());
    ASSERT_EQ(base::WriteAll(open.back().get(), Head("GET /events") + "\r\n"), 0);
    ASSERT_NE(ReadUntil(open.back().get(), "event: queue"), "");
  }
  EXPECT_EQ(Talk(Head("GET /events") + "\r\n").rfind("HTTP/1.1 503", 0), 0U);
  // A stream whose reader left makes room again.
  open.pop_back();
  std::string answer;
  for (int look = 0; look < 100; ++look) {
    const base::Descriptor socket = Connect();
    ASSERT_EQ(base::WriteAll(socket.get(), Head("GET /events") + "\r\n"), 0);
    answer = ReadUntil(socket.get(), "\r\n\r\n");
    if (answer.rfind("HTTP/1.1 200", 0) == 0) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(answer.rfind("HTTP/1.1 200", 0), 0U);
}

// FR-139: a port in use is said with its number and what to do.
TEST_F(ServerTest, ATakenPortIsNamed) {
  boost::asio::io_context io;
  Server second(io, [](const WebRequest&) { return WebAnswer{}; });
  const auto refused = second.Listen(port_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::Code::kPortUnavailable);
  EXPECT_NE(refused.error().message.find(std::to_string(port_)), std::string::npos);
}

TEST_F(ServerTest, StoppingClosesOpenStreams) {
  const base::Descriptor socket = Connect();
  ASSERT_EQ(base::WriteAll(socket.get(), Head("GET /events") + "\r\n"), 0);
  ASSERT_NE(ReadUntil(socket.get(), "event: queue"), "");
  server_.Stop();
  EXPECT_EQ(ReadUntil(socket.get(), "never this text").find("still here"), std::string::npos);
  pollfd wait{socket.get(), POLLIN, 0};
  char byte = 0;
  EXPECT_EQ(::poll(&wait, 1, 1000), 1);
  EXPECT_LE(::read(socket.get(), &byte, 1), 0);
}

}  // namespace
}  // namespace approval::channels::web
