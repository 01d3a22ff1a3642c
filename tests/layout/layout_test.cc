// The shape of the source: arrows between rooms, no cycles, file length, house rules that a text
// search can see (DESIGN 2, 5).
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/process.h"

namespace approval {
namespace {

namespace fs = std::filesystem;

struct Source {
  std::string path;  // from the root
  std::string room;
  std::vector<std::string> lines;
  std::vector<std::string> includes;  // quoted ones
};

// A room may include itself and what stands here.
const std::map<std::string, std::set<std::string>> kArrows = {
    {"core/base", {}},
    {"core/net", {"core/base"}},
    {"core/log", {"core/base"}},
    {"core/policy", {"core/base", "core/log"}},
    {"core/classify", {"core/base", "core/policy"}},
    {"core/gate", {"core/base", "core/log", "core/policy", "core/classify"}},
    // Of the gate only the request model.
    {"render", {"core/base", "core/gate", "core/policy"}},
    {"channels", {"core/base", "core/policy", "core/gate", "render"}},
    {"channels/cli", {"core/base", "core/policy", "core/gate", "render", "channels"}},
    {"channels/web", {"core/base", "core/policy", "core/gate", "render", "channels"}},
    {"channels/telegram",
     {"core/base", "core/net", "core/policy", "core/gate", "render", "channels"}},
    {"vault", {"core/base", "core/log", "core/policy", "core/gate"}},
    // What a mail's payload means; also read when a request is made.
    {"vault/mail", {"core/base"}},
    {"vault/secrets", {"core/base", "core/log", "core/policy", "vault"}},
    {"vault/adapters",
     {"core/base", "core/net", "core/log", "core/policy", "core/gate", "vault", "vault/mail"}},
    {"vault/adapters/email", {"core/base", "core/net", "vault/mail", "vault/adapters"}},
    {"vault/adapters/agentmail", {"core/base", "core/net", "vault/mail", "vault/adapters"}},
    {"gateway", {"core/base", "core/log", "core/policy", "core/gate", "render", "channels"}},
    {"gateway/verbs",
     {"core/base", "core/log", "core/policy", "core/gate", "render", "channels", "channels/cli",
      "vault", "vault/mail", "gateway"}},
    {"gateway/service",
     {"core/base", "core/log", "core/policy", "core/gate", "render", "channels", "channels/cli",
      "channels/web", "channels/telegram", "gateway"}},
    // Adapters at work: what redeems a token.
    {"gateway/spending",
     {"core/base", "core/net", "core/log", "core/policy", "core/gate", "render", "vault",
      "vault/mail", "vault/secrets", "vault/adapters", "vault/adapters/email",
      "vault/adapters/agentmail", "gateway"}},
    {"gateway/setup",
     {"core/base", "core/net", "core/log", "core/policy", "render", "channels/telegram", "vault",
      "vault/secrets", "vault/adapters", "vault/adapters/email", "vault/adapters/agentmail",
      "gateway", "gateway/spending"}},
    {"gateway/doctor",
     {"core/base", "core/net", "core/log", "core/policy", "core/gate", "render",
      "channels/telegram", "vault", "vault/secrets", "vault/adapters", "gateway",
      "gateway/spending"}},
    {"gateway/programs",
     {"core/base", "gateway", "gateway/verbs", "gateway/service", "gateway/spending",
      "gateway/setup", "gateway/doctor"}},
};

bool IsSource(const fs::path& path) {
  const std::string ending = path.extension().string();
  return ending == ".h" || ending == ".cc" || ending == ".def" || ending == ".inc";
}

std::vector<Source> Load(const std::vector<std::string>& roots) {
  const fs::path top = APPROVAL_SOURCE_DIR;
  std::vector<Source> sources;
  const std::regex include("^#include \"([^\"]+)\"");
  for (const std::string& root : roots) {
    for (const auto& entry : fs::recursive_directory_iterator(top / root)) {
      if (!entry.is_regular_file() || !IsSource(entry.path())) continue;
      Source source;
      source.path = fs::relative(entry.path(), top).string();
      source.room = fs::path(source.path).parent_path().string();
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);) {
        std::smatch match;
        if (std::regex_search(line, match, include)) source.includes.push_back(match[1]);
        source.lines.push_back(std::move(line));
      }
      sources.push_back(std::move(source));
    }
  }
  return sources;
}

std::vector<Source> Product() { return Load({"core", "render", "channels", "vault", "gateway"}); }

TEST(Layout, EveryRoomIsKnown) {
  for (const Source& source : Product()) {
    EXPECT_TRUE(kArrows.contains(source.room)) << source.path;
  }
}

TEST(Layout, ArrowsGoOneWay) {
  for (const Source& source : Product()) {
    const auto allowed = kArrows.find(source.room);
    if (allowed == kArrows.end()) continue;
    for (const std::string& include : source.includes) {
      const std::string room = fs::path(include).parent_path().string();
      EXPECT_TRUE(room == source.room || allowed->second.contains(room))
          << source.path << " includes " << include;
    }
  }
}

TEST(Layout, RenderSeesOnlyTheRequestModelOfTheGate) {
  for (const Source& source : Product()) {
    if (source.room != "render") continue;
    for (const std::string& include : source.includes) {
      if (include.rfind("core/gate/", 0) == 0) {
        EXPECT_EQ(include, "core/gate/request_model.h");
      }
      if (include.rfind("core/policy/", 0) == 0) {
        EXPECT_EQ(include, "core/policy/budget_verdict.h");
      }
    }
  }
}

TEST(Layout, ChannelsNeverSeeTheLogOrTheGateItself) {
  for (const Source& source : Product()) {
    if (source.room.rfind("channels", 0) != 0) continue;
    for (const std::string& include : source.includes) {
      EXPECT_NE(include.rfind("core/log/", 0), 0U) << source.path << " includes " << include;
      EXPECT_NE(include, "core/gate/gate.h") << source.path;
    }
  }
}

TEST(Layout, RoomsHaveNoCycles) {
  std::set<std::string> done;
  std::function<void(const std::string&, std::vector<std::string>)> walk =
      [&](const std::string& room, std::vector<std::string> path) {
        ASSERT_EQ(std::count(path.begin(), path.end(), room), 0) << "cycle at " << room;
        if (!done.insert(room).second) return;
        path.push_back(room);
        for (const std::string& next : kArrows.at(room)) walk(next, path);
      };
  for (const auto& [room, allowed] : kArrows) {
    done.clear();
    walk(room, {});
  }
}

// Tables that a tool made are data.
bool IsGenerated(const Source& source) {
  return !source.lines.empty() && source.lines.front().find("Generated") != std::string::npos;
}

TEST(Layout, NoFilePasses600Lines) {
  for (const Source& source : Load({"core", "render", "channels", "vault", "gateway", "tests"})) {
    if (IsGenerated(source)) continue;
    EXPECT_LE(source.lines.size(), 600U) << source.path;
  }
}

TEST(Layout, EveryHeaderSaysWhatItIsAndIsIncludedOnce) {
  for (const Source& source : Load({"core", "render", "channels", "vault", "gateway", "tests"})) {
    if (fs::path(source.path).extension() != ".h") continue;
    ASSERT_FALSE(source.lines.empty()) << source.path;
    EXPECT_EQ(source.lines.front().rfind("//", 0), 0U) << source.path << " opens without a comment";
    EXPECT_TRUE(std::find(source.lines.begin(), source.lines.end(), "#pragma once") !=
                source.lines.end())
        << source.path;
  }
}

TEST(Layout, IncludesStartAtTheRoot) {
  for (const Source& source : Product()) {
    for (const std::string& include : source.includes) {
      EXPECT_TRUE(fs::exists(fs::path(APPROVAL_SOURCE_DIR) / include))
          << source.path << " includes " << include;
    }
  }
}

// DESIGN 2: what agents call often links neither libcurl nor GMime nor ICU nor Asio.
TEST(Layout, TheFastProgramsRoomsIncludeNoHeavyLibrary) {
  const std::set<std::string> fast = {"core/base", "core/log",   "core/policy", "core/classify",
                                      "core/gate", "render",     "channels",    "channels/cli",
                                      "vault",     "vault/mail", "gateway",     "gateway/verbs"};
  const std::regex heavy(
      "^#include <(curl/|gmime/|unicode/|boost/asio|boost/beast|libsecret/|idn2)");
  for (const Source& source : Product()) {
    if (!fast.contains(source.room)) continue;
    for (const std::string& line : source.lines) {
      EXPECT_FALSE(std::regex_search(line, heavy)) << source.path << ": " << line;
    }
  }
}

// channels.md 2.1: what a payload is turned into depends on the payload and the class alone.
// Nothing in the room can ask for a clock, a locale, the environment, randomness or a file.
TEST(Layout, RenderCallsNothingThatKnowsTheTimeThePlaceOrTheMachine) {
  // fmt names std::locale and asks it for {:L} alone.
  const std::regex impure(
      "\\b(getenv|secure_getenv|environ|time|clock|clock_gettime|gettimeofday|localtime|gmtime|"
      "localtime_r|strftime|setlocale|newlocale|uselocale|rand|random|getrandom|open|open64|openat|"
      "fopen|fopen64|read|write|socket|getpid|gethostname|date::|std::chrono::_V2|"
      "std::random_device|std::basic_[io]?fstream|approval::base::(SystemClock|SystemRandom|"
      "ReadFile|ReplaceFile|MakeFolders|TimeZone))\\b");
  for (const Source& source : Product()) {
    if (source.room != "render") continue;
    for (const std::string& line : source.lines) {
      EXPECT_EQ(line.find(":L}"), std::string::npos) << source.path << ": " << line;
    }
  }
  const auto names =
      testing::RunProcess({"nm", "--undefined-only", "--demangle", "--no-sort",
                           std::string(APPROVAL_BIN_DIR) + "/../libapproval_render.a"});
  ASSERT_EQ(names.exit, 0) << names.err;
  std::istringstream lines(names.out);
  std::size_t seen = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find(" U ");
    if (at == std::string::npos) continue;
    ++seen;
    EXPECT_FALSE(std::regex_search(line.substr(at + 3), impure)) << line;
  }
  EXPECT_GT(seen, 100U);
}

// DESIGN 6: libsecret in one file.
TEST(Layout, OneFileKnowsTheKeyring) {
  std::set<std::string> files;
  for (const Source& source : Product()) {
    for (const std::string& line : source.lines) {
      if (line.rfind("#include <libsecret/", 0) == 0) files.insert(source.path);
    }
  }
  EXPECT_EQ(files, std::set<std::string>{"vault/secrets/secret_service.cc"});
}

TEST(Layout, OnlyTheAppenderOpensTheLogForWriting) {
  for (const Source& source : Product()) {
    if (source.path == "core/log/append.cc") continue;
    for (const std::string& line : source.lines) {
      EXPECT_EQ(line.find("O_APPEND"), std::string::npos) << source.path << ": " << line;
    }
  }
}

TEST(Layout, SecretsHaveNoStreamOperator) {
  const std::regex stream("operator<<\\s*\\([^)]*Secret");
  for (const Source& source : Product()) {
    for (const std::string& line : source.lines) {
      EXPECT_FALSE(std::regex_search(line, stream)) << source.path;
    }
  }
}

TEST(Layout, NoPathOfAMachineStandsInTheSource) {
  const std::string work = std::string("/work") + "/";
  for (const Source& source : Load({"core", "render", "channels", "vault", "gateway", "tests"})) {
    for (const std::string& line : source.lines) {
      EXPECT_EQ(line.find(work), std::string::npos) << source.path << ": " << line;
    }
  }
}

}  // namespace
}  // namespace approval
