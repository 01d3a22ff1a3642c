#include "gateway/user_service.h"

#include <pwd.h>
#include <unistd.h>

#include "core/base/files.h"

namespace approval::gateway {

std::string UserUnitPath(const std::string& home, const std::string& label) {
  return base::JoinPath(home, ".config/systemd/user/" + label + ".service");
}

bool AccountLingers() {
  const passwd* self = ::getpwuid(::getuid());
  return self != nullptr &&
         base::StateOf(base::JoinPath("/var/lib/systemd/linger", self->pw_name)) ==
             base::FileState::kRegular;
}

}  // namespace approval::gateway
