#include "core/base/time_zone.h"

#include <date/tz.h>

#include <algorithm>
#include <exception>

namespace approval::base {

bool IsZoneName(std::string_view text) {
  constexpr std::size_t kMaxLength = 64;
  if (text.empty() || text.size() > kMaxLength) return false;
  char before = '/';
  for (const char c : text) {
    const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '_' || c == '+' || c == '-';
    if (!word && (c != '/' || before == '/')) return false;
    before = c;
  }
  return before != '/';
}

Result<TimeZone> TimeZone::Load(const std::string& name) {
  const std::string advice = "; take a name as in Europe/Madrid";
  if (!IsZoneName(name)) return Fail(Code::kUsage, "\"" + name + "\" is no time zone" + advice);
  try {
    const date::time_zone* zone = date::locate_zone(name);
    std::string place = name.substr(name.rfind('/') + 1);
    std::replace(place.begin(), place.end(), '_', ' ');
    TimeZone found(zone, std::move(place));
    found.OffsetMs(0);  // the file of the zone is read at the first question
    return found;
  } catch (const std::exception&) {
    return Fail(Code::kUsage, "this system knows no time zone \"" + name + "\"" + advice);
  }
}

std::int64_t TimeZone::OffsetMs(std::int64_t instant_ms) const {
  const date::sys_time<std::chrono::milliseconds> instant{std::chrono::milliseconds(instant_ms)};
  const auto info = zone_->get_info(instant);
  return std::chrono::duration_cast<std::chrono::milliseconds>(info.offset).count();
}

}  // namespace approval::base
