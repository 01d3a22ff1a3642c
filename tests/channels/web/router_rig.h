// The page's router without sockets, over a queue in memory, with a session of its own.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "channels/web/router.h"
#include "core/base/encoding.h"
#include "tests/support/fake_runtime.h"
#include "tests/support/fakes.h"
#include "tests/support/sample_requests.h"

namespace approval::channels::web {

// The value of a hidden member of the page's form; empty without one.
inline std::string HiddenValue(const std::string& page, const std::string& name) {
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
    runtime_.Add(testing::SampleRequest(payload, options));
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

}  // namespace approval::channels::web
