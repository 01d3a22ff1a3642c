// The policy files of the vectors: what loads, what each refusal says, how classes resolve.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "core/base/canonical.h"
#include "core/base/duration.h"
#include "core/policy/load.h"
#include "core/policy/resolve.h"
#include "tests/support/vectors.h"

namespace approval::policy {
namespace {

std::string Text(const base::Json& value) {
  return {value.as_string().data(), value.as_string().size()};
}

std::string Canonical(const base::Json& value) {
  return base::Canonicalize(value).value_or("no canonical form");
}

std::optional<bool> Reversible(const base::Json& value) {
  if (value.is_null()) return std::nullopt;
  return value.as_bool();
}

// Files that we refuse as YAML whatever the reference says: aliases, a second document, directives
// (spec README item 5), a control character, which YAML does not allow, and 200 levels of nesting.
const std::set<std::string>& RefusedByTheSpec() {
  static const std::set<std::string> ids = {
      "yaml-anchor-alias", "yaml-self-alias",   "yaml-merge-key", "yaml-two-docs",
      "yaml-directive",    "yaml-directive-11", "yaml-nul",       "yaml-deep"};
  return ids;
}

// Files that the reference refuses and level N loads (core.md 4.5).
const std::set<std::string>& LoadedAtLevelN() {
  static const std::set<std::string> ids = {
      "schema-autonomy-human-only", "schema-autonomy-supervised-retro", "schema-allow-irreversible",
      "schema-approver-senders", "schema-protected-object"};
  return ids;
}

using Finding = std::pair<std::string, std::string>;

void ExpectSameFindings(const base::Json& wanted, const LoadResult& load, const std::string& id) {
  std::set<Finding> allowed;
  std::set<std::string> paths;
  for (const base::Json& error : wanted.at("error_paths").as_array()) {
    allowed.emplace(Text(error.at("path")), Text(error.at("keyword")));
    paths.insert(Text(error.at("path")));
  }
  if (allowed.empty()) return;
  ASSERT_TRUE(load.failure->details.contains("errors")) << id;
  std::set<std::string> our_paths;
  for (const base::Json& error : load.failure->details.at("errors").as_array()) {
    const Finding finding(Text(error.at("path")), Text(error.at("keyword")));
    EXPECT_TRUE(allowed.contains(finding)) << id << " " << finding.first << " " << finding.second;
    EXPECT_FALSE(Text(error.at("message")).empty());
    our_paths.insert(finding.first);
  }
  EXPECT_EQ(our_paths, paths) << id;
}

class Cases : public ::testing::Test {
 protected:
  template <typename Use>
  void ForEach(Use use) {
    APPROVAL_REQUIRE_VECTORS();
    const auto folder = testing::VectorsDir() / "policy";
    const base::Json cases = testing::ReadJsonFile(folder / "cases.json");
    for (const base::Json& entry : cases.as_array()) {
      use(entry, Text(entry.at("id")), LoadPolicy((folder / Text(entry.at("file"))).string()));
    }
    EXPECT_GT(cases.as_array().size(), 100U);
  }
};

TEST_F(Cases, EveryFileLoadsOrIsRefusedWithItsCodeAndFindings) {
  ForEach([](const base::Json& entry, const std::string& id, const LoadResult& load) {
    EXPECT_EQ(load.sha256, Text(entry.at("sha256"))) << id;
    EXPECT_NE(load.policy.has_value(), load.failure.has_value()) << id;
    const base::Json& wanted = entry.at("load");
    if (RefusedByTheSpec().contains(id)) {
      ASSERT_FALSE(load.policy) << id;
      EXPECT_EQ(load.failure->code, base::Code::kYamlError) << id;
    } else if (LoadedAtLevelN().contains(id)) {
      EXPECT_FALSE(wanted.at("ok").as_bool()) << id;
      EXPECT_TRUE(load.policy) << id << load.failure->message;
    } else if (wanted.at("ok").as_bool()) {
      ASSERT_TRUE(load.policy) << id << " " << load.failure->message;
      EXPECT_EQ(Canonical(load.policy->source), Canonical(wanted.at("policy"))) << id;
    } else {
      ASSERT_FALSE(load.policy) << id;
      EXPECT_EQ(base::Spelling(load.failure->code), Text(wanted.at("code"))) << id;
      ExpectSameFindings(wanted, load, id);
    }
  });
}

TEST_F(Cases, DurationsCountInMilliseconds) {
  ForEach([](const base::Json& entry, const std::string& id, const LoadResult& load) {
    const base::Json* durations = entry.at("load").as_object().if_contains("durations");
    if (!load.policy || durations == nullptr) return;
    const auto& ttl = load.policy->defaults.approval_ttl_ms;
    if (const base::Json* ms = durations->as_object().if_contains("approvalTtlMs");
        ms != nullptr && !ms->is_null()) {
      ASSERT_TRUE(ttl) << id;
      // Beyond int64 the count saturates.
      const double wanted = std::min(*base::AsDouble(*ms), 9223372036854775807.0);
      EXPECT_EQ(static_cast<double>(*ttl), wanted) << id;
    } else {
      EXPECT_FALSE(ttl) << id;
    }
    const base::Json* skew = durations->as_object().if_contains("skewToleranceMs");
    const bool has_skew = skew != nullptr && !skew->is_null();
    EXPECT_EQ(load.policy->audit.skew_tolerance_ms,
              has_skew ? skew->to_number<std::int64_t>() : 2000)
        << id;
  });
}

TEST_F(Cases, EveryResolutionAnswersAsTheReferenceDid) {
  ForEach([](const base::Json& entry, const std::string& id, const LoadResult& load) {
    if (RefusedByTheSpec().contains(id) || LoadedAtLevelN().contains(id)) return;
    for (const base::Json& row : entry.at("resolutions").as_array()) {
      base::JsonObject ours =
          CheckReport(load, Text(row.at("class")), Reversible(row.at("reversible")));
      base::JsonObject wanted = row.at("expect").as_object();
      ASSERT_TRUE(ours.at("decisionPath").is_array());
      EXPECT_FALSE(ours.at("decisionPath").as_array().empty());
      ours.erase("decisionPath");
      wanted.erase("decisionPath");
      for (base::JsonObject* report : {&ours, &wanted}) {
        if (report->at("loadFailure").is_object()) {
          report->at("loadFailure").as_object()["message"] = "";
        }
      }
      EXPECT_EQ(Canonical(ours), Canonical(wanted)) << id;
    }
  });
}

TEST_F(Cases, AFileThatDoesNotLoadMakesEveryClassManual) {
  ForEach([](const base::Json&, const std::string& id, const LoadResult& load) {
    if (load.policy) return;
    const Resolution resolution = Resolve(load, "read.web", true);
    EXPECT_EQ(resolution.autonomy, Autonomy::kManual) << id;
    EXPECT_EQ(resolution.provenance, Provenance::kFailClosed) << id;
    EXPECT_FALSE(load.OrDefaults().defaults.approval_ttl_ms) << id;
    EXPECT_TRUE(load.OrDefaults().budgets.empty()) << id;
    EXPECT_FALSE(load.OrDefaults().audit.supervised_sample_rate) << id;
  });
}

TEST(Durations, EveryVectorHasItsMillisecondsOrIsRefused) {
  APPROVAL_REQUIRE_VECTORS();
  const base::Json rows = testing::ReadJsonFile(testing::VectorsDir() / "policy/durations.json");
  for (const base::Json& row : rows.as_array()) {
    const auto ms = base::ParseDurationMs(Text(row.at("text")));
    ASSERT_EQ(ms.has_value(), !row.at("ms").is_null()) << row;
    if (ms) {
      EXPECT_EQ(static_cast<double>(*ms),
                std::min(*base::AsDouble(row.at("ms")), 9223372036854775807.0))
          << row;
    }
  }
}

TEST(Patterns, EveryVectorMatchesWhatItShouldAndNothingElse) {
  APPROVAL_REQUIRE_VECTORS();
  const base::Json rows = testing::ReadJsonFile(testing::VectorsDir() / "policy/patterns.json");
  for (const base::Json& row : rows.as_array()) {
    const std::string pattern = Text(row.at("pattern"));
    ASSERT_TRUE(IsPattern(pattern));
    for (const base::Json& name : row.at("matches").as_array()) {
      EXPECT_TRUE(Matches(pattern, Text(name))) << pattern << " " << name;
    }
    for (const base::Json& name : row.at("not").as_array()) {
      EXPECT_FALSE(Matches(pattern, Text(name))) << pattern << " " << name;
    }
    const Specificity key = SpecificityOf(pattern);
    EXPECT_EQ((base::JsonArray{key.literals, key.wildcards, key.segments}),
              row.at("specificity").as_array());
  }
}

TEST(CheckReports, MembersStandInTheirOrder) {
  const base::JsonObject report = CheckReport(LoadPolicyBytes("", "x"), "read.web", std::nullopt);
  std::vector<std::string> names;
  for (const auto& member : report) names.emplace_back(member.key());
  EXPECT_EQ(names, (std::vector<std::string>{"class", "reversible", "outcome", "provenance",
                                             "manualBecause", "loadFailure", "matched",
                                             "overridden", "candidates", "decisionPath"}));
}

TEST(CheckReports, AMissingFileIsAnsweredAsInTheVector) {
  APPROVAL_REQUIRE_VECTORS();
  const base::Json rows = testing::ReadJsonFile(testing::VectorsDir() / "policy/cli-edges.json");
  std::size_t compared = 0;
  for (const base::Json& row : rows.as_array()) {
    if (!row.at("stdout").is_object()) continue;
    base::JsonObject ours = CheckReport(LoadPolicy("no-folder/nope.md"), "read.web", std::nullopt);
    ours["decisionPath"] = base::JsonArray{"…"};
    ours.at("loadFailure").as_object()["message"] = "…";
    EXPECT_EQ(Canonical(ours), Canonical(row.at("stdout")));
    ++compared;
  }
  EXPECT_EQ(compared, 2U);
}

}  // namespace
}  // namespace approval::policy
