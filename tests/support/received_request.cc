#include "tests/support/received_request.h"

#include <sys/socket.h>

#include "core/base/utf8.h"

namespace approval::testing {
namespace {

ReceivedRequest ParseHead(const std::string& head) {
  ReceivedRequest request;
  const std::size_t line_end = head.find("\r\n");
  const std::string line = head.substr(0, line_end);
  request.method = line.substr(0, line.find(' '));
  const std::size_t target = line.find(' ') + 1;
  request.target = line.substr(target, line.find(' ', target) - target);
  for (std::size_t at = line_end; at != std::string::npos;) {
    const std::size_t next = head.find("\r\n", at + 2);
    const std::string header =
        head.substr(at + 2, next == std::string::npos ? next : next - at - 2);
    const std::size_t colon = header.find(':');
    if (colon != std::string::npos) {
      const std::size_t value = header.find_first_not_of(' ', colon + 1);
      request.headers[base::AsciiLower(header.substr(0, colon))] =
          value == std::string::npos ? "" : header.substr(value);
    }
    at = next;
  }
  return request;
}

}  // namespace

std::string ReceivedRequest::Header(const std::string& lower_case_name) const {
  const auto found = headers.find(lower_case_name);
  return found == headers.end() ? "" : found->second;
}

std::optional<ReceivedRequest> ReadRequest(int socket, std::string& buffer) {
  char block[65536];
  for (;;) {
    const std::size_t head_end = buffer.find("\r\n\r\n");
    if (head_end != std::string::npos) {
      ReceivedRequest request = ParseHead(buffer.substr(0, head_end));
      const std::string text = request.Header("content-length");
      const std::size_t length = text.empty() ? 0 : std::stoul(text);
      if (buffer.size() >= head_end + 4 + length) {
        request.body = buffer.substr(head_end + 4, length);
        buffer.erase(0, head_end + 4 + length);
        return request;
      }
    }
    const ssize_t got = ::recv(socket, block, sizeof block, 0);
    if (got <= 0) return std::nullopt;
    buffer.append(block, static_cast<std::size_t>(got));
  }
}

}  // namespace approval::testing
