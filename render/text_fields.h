// The texts of a payload with the names by which warnings speak of them.
//
// Names are ours (`to`, `argument 2`, `body`) or a quoted JSON pointer; texts are raw views into
// the payload.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "render/shape.h"

namespace approval::render {

struct TextField {
  std::string_view name;  // static, or into `names`
  std::string_view text;
  bool address = false;    // one mail address
  bool recipient = false;  // an address that the mail goes to
};

// Moving it keeps the views valid.
struct TextFieldList {
  std::vector<TextField> fields;
  std::deque<std::string> names;
};

// Every string of the payload, member names of an opaque one included.
TextFieldList TextFields(Shape shape, const base::Json& payload);

}  // namespace approval::render
