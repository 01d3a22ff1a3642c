#include "core/base/random.h"

#include <openssl/rand.h>

#include <cstdlib>

namespace approval::base {

std::string SystemRandom::Bytes(std::size_t count) {
  std::string out(count, '\0');
  if (RAND_bytes(reinterpret_cast<unsigned char*>(out.data()), static_cast<int>(count)) != 1) {
    std::abort();
  }
  return out;
}

}  // namespace approval::base
