// The queue as a table, at the widths that people have.
#include "channels/cli/queue_table.h"

#include <gtest/gtest.h>

#include "channels/cli/cells.h"
#include "tests/support/sample_requests.h"

namespace approval::channels::cli {
namespace {

std::string Table(const std::vector<gate::RequestModel>& requests, std::size_t width = 80,
                  const std::vector<gate::Skip>& skipped = {}) {
  std::string out;
  for (const std::string& row :
       QueueTable(requests, skipped, testing::kSampleNow, {false, width})) {
    EXPECT_LE(Cells(row), width) << row;
    out += row + "\n";
  }
  return out;
}

TEST(QueueTable, SaysWhatWhoHowOldAndHowLong) {
  const std::string table = Table({testing::SampleRequest(testing::EmailPayload())});
  EXPECT_EQ(table,
            "1 request waiting, oldest first\n"
            "\n"
            "1  5 min ago  1h 0m left  key task-101:chaser\n"
            "   ✉️ Send an email · to agency@example.co.uk\n"
            "   communicate.email.external · asked by agent:drafter\n");
}

TEST(QueueTable, ColumnsStandBelowEachOther) {
  testing::SampleOptions old;
  old.key = "old";
  old.requested_ms = testing::kSampleNow - 3 * 3'600'000;
  old.window_ms = 0;
  const std::string table = Table({testing::SampleRequest(testing::EmailPayload(), old),
                                   testing::SampleRequest(testing::EmailPayload())});
  EXPECT_NE(table.find("1  3h 00m ago  no limit    key old"), std::string::npos) << table;
  EXPECT_NE(table.find("2  5 min ago   1h 0m left  key task"), std::string::npos) << table;
}

TEST(QueueTable, AWarningIsCounted) {
  const std::string table =
      Table({testing::SampleRequest(testing::EmailPayload("Hello", "Your pаypаl"))});
  EXPECT_NE(table.find("⚠ 1 warning"), std::string::npos) << table;
}

// channels.md 8.10
TEST(QueueTable, WhatCannotBeShownIsThereWithItsCode) {
  const gate::Skip skip{"k\x1b[2J", {base::Code::kPayloadUnavailable, "the bytes are not here"}};
  const std::string table = Table({}, 80, {skip});
  EXPECT_NE(table.find("cannot be shown: k«U+001B»[2J  payload-unavailable"), std::string::npos)
      << table;
}

TEST(QueueTable, AnEmptyQueueSaysSo) { EXPECT_EQ(Table({}), "nothing waits for an answer\n"); }

TEST(QueueTable, NothingClaimedBeginsARowAtAnyWidth) {
  testing::SampleOptions options;
  options.key = std::string(70, 'x') + " 9  just now  no limit  key forged";
  const gate::RequestModel request = testing::SampleRequest(testing::EmailPayload(), options);
  for (std::size_t width = 10; width <= 100; ++width) {
    for (const std::string& row : QueueTable({request}, {}, testing::kSampleNow, {false, width})) {
      ASSERT_FALSE(row.starts_with("9  just now")) << width;
    }
  }
}

}  // namespace
}  // namespace approval::channels::cli
