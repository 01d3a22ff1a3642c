// Several runs of one action at once: one acts, the others are told why they may not.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/support/adapter_project.h"
#include "tests/support/sample_adapter.h"

namespace approval::adapters {
namespace {

using base::Json;
using base::JsonObject;
using testing::TextOf;

TEST(AdapterRace, FR071_OfManyRunsOfOneActionExactlyOneActs) {
  testing::AdapterProject project;
  project.Store("sample.place", "kitchen");
  project.Store("sample.key", testing::kSampleSecret);
  project.Seal();
  const Json payload = JsonObject{{"note", "buy milk"}};
  const std::string token = project.Granted("t1:k", std::string(testing::kSampleClass), payload);
  constexpr std::size_t kRuns = 4;
  std::vector<std::vector<std::string>> effects(kRuns);
  std::vector<Executed> results(kRuns);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kRuns; ++i) {
    threads.emplace_back([&, i] {
      gate::Gate gate({project.folder().Path(".approval/log/events.jsonl"),
                       project.folder().Path("APPROVAL.md"),
                       {}},
                      project.clock(), project.random());
      testing::SampleAdapter adapter(effects[i]);
      results[i] = ExecuteThroughAdapter(gate, adapter, &project.source(), project.random(),
                                         testing::AdapterProject::Ask("t1:k", token, payload));
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::size_t acted = 0;
  std::size_t went_through = 0;
  for (std::size_t i = 0; i < kRuns; ++i) {
    acted += effects[i].size();
    if (results[i].ok) {
      ++went_through;
    } else {
      EXPECT_EQ(TextOf(results[i].answer, "code"), "token-consumed");
    }
  }
  EXPECT_EQ(acted, 1U);
  EXPECT_EQ(went_through, 1U);
}

}  // namespace
}  // namespace approval::adapters
