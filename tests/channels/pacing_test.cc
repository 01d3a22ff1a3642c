#include "channels/pacing.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace approval::channels {
namespace {

using Texts = std::vector<std::string>;

PacingItem Item(const std::string& id) { return {id, 7'200'000, false, false, false}; }

PacingItem Quick(const std::string& id) { return {id, 300'000, true, false, false}; }

// The queue and the channel around a Pacing: what is picked is delivered at once.
class Walk {
 public:
  explicit Walk(PacingMode mode = PacingMode::kPaced) : mode_(mode) {}

  void Add(PacingItem item) { pending_.push_back(std::move(item)); }
  void Settle(const std::string& id) {
    std::erase_if(pending_, [&](const auto& item) { return item.id == id; });
  }
  PacingItem& At(const std::string& id) {
    return *std::find_if(pending_.begin(), pending_.end(),
                         [&](const auto& item) { return item.id == id; });
  }

  // What one cycle sends: `summary 5`, `a`, `q urgent`.
  Texts Cycle() {
    const PacingPlan plan = pacing.Next(pending_, mode_);
    Texts out;
    if (plan.announce) out.push_back("summary " + std::to_string(plan.pending));
    for (const PacingPick& pick : plan.picks) {
      out.push_back(pick.id + (pick.urgent ? " urgent" : ""));
      At(pick.id).delivered = true;
    }
    return out;
  }

  Pacing pacing;

 private:
  PacingMode mode_;
  std::vector<PacingItem> pending_;
};

TEST(Pacing, StartsWithOneSummaryAndTheOldest) {
  Walk walk;
  for (const char* id : {"a", "b", "c"}) walk.Add(Item(id));
  EXPECT_EQ(walk.Cycle(), (Texts{"summary 3", "a"}));
  EXPECT_EQ(walk.Cycle(), Texts{});
}

// Vector 16 without its commands.
TEST(Pacing, WalksThroughTheDerivedVector) {
  Walk walk;
  for (const char* id : {"a", "b", "c", "d", "e"}) walk.Add(Item(id));
  EXPECT_EQ(walk.Cycle(), (Texts{"summary 5", "a"}));
  walk.Add(Item("f"));
  EXPECT_EQ(walk.Cycle(), Texts{});
  walk.Settle("a");
  EXPECT_EQ(walk.Cycle(), Texts{"b"});
  walk.Settle("b");
  walk.Settle("c");
  EXPECT_EQ(walk.Cycle(), Texts{"d"});
  walk.Settle("d");
  walk.Settle("e");
  walk.Settle("f");
  for (const char* id : {"g", "h", "i", "j"}) walk.Add(Item(id));
  EXPECT_EQ(walk.Cycle(), (Texts{"summary 4", "g"}));
}

TEST(Pacing, AnnouncesAgainWhenTheCountGrewWhileNothingWasOpen) {
  Walk walk;
  walk.Add(Item("a"));
  EXPECT_EQ(walk.Cycle(), (Texts{"summary 1", "a"}));
  walk.Settle("a");
  EXPECT_EQ(walk.Cycle(), Texts{});
  walk.Add(Item("b"));
  EXPECT_EQ(walk.Cycle(), (Texts{"summary 1", "b"}));
}

TEST(Pacing, AFailedSendLeavesNoCurrentCardAndIsTriedAgain) {
  Walk walk;
  walk.Add(Item("a"));
  walk.Cycle();
  walk.At("a").delivered = false;
  walk.pacing.Failed("a");
  EXPECT_FALSE(walk.pacing.current().has_value());
  EXPECT_EQ(walk.Cycle(), Texts{"a"});
}

// FR-007
TEST(Pacing, AnUndeliverableRequestDoesNotBlockTheNext) {
  Walk walk;
  walk.Add(Item("a"));
  walk.Add(Item("b"));
  walk.Cycle();
  walk.At("a").delivered = false;
  walk.At("a").undeliverable = true;
  EXPECT_EQ(walk.Cycle(), Texts{"b"});
}

TEST(Pacing, OneQuickRequestMayStandBesideASlowOne) {
  Walk walk;
  walk.Add(Item("slow"));
  walk.Cycle();
  walk.Add(Quick("q1"));
  walk.Add(Quick("q2"));
  EXPECT_EQ(walk.Cycle(), Texts{"q1 urgent"});
  EXPECT_EQ(walk.Cycle(), Texts{});
  walk.Settle("q1");
  EXPECT_EQ(walk.Cycle(), Texts{"q2 urgent"});
}

TEST(Pacing, AQuickRequestBehindAQuickOneWaits) {
  Walk walk;
  walk.Add(Quick("q1"));
  walk.Cycle();
  walk.Add(Quick("q2"));
  EXPECT_EQ(walk.Cycle(), Texts{});
}

TEST(Pacing, ARequestWithoutAWaitingCallIsNeverUrgent) {
  Walk walk;
  walk.Add(Item("slow"));
  walk.Cycle();
  PacingItem item = Quick("q");
  item.requester_waits = false;
  walk.Add(item);
  EXPECT_EQ(walk.Cycle(), Texts{});
}

TEST(Pacing, WhatAnEarlierProcessDeliveredIsTheCurrentCard) {
  Walk walk;
  walk.Add(Item("a"));
  walk.Add(Item("b"));
  walk.At("a").delivered = true;
  EXPECT_EQ(walk.Cycle(), Texts{});
  EXPECT_EQ(walk.pacing.current(), "a");
}

TEST(Pacing, BurstSendsAllWithOneBanner) {
  Walk walk(PacingMode::kBurst);
  walk.Add(Item("a"));
  walk.Add(Item("b"));
  EXPECT_EQ(walk.Cycle(), (Texts{"summary 2", "a", "b"}));
  walk.Add(Item("c"));
  EXPECT_EQ(walk.Cycle(), Texts{"c"});
}

TEST(Pacing, APickIsNotPickedTwiceWhileItIsOnItsWay) {
  Pacing pacing;
  const std::vector<PacingItem> pending{Item("a")};
  EXPECT_EQ(pacing.Next(pending, PacingMode::kBurst).picks.size(), 1u);
  EXPECT_EQ(pacing.Next(pending, PacingMode::kBurst).picks.size(), 0u);
}

}  // namespace
}  // namespace approval::channels
