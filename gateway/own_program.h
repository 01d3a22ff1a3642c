// Where the running program lies, and the `approval` that belongs to it.
#pragma once

#include <string>

namespace approval::gateway {

// The folder of the running executable; "." when /proc does not tell.
std::string OwnFolder();

// The fast program of this installation: beside the running one in a build folder, else where
// `cmake --install` puts it. Empty when neither is there.
std::string OwnApproval();

// The other program, in the same two places; the first that exists.
std::string OwnGateway();

}  // namespace approval::gateway
