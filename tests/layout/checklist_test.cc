// The checklist of channels.md 8, its lines on the contract and on rendering, and the forgeries of
// 2.12: each is named by a comment directly above a test that proves it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace approval {
namespace {

namespace fs = std::filesystem;

constexpr int kLastLine = 46;
constexpr int kLastForgery = 7;

// Lines that no test can prove, and why. Two requests that wait are two questions on every channel,
// so that nothing puts a batch together; only the record's member exists (8.15).
const std::map<int, std::string> kWithoutATest = {
    {16, "no reader of ours looks for the batch in a note, whichever form it has"},
    {17, "nothing records the members of a batch in a loop"},
    {18, "no set of requests is ever assembled"}};

struct Named {
  std::set<int> lines;
  std::set<int> forgeries;
};

// Every number behind `mark` in the comment; none when it has another beginning.
void AddNumbers(const std::string& comment, const std::regex& mark, const std::regex& number,
                std::set<int>& out) {
  if (!std::regex_search(comment, mark)) return;
  for (std::sregex_iterator at(comment.begin(), comment.end(), number), end; at != end; ++at) {
    out.insert(std::stoi((*at)[1]));
  }
}

// What the comments that end right above a test name.
Named NamedIn(const std::vector<std::string>& lines) {
  static const std::regex test("^TEST(_F|_P)?\\(");
  static const std::regex line_mark("^// channels\\.md 8\\.");
  static const std::regex line_number("\\b8\\.(\\d+)");
  static const std::regex forgery_mark("^// channels\\.md 2\\.12 forgery ");
  static const std::regex forgery_number("forgery (\\d+)");
  Named named;
  std::vector<std::string> comments;
  for (const std::string& line : lines) {
    if (line.rfind("//", 0) == 0) {
      comments.push_back(line);
      continue;
    }
    if (std::regex_search(line, test)) {
      for (const std::string& comment : comments) {
        AddNumbers(comment, line_mark, line_number, named.lines);
        AddNumbers(comment, forgery_mark, forgery_number, named.forgeries);
      }
    }
    comments.clear();
  }
  return named;
}

Named NamedInTheTests() {
  Named all;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(APPROVAL_SOURCE_DIR) / "tests")) {
    if (!entry.is_regular_file() || entry.path().extension() != ".cc") continue;
    std::ifstream in(entry.path());
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(std::move(line));
    Named named = NamedIn(lines);
    all.lines.merge(named.lines);
    all.forgeries.merge(named.forgeries);
  }
  return all;
}

TEST(Checklist, EveryLineOnTheContractAndOnRenderingIsNamedByATest) {
  const Named named = NamedInTheTests();
  for (int line = 1; line <= kLastLine; ++line) {
    if (kWithoutATest.contains(line)) continue;
    EXPECT_TRUE(named.lines.contains(line)) << "no test names channels.md 8." << line;
  }
}

TEST(Checklist, ALineThatATestNamesIsNotListedAsWithoutOne) {
  const Named named = NamedInTheTests();
  for (const auto& [line, reason] : kWithoutATest) {
    EXPECT_FALSE(named.lines.contains(line)) << "channels.md 8." << line << ": " << reason;
  }
}

TEST(Checklist, EveryForgeryIsNamedByATest) {
  const Named named = NamedInTheTests();
  for (int forgery = 1; forgery <= kLastForgery; ++forgery) {
    EXPECT_TRUE(named.forgeries.contains(forgery)) << "no test names forgery " << forgery;
  }
}

TEST(Checklist, ACommentCountsOnlyDirectlyAboveATest) {
  const Named named =
      NamedIn({"// channels.md 8.1, 8.20", "// why", "TEST(A, B) {", "}", "// channels.md 8.2", "",
               "TEST(A, C) {", "// channels.md 8.3", "int x;", "// see 8.4",
               "// channels.md 2.12 forgery 5", "TEST_P(A, D) {"});
  EXPECT_EQ(named.lines, (std::set<int>{1, 20}));
  EXPECT_EQ(named.forgeries, (std::set<int>{5}));
}

}  // namespace
}  // namespace approval
