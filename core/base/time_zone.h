// A time zone of the IANA database, for showing an instant where somebody lives (channels.md 6.4).
//
// Values; any thread. The database is the system's, read once per zone; behind its last entry
// (2037) the last offset holds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/error.h"

namespace date {
class time_zone;
}

namespace approval::base {

class TimeZone {
 public:
  // `usage` for a text that is no zone name or that the system's database does not hold.
  static Result<TimeZone> Load(const std::string& name);

  // Local time minus UTC at this instant, in milliseconds.
  std::int64_t OffsetMs(std::int64_t instant_ms) const;

  // The last part of the name, blanks for underscores: `New York`.
  const std::string& place() const { return place_; }

 private:
  TimeZone(const date::time_zone* zone, std::string place)
      : zone_(zone), place_(std::move(place)) {}

  const date::time_zone* zone_;  // the library's; lives as long as the process
  std::string place_;
};

// Whether the text is spelled like a zone: words of ASCII letters, digits, `_`, `+` and `-`,
// separated by slashes. Says nothing about whether there is one.
bool IsZoneName(std::string_view text);

}  // namespace approval::base
