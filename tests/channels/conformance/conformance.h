// The conformance suite: what every channel must do with a real log and the real gate
// (channels.md 1.9).
//
// A channel comes in a harness that shows the runtime's newest view on the real surface and reads
// back what a person would read there. `CheckConformance` runs the checks 1 to 10 in order, each on
// a bench of its own, and stops at the first that fails. Our channels make no batches, so check 5
// is about two requests that wait at once.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "channels/contract.h"
#include "tests/channels/conformance/bench.h"

namespace approval::testing {

struct RenderedField {
  std::string label;  // as the surface names it: `budgets`, `est. cost`
  bool claimed = false;
  std::string text;
};

// One request as a surface showed it, markup undone.
struct Rendered {
  std::string action_key;
  std::vector<RenderedField> fields;
  std::string text;     // everything, line by line
  std::string payload;  // the region that holds the exact bytes; empty when there is none
};

class ChannelUnderTest {
 public:
  virtual ~ChannelUnderTest() = default;

  virtual std::string name() const = 0;
  virtual channels::Health health() const = 0;

  // Puts the newest view in front of a person: one entry for each request that is shown as waiting.
  virtual std::vector<Rendered> Show() = 0;

  // The gesture, made on what Show showed of this key, however old that is by now. What the person
  // is told. A surface that offers no such gesture is pressed as hard as its transport allows.
  virtual std::string Press(const std::string& key, channels::Gesture gesture) = 0;
};

using MakeChannel = std::function<std::unique_ptr<ChannelUnderTest>(Bench&)>;

struct Finding {
  int check = 0;  // 0: the channel conforms
  std::string what;
};

Finding CheckConformance(const MakeChannel& make);

// One of the checks alone, 1 to 10.
Finding CheckOne(const MakeChannel& make, int number);

}  // namespace approval::testing
