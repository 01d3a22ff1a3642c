#include "core/base/error.h"

namespace approval::base {

std::string_view Spelling(Code code) {
  switch (code) {
#define APPROVAL_CODE(name, spelling) \
  case Code::name:                    \
    return spelling;
#include "core/base/codes.def"
#undef APPROVAL_CODE
  }
  return "io";
}

}  // namespace approval::base
