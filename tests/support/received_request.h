// An HTTP request as a server of a test reads it.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace approval::testing {

struct ReceivedRequest {
  std::string method;
  std::string target;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;

  // Empty when there is no such header.
  std::string Header(const std::string& lower_case_name) const;
};

// The next whole request of the connection; nothing when the peer went away first. `buffer` begins
// empty and holds between calls what came behind the request. Bodies have a Content-Length.
std::optional<ReceivedRequest> ReadRequest(int socket, std::string& buffer);

}  // namespace approval::testing
