// Asio's handler pointers are never null where gcc 12 thinks so after inlining.
#pragma GCC diagnostic ignored "-Wnull-dereference"

#include "channels/web/server.h"

#include <chrono>
#include <deque>
#include <optional>
#include <set>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>

namespace approval::channels::web {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::uint32_t kHeaderLimit = 8 * 1024;
constexpr std::uint64_t kBodyLimit = 64 * 1024;
constexpr std::size_t kMaxConnections = 128;
constexpr std::size_t kMaxStreams = 16;
constexpr auto kRequestTime = std::chrono::seconds(30);
constexpr auto kHeartbeat = std::chrono::seconds(15);
constexpr auto kAcceptPause = std::chrono::milliseconds(100);

}  // namespace

class Connection;

struct Server::State : std::enable_shared_from_this<Server::State> {
  State(asio::io_context& context, Handler handle)
      : io(context), handler(std::move(handle)), acceptor(context), retry(context), worker(1) {}

  void Accept();
  void Shut();

  asio::io_context& io;
  Handler handler;
  tcp::acceptor acceptor;
  asio::steady_timer retry;
  asio::thread_pool worker;
  std::set<std::shared_ptr<Connection>> connections;
  std::size_t streams = 0;
  bool stopped = false;
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, std::shared_ptr<Server::State> server)
      : stream_(std::move(socket)), heartbeat_(server->io), server_(std::move(server)) {}

  void Read() {
    parser_.emplace();
    parser_->header_limit(kHeaderLimit);
    parser_->body_limit(kBodyLimit);
    stream_.expires_after(kRequestTime);
    http::async_read(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](error_code failed, std::size_t) { self->OnRead(failed); });
  }

  void Push(const std::string& chunk) {
    if (!streaming_) return;
    outbox_.push_back(chunk);
    if (outbox_.size() == 1) WriteNext();
  }

  void Close() {
    error_code ignored;
    heartbeat_.cancel();
    stream_.socket().shutdown(tcp::socket::shutdown_both, ignored);
    stream_.socket().close(ignored);
    if (streaming_) --server_->streams;
    streaming_ = false;
    server_->connections.erase(shared_from_this());
  }

 private:
  void OnRead(error_code failed) {
    if (failed == http::error::header_limit) return Refuse(431, "header too large");
    if (failed == http::error::body_limit) return Refuse(413, "body too large");
    if (failed && failed.category() == http::make_error_code(http::error::bad_target).category() &&
        failed != http::error::end_of_stream && failed != http::error::partial_message) {
      return Refuse(400, "not a valid request");
    }
    if (failed) return Close();
    const auto& message = parser_->get();
    for (const http::field once : {http::field::host, http::field::origin}) {
      if (message.count(once) > 1) return Refuse(400, "a header was sent twice");
    }
    keep_alive_ = message.keep_alive();
    WebRequest request;
    request.method = std::string(message.method_string());
    request.target = std::string(message.target());
    request.host = Field(http::field::host);
    request.origin = Field(http::field::origin);
    request.cookie = Field(http::field::cookie);
    request.content_type = Field(http::field::content_type);
    request.body = message.body();
    stream_.expires_never();
    asio::post(server_->worker, [self = shared_from_this(), request = std::move(request)] {
      auto answer = std::make_shared<WebAnswer>(self->server_->handler(request));
      asio::post(self->server_->io, [self, answer] { self->Answer(*answer); });
    });
  }

  std::optional<std::string> Field(http::field name) const {
    const auto& message = parser_->get();
    const auto found = message.find(name);
    if (found == message.end()) return std::nullopt;
    return std::string(found->value());
  }

  void Refuse(unsigned status, const std::string& why) {
    WebAnswer answer;
    answer.status = status;
    answer.content_type = "text/plain; charset=utf-8";
    answer.body = why + "\n";
    keep_alive_ = false;
    Answer(answer);
  }

  void Answer(const WebAnswer& answer) {
    if (server_->stopped) return Close();
    if (answer.events) return OpenStream(answer);
    response_.emplace();
    response_->version(11);
    response_->result(answer.status);
    response_->keep_alive(keep_alive_);
    Head(*response_, answer);
    response_->body() = answer.body;
    response_->prepare_payload();
    stream_.expires_after(kRequestTime);
    http::async_write(stream_, *response_,
                      [self = shared_from_this()](error_code failed, std::size_t) {
                        if (failed || !self->keep_alive_) return self->Close();
                        self->Read();
                      });
  }

  template <typename Message>
  static void Head(Message& message, const WebAnswer& answer) {
    message.set(http::field::content_type, answer.content_type);
    for (const auto& [name, value] : FixedHeaders()) message.set(name, value);
    for (const auto& [name, value] : answer.headers) message.set(name, value);
  }

  void OpenStream(const WebAnswer& answer) {
    if (server_->streams >= kMaxStreams) return Refuse(503, "too many open streams");
    ++server_->streams;
    streaming_ = true;
    stream_.expires_never();
    http::response<http::empty_body> head;
    head.version(11);
    head.result(200);
    head.keep_alive(false);
    Head(head, answer);
    std::string text = "HTTP/1.1 200 OK\r\n";
    for (const auto& field : head.base()) {
      text += std::string(field.name_string()) + ": " + std::string(field.value()) + "\r\n";
    }
    // The first event closes the gap between the page's making and this stream.
    Push(text + "\r\nretry: 1000\nevent: queue\ndata: now\n\n");
    Beat();
    WatchForEnd();
  }

  void Beat() {
    heartbeat_.expires_after(kHeartbeat);
    heartbeat_.async_wait([self = shared_from_this()](error_code failed) {
      if (failed || !self->streaming_) return;
      self->Push(": still here\n\n");
      self->Beat();
    });
  }

  void WriteNext() {
    asio::async_write(stream_.socket(), asio::buffer(outbox_.front()),
                      [self = shared_from_this()](error_code failed, std::size_t) {
                        if (failed || !self->streaming_) return self->Close();
                        self->outbox_.pop_front();
                        if (!self->outbox_.empty()) self->WriteNext();
                      });
  }

  // A stream's client says nothing more; a read ends when it goes away.
  void WatchForEnd() {
    stream_.socket().async_read_some(asio::buffer(scrap_),
                                     [self = shared_from_this()](error_code failed, std::size_t) {
                                       if (failed) return self->Close();
                                       self->WatchForEnd();
                                     });
  }

  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{kHeaderLimit + kBodyLimit};
  std::optional<http::request_parser<http::string_body>> parser_;
  std::optional<http::response<http::string_body>> response_;
  asio::steady_timer heartbeat_;
  std::shared_ptr<Server::State> server_;
  std::deque<std::string> outbox_;
  char scrap_[256]{};
  bool keep_alive_ = false;
  bool streaming_ = false;
};

void Server::State::Accept() {
  acceptor.async_accept([self = shared_from_this()](error_code failed, tcp::socket socket) {
    if (self->stopped || failed == asio::error::operation_aborted) return;
    if (failed) {
      // Out of descriptors, say: a pause keeps the loop from spinning.
      self->retry.expires_after(kAcceptPause);
      self->retry.async_wait([self](error_code) {
        if (!self->stopped) self->Accept();
      });
      return;
    }
    if (self->connections.size() < kMaxConnections) {
      auto connection = std::make_shared<Connection>(std::move(socket), self);
      self->connections.insert(connection);
      connection->Read();
    }
    self->Accept();
  });
}

Server::Server(asio::io_context& io, Handler handler)
    : state_(std::make_shared<State>(io, std::move(handler))) {}

Server::~Server() {
  state_->worker.join();
  // Connections and state hold each other; a stop that was posted may never have run.
  state_->Shut();
}

base::Result<unsigned short> Server::Listen(unsigned short port) {
  error_code failed;
  const tcp::endpoint here(asio::ip::address_v4::loopback(), port);
  state_->acceptor.open(here.protocol(), failed);
  if (!failed) state_->acceptor.set_option(tcp::acceptor::reuse_address(true), failed);
  if (!failed) state_->acceptor.bind(here, failed);
  if (!failed) state_->acceptor.listen(tcp::acceptor::max_listen_connections, failed);
  const tcp::endpoint bound = failed ? here : state_->acceptor.local_endpoint(failed);
  if (failed) {
    return base::Fail(base::Code::kPortUnavailable,
                      "the page cannot use port " + std::to_string(port) + ": " + failed.message() +
                          "; choose another with --port (0 takes a free one)");
  }
  state_->Accept();
  return bound.port();
}

void Server::Push(const std::string& event, const std::string& data) {
  asio::post(state_->io, [state = state_, text = "event: " + event + "\ndata: " + data + "\n\n"] {
    const auto connections = state->connections;
    for (const auto& connection : connections) connection->Push(text);
  });
}

void Server::State::Shut() {
  stopped = true;
  error_code ignored;
  acceptor.close(ignored);
  retry.cancel();
  const auto open = connections;
  for (const auto& connection : open) connection->Close();
}

void Server::Stop() {
  asio::post(state_->io, [state = state_] { state->Shut(); });
}

}  // namespace approval::channels::web
