#include <boost/json/serialize.hpp>

#include "core/base/json.h"

namespace approval::base {

std::string ToText(const Json& value) { return boost::json::serialize(value); }

}  // namespace approval::base
