// The gateway's private folder as the Telegram channel uses it: the button key and the lock of the
// one listener (channels.md 3.5, 3.14).
//
// The folder is 0700 with a `.gitignore` of `*`; a folder that others may enter is refused. Nothing
// here is deleted by us.
#pragma once

#include <string>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/random.h"
#include "core/base/secret.h"

namespace approval::telegram {

// Makes the folder and its .gitignore when missing. `io` when it cannot, or when its mode lets
// others in and cannot be narrowed.
base::Result<void> PreparePrivateFolder(const std::string& folder);

// The 32 bytes of `<folder>/telegram-buttons.key`, made exclusively with mode 0600 at the first
// use. `io` for a key of another length or with a wider mode.
base::Result<base::Secret> ButtonKey(const std::string& folder, base::Random& random);

// The lock of the listener: held as long as this object and its process live.
class ListenerLock {
 public:
  // `telegram-poller-running` names the process that holds it. A dead holder's lock is free.
  static base::Result<ListenerLock> Take(const std::string& folder);

 private:
  explicit ListenerLock(base::Descriptor file) : file_(std::move(file)) {}
  base::Descriptor file_;
};

}  // namespace approval::telegram
