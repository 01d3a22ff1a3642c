// One fuzz target: APPROVAL_FUZZ_CHECK names the check of checks.h that it runs.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(data, data + size);
  const std::string fault = approval::fuzz::APPROVAL_FUZZ_CHECK(bytes);
  if (fault.empty()) return 0;
  std::fprintf(stderr, "fault: %s\n", fault.c_str());
  std::abort();
}
