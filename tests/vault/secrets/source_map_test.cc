#include "vault/secrets/source_map.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "core/base/json.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"
#include "tests/support/vectors.h"

namespace approval::secrets {
namespace {

using base::Code;
using testing::TempFolder;

const base::JsonObject& Cases() {
  static const base::Json cases =
      testing::ReadJsonFile(testing::VectorsDir() / "env-file" / "cases.json");
  return cases.get_object();
}

std::string Text(const base::JsonObject& object, const char* name) {
  return std::string(base::StringMember(object, name).value_or(""));
}

std::vector<Assignment> Assignments(const base::Json& pairs) {
  std::vector<Assignment> made;
  for (const base::Json& pair : pairs.get_array()) {
    const base::JsonArray& both = pair.get_array();
    made.push_back(
        {std::string(both.at(0).get_string()), base::Secret(std::string(both.at(1).get_string()))});
  }
  return made;
}

TEST(SourceMapVectors, EveryTextParsesOrIsRefusedWithItsCodeAndLine) {
  APPROVAL_REQUIRE_VECTORS();
  for (const base::Json& one : Cases().at("parse").get_array()) {
    const base::JsonObject& it = one.get_object();
    const auto map = SourceMap::Parse(Text(it, "text"));
    // The reference's quirk; adapters.md 7.1 reserves the word properly (see the test below).
    if (Text(it, "text").find("secret_service:") != std::string::npos) continue;
    ASSERT_EQ(map.has_value(), it.at("ok").as_bool()) << base::ToText(it);
    if (!map) {
      EXPECT_EQ(base::Spelling(map.error().code), Text(it, "code")) << base::ToText(it);
      EXPECT_EQ(base::AsInteger(map.error().details.at("line")), base::AsInteger(it.at("line")));
      continue;
    }
    base::JsonArray entries;
    for (const SourceLine& line : map->lines()) {
      entries.push_back(base::JsonObject{{"key", line.key},
                                         {"kind", Spelling(line.kind)},
                                         {"argument", line.argument.Reveal()},
                                         {"line", line.line}});
    }
    EXPECT_EQ(base::ToText(entries), base::ToText(it.at("entries")));
  }
}

TEST(SourceMapVectors, EveryUpsertGivesItsTextToTheByte) {
  APPROVAL_REQUIRE_VECTORS();
  for (const base::Json& one : Cases().at("upsert").get_array()) {
    const base::JsonObject& it = one.get_object();
    const TempFolder folder;
    const bool existed = it.at("before").is_string();
    const std::string path = folder.Path("env");
    if (existed) {
      folder.Write("env", Text(it, "before"));
      ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
    }
    const std::vector<Assignment> set = Assignments(it.at("set"));
    const auto done = UpsertSourceMap(path, set);
    ASSERT_EQ(done.has_value(), it.at("ok").as_bool()) << base::ToText(it);
    if (done) {
      EXPECT_EQ(*done, it.at("created").as_bool());
    } else {
      EXPECT_EQ(base::Spelling(done.error().code), Text(it, "code"));
    }
    EXPECT_EQ(testing::ReadText(path), Text(it, "after"));
    struct stat state {};
    ASSERT_EQ(::stat(path.c_str(), &state), 0);
    EXPECT_EQ(state.st_mode & 07777, 0600U);
    EXPECT_EQ(folder.Names(), std::vector<std::string>{"env"});
  }
}

TEST(SourceMapVectors, EveryValueIsQuotedForAShell) {
  APPROVAL_REQUIRE_VECTORS();
  for (const base::Json& one : Cases().at("shell_single_quote").get_array()) {
    EXPECT_EQ(ShellQuote(Text(one.get_object(), "in")), Text(one.get_object(), "out"));
  }
}

TEST(SourceMap, AnUnderscoredSecretServiceIsReservedAndNoLiteral) {
  EXPECT_EQ(SourceMap::Parse("A=secret_service:x\n").error().code, Code::kEnvFileUnknownScheme);
}

TEST(SourceMap, ARefusalNamesTheLineAndNeverItsText) {
  const auto map = SourceMap::Parse("A=1\nB=keyring:planted-4711\n");
  ASSERT_FALSE(map);
  EXPECT_NE(map.error().message.find("line 2"), std::string::npos);
  EXPECT_EQ(map.error().message.find("planted"), std::string::npos);
}

TEST(SourceMap, ItsDigestIsThatOfTheTextItWasReadFrom) {
  EXPECT_EQ(SourceMap::Parse("abc=").has_value(), false);
  EXPECT_EQ(SourceMap::Parse("")->sha256(),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_NE(SourceMap::Parse("A=1\n")->sha256(), SourceMap::Parse("A=1")->sha256());
}

TEST(SourceMap, ALiteralIsSpelledSoThatItReadsBack) {
  for (const char* value : {"human:alice", "keychain:x", "env:", "literal:y", "-100123", "a=b"}) {
    const std::string text = "A=" + std::string(LiteralSpelling(value).Reveal()) + "\n";
    const auto map = SourceMap::Parse(text);
    ASSERT_TRUE(map) << value;
    EXPECT_EQ(map->lines()[0].kind, SourceKind::kLiteral);
    EXPECT_EQ(map->lines()[0].argument.Reveal(), value);
  }
}

TEST(SourceMap, AValueSurvivesARealShell) {
  const std::string value = "it's $HOME `id` \\ \"q\"\nsecond line";
  const testing::RunResult run =
      testing::RunProcess({"/bin/sh", "-c", "printf %s " + ShellQuote(value)});
  EXPECT_EQ(run.out, value);
}

class SourceMapFile : public ::testing::Test {
 protected:
  void Put(const char* text, mode_t mode) {
    folder_.Write("env", text);
    ASSERT_EQ(::chmod(path_.c_str(), mode), 0);
  }
  TempFolder folder_;
  std::string path_ = folder_.Path("env");
};

TEST_F(SourceMapFile, AnAbsentFileIsFine) {
  const auto map = ReadSourceMap(path_);
  ASSERT_TRUE(map);
  EXPECT_FALSE(map->has_value());
}

TEST_F(SourceMapFile, AnyModeButSixHundredIsRefusedWithTheRepair) {
  for (const mode_t mode : {0644U, 0640U, 0400U, 0700U, 01600U}) {
    Put("A=1\n", mode);
    const auto map = ReadSourceMap(path_);
    ASSERT_FALSE(map) << std::oct << mode;
    EXPECT_EQ(map.error().code, Code::kEnvFileMode);
    EXPECT_NE(map.error().message.find("chmod 600"), std::string::npos);
  }
}

TEST_F(SourceMapFile, AFolderInItsPlaceIsAnIoError) {
  std::filesystem::create_directory(path_);
  EXPECT_EQ(ReadSourceMap(path_).error().code, Code::kEnvFileIo);
}

TEST_F(SourceMapFile, ABadModeOrABadLineStopsAWriteBeforeItBegins) {
  const std::vector<Assignment> set = [] {
    std::vector<Assignment> one;
    one.push_back({"B", base::Secret("2")});
    return one;
  }();
  Put("A=1\n", 0644);
  EXPECT_EQ(UpsertSourceMap(path_, set).error().code, Code::kEnvFileMode);
  Put("A=keyring:x\n", 0600);
  EXPECT_EQ(UpsertSourceMap(path_, set).error().code, Code::kEnvFileUnknownScheme);
  EXPECT_EQ(testing::ReadText(path_), "A=keyring:x\n");
}

TEST_F(SourceMapFile, ALinkIsReadAndNeverReplaced) {
  Put("A=1\n", 0600);
  const std::string link = folder_.Path("link");
  ASSERT_EQ(::symlink(path_.c_str(), link.c_str()), 0);
  EXPECT_TRUE(ReadSourceMap(link)->has_value());
  std::vector<Assignment> set;
  set.push_back({"B", base::Secret("2")});
  EXPECT_EQ(UpsertSourceMap(link, set).error().code, Code::kEnvFileIo);
  EXPECT_TRUE(std::filesystem::is_symlink(link));
}

TEST_F(SourceMapFile, AWriteKeepsTheOwner) {
  Put("A=1\n", 0600);
  if (::geteuid() == 0) {
    ASSERT_EQ(::chown(path_.c_str(), 12345, 12345), 0);
  }
  struct stat before {};
  ASSERT_EQ(::stat(path_.c_str(), &before), 0);
  std::vector<Assignment> set;
  set.push_back({"A", base::Secret("2")});
  ASSERT_TRUE(UpsertSourceMap(path_, set));
  struct stat after {};
  ASSERT_EQ(::stat(path_.c_str(), &after), 0);
  EXPECT_EQ(after.st_uid, before.st_uid);
}

TEST(SourceMap, NoTextCrashesTheParser) {
  std::string text = "A=b\n# c\nEXPORT=keychain:x\nB=env:\nC=literal:y\n";
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const char c : {'\0', '\n', '=', ':', '\x80', ' '}) {
      std::string changed = text;
      changed[i] = c;
      const auto map = SourceMap::Parse(changed);
      if (!map) {
        EXPECT_TRUE(map.error().details.contains("line"));
      }
    }
  }
}

}  // namespace
}  // namespace approval::secrets
