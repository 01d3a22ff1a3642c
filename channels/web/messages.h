// Requests and answers of the page, without a server: what the router sees and says.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace approval::channels::web {

struct WebRequest {
  std::string method;  // GET, POST, ...
  std::string target;  // path and query as sent
  std::optional<std::string> host;
  std::optional<std::string> origin;
  std::optional<std::string> cookie;
  std::optional<std::string> content_type;
  std::string body;
};

struct WebAnswer {
  unsigned status = 200;
  std::string content_type = "text/html; charset=utf-8";
  std::vector<std::pair<std::string, std::string>> headers;  // beside the fixed ones
  std::string body;
  bool events = false;  // keep the connection and stream server-sent events
};

// Headers that every answer carries (channels.md 4.3).
std::vector<std::pair<std::string, std::string>> FixedHeaders();

// Path without its query, and one decoded member of the query or of a form body.
std::string_view PathOf(std::string_view target);
std::string_view QueryOf(std::string_view target);
std::optional<std::string> FormMember(std::string_view form, std::string_view name);

}  // namespace approval::channels::web
