// The HTTP server of the page: loopback only, small limits, one answer a request, event streams.
//
// Sockets live on the io_context's thread; every call of the handler runs on one worker thread, one
// at a time, so that an append never holds up the sockets. Limits: header 8 KiB (431), body 64 KiB
// (413), 128 connections, 16 event streams, 30 s for a request to arrive.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "channels/web/messages.h"
#include "core/base/error.h"

namespace boost::asio {
class io_context;
}

namespace approval::channels::web {

class Server {
 public:
  using Handler = std::function<WebAnswer(const WebRequest&)>;

  Server(boost::asio::io_context& io, Handler handler);
  // On the io_context's thread, or once nothing runs it any more.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Binds 127.0.0.1 and starts accepting; port 0 takes a free one. Returns the port.
  // `port-unavailable` when somebody else listens there.
  base::Result<unsigned short> Listen(unsigned short port);

  // Sends an event to every open stream. From any thread.
  void Push(const std::string& event, const std::string& data);

  // Closes everything. From any thread; returns at once.
  void Stop();

  struct State;  // of server.cc

 private:
  std::shared_ptr<State> state_;
};

}  // namespace approval::channels::web
