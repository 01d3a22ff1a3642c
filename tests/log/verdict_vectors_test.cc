// Every verdict of vectors/log: verification, tail, and an append on a copy.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "core/base/files.h"
#include "core/log/append.h"
#include "core/log/event_schema.h"
#include "core/log/read.h"
#include "core/log/tail.h"
#include "core/log/verify.h"
#include "tests/support/fakes.h"
#include "tests/support/temp_folder.h"
#include "tests/support/vectors.h"

namespace approval::log {
namespace {

namespace fs = std::filesystem;
using approval::testing::VectorsDir;

std::string_view StatusWord(Status status) {
  switch (status) {
    case Status::kClean:
      return "clean";
    case Status::kTornTail:
      return "torn-tail";
    case Status::kCorrupt:
      return "corrupt";
  }
  return "";
}

// Level N reads records that level A refuses (spec README item 1): these logs are clean for us.
const std::set<std::string> kReadableAtLevelN = {"schema-daemon-member", "schema-newer-event"};

std::vector<fs::path> Cases() {
  std::vector<fs::path> cases;
  for (const auto& entry : fs::directory_iterator(VectorsDir() / "log")) {
    if (entry.is_directory()) cases.push_back(entry.path());
  }
  std::sort(cases.begin(), cases.end());
  return cases;
}

TEST(LogVectors, EveryVerdictIsTheReferences) {
  APPROVAL_REQUIRE_VECTORS();
  const auto cases = Cases();
  ASSERT_GT(cases.size(), 150U);
  for (const fs::path& folder : cases) {
    const std::string id = folder.filename().string();
    SCOPED_TRACE(id);
    const base::Json expect = approval::testing::ReadJsonFile(folder / "expect.json");
    const base::JsonObject& verify = expect.at("verify").at("stdout").as_object();
    Verifier verifier;
    ASSERT_TRUE(FeedFile((folder / "events.jsonl").string(), verifier));
    const Verdict verdict = verifier.Judge();
    if (kReadableAtLevelN.contains(id)) {
      EXPECT_EQ(verdict.status, Status::kClean) << verdict.message;
      continue;
    }
    EXPECT_EQ(StatusWord(verdict.status), *base::StringMember(verify, "status")) << verdict.message;
    if (verdict.status == Status::kCorrupt) {
      EXPECT_EQ(base::Spelling(*verdict.reason), *base::StringMember(verify, "reason"))
          << verdict.message;
      EXPECT_EQ(base::AsDouble(verdict.first_bad_seq), base::AsDouble(verify.at("firstBadSeq")));
    } else {
      EXPECT_EQ(verdict.records, verify.at("records").to_number<std::size_t>());
    }
    if (verdict.status == Status::kClean && verdict.head) {
      EXPECT_EQ(verdict.head->hash, *base::StringMember(verify.at("head").as_object(), "hash"));
    }
  }
}

TEST(LogVectors, ALogIsJudgedAlikeInBlocksOfAnySize) {
  APPROVAL_REQUIRE_VECTORS();
  for (const fs::path& folder : Cases()) {
    if (!fs::exists(folder / "events.jsonl")) continue;
    const std::string bytes = approval::testing::ReadText(folder / "events.jsonl");
    Verifier whole;
    whole.Feed(bytes);
    for (const std::size_t block : {std::size_t{1}, std::size_t{7}, std::size_t{4096}}) {
      Verifier pieces;
      for (std::size_t at = 0; at < bytes.size(); at += block) {
        pieces.Feed(std::string_view(bytes).substr(at, block));
      }
      EXPECT_EQ(pieces.Judge().status, whole.Judge().status) << folder;
      EXPECT_EQ(pieces.Judge().reason, whole.Judge().reason) << folder;
      EXPECT_EQ(pieces.proved_bytes(), whole.proved_bytes()) << folder;
    }
  }
}

TEST(LogVectors, AnAppendSucceedsOrIsRefusedAsTheReferenceDoes) {
  APPROVAL_REQUIRE_VECTORS();
  approval::testing::FakeRandom random;
  const base::SystemClock clock;
  for (const fs::path& folder : Cases()) {
    const std::string id = folder.filename().string();
    SCOPED_TRACE(id);
    const base::Json expect = approval::testing::ReadJsonFile(folder / "expect.json");
    const base::JsonObject& append = expect.at("append").as_object();
    const approval::testing::TempFolder temp;
    const std::string path = temp.Path("log/events.jsonl");
    std::string before;
    if (fs::exists(folder / "events.jsonl")) {
      before = approval::testing::ReadText(folder / "events.jsonl");
      temp.Write("log/events.jsonl", before);
    }
    LogFile file(path, clock, random);
    Draft draft{"policy.updated", "human:alice"};
    draft.payload = base::JsonObject{{"policy_path", "APPROVAL.md"}};
    const auto appended = file.AppendAnywhere(draft);
    const std::string after = base::ReadFile(path).value_or("");
    EXPECT_EQ(after.substr(0, before.size()), before);
    if (append.at("exit").as_int64() == 0) {
      ASSERT_TRUE(appended) << appended.error().message;
      EXPECT_EQ(appended->seq, append.at("stdout").at("seq").to_number<std::int64_t>());
    } else {
      ASSERT_FALSE(appended);
      EXPECT_EQ(base::Spelling(appended.error().code),
                *base::StringMember(append.at("stderr").at("error").as_object(), "code"));
      EXPECT_EQ(after, before);
    }
    EXPECT_EQ(base::StateOf(path + ".lock"), base::FileState::kMissing);
  }
}

TEST(LogVectors, AnAnchorFindsWhatAWalkCannot) {
  APPROVAL_REQUIRE_VECTORS();
  const base::Json rows = approval::testing::ReadJsonFile(VectorsDir() / "log" / "anchors.json");
  for (const base::Json& row : rows.as_array()) {
    const base::JsonObject& item = row.as_object();
    const std::string id(*base::StringMember(item, "case"));
    SCOPED_TRACE(id);
    std::optional<Head> anchor;
    if (item.at("expected_head").is_object()) {
      const base::JsonObject& head = item.at("expected_head").as_object();
      anchor =
          Head{*base::AsInteger(head.at("seq")), std::string(*base::StringMember(head, "hash"))};
    }
    Verifier verifier;
    ASSERT_TRUE(FeedFile((VectorsDir() / "log" / id / "events.jsonl").string(), verifier));
    const Verdict verdict = verifier.Judge(anchor);
    EXPECT_EQ(StatusWord(verdict.status), *base::StringMember(item, "status"));
    if (const auto reason = base::StringMember(item, "reason")) {
      EXPECT_EQ(base::Spelling(*verdict.reason), *reason);
      EXPECT_EQ(base::AsDouble(verdict.first_bad_seq), base::AsDouble(item.at("first_bad_seq")));
    }
  }
}

TEST(LogVectors, AnomaliesAreReportedBeyondTheTolerance) {
  APPROVAL_REQUIRE_VECTORS();
  for (const fs::path& folder : Cases()) {
    const std::string id = folder.filename().string();
    SCOPED_TRACE(id);
    const base::Json expect = approval::testing::ReadJsonFile(folder / "expect.json");
    const base::JsonObject& verify = expect.at("verify").at("stdout").as_object();
    if (*base::StringMember(verify, "status") == "corrupt") continue;
    if (id == "anomaly-tolerance-1h" || id == "anomaly-tolerance-1s") continue;  // policy's own
    Verifier verifier;
    ASSERT_TRUE(FeedFile((folder / "events.jsonl").string(), verifier));
    const auto found = FindAnomalies(verifier.proved(), kDefaultSkewToleranceMs);
    const base::Json* listed = verify.if_contains("anomalies");
    ASSERT_EQ(found.size(), listed == nullptr ? 0U : listed->as_array().size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].seq, listed->at(i).at("seq").to_number<std::int64_t>());
      EXPECT_EQ(found[i].skew_ms, listed->at(i).at("skewMs").to_number<std::int64_t>());
    }
  }
}

// Level N knows more event types and members than the reference of these documents; what it adds
// is valid for us.
const std::set<std::string> kValidAtLevelN = {"daemon=\"laptop\""};

// vectors/schema: the reference's verdict on single documents.
TEST(SchemaVectors, ADocumentIsValidExactlyWhenTheReferenceSaysSo) {
  APPROVAL_REQUIRE_VECTORS();
  const base::Json rows = approval::testing::ReadJsonFile(VectorsDir() / "schema" / "extra.json");
  std::size_t events = 0;
  for (const base::Json& row : rows.as_array()) {
    const base::JsonObject& item = row.as_object();
    if (base::StringMember(item, "schema").value_or("") != "event") continue;
    ++events;
    const std::string id(base::StringMember(item, "id").value_or("?"));
    const base::Json& document = item.at("doc");
    const bool ours =
        document.is_object() && ValidateRecord(document.get_object(), SchemaUse::kRead).empty();
    const bool valid = item.at("valid").as_bool() || kValidAtLevelN.contains(id);
    EXPECT_EQ(ours, valid) << id << " " << base::ToText(document);
  }
  EXPECT_GT(events, 100U);
}

TEST(SchemaVectors, EveryEventFixtureHasItsVerdict) {
  APPROVAL_REQUIRE_VECTORS();
  const fs::path root = VectorsDir() / "schema";
  const base::Json index = approval::testing::ReadJsonFile(root / "index.json");
  std::size_t events = 0;
  for (const base::Json& row : index.as_array()) {
    const base::JsonObject& item = row.as_object();
    if (base::StringMember(item, "schema").value_or("") != "event") continue;
    ++events;
    const std::string path(*base::StringMember(item, "path"));
    const base::Json document = approval::testing::ReadJsonFile(root / path);
    ASSERT_TRUE(document.is_object()) << path;
    EXPECT_EQ(ValidateRecord(document.get_object(), SchemaUse::kRead).empty(),
              item.at("valid").as_bool())
        << path;
  }
  EXPECT_GT(events, 10U);
}

}  // namespace
}  // namespace approval::log
