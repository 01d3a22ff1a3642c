// The keystore of this session from the command line, for tests:
//   keystore lookup <item> | store <item> (value on stdin) | reach
// Prints the value or the code; exit 0 or 1.
#include <cstdio>
#include <iostream>
#include <iterator>
#include <string>

#include "vault/secrets/keystore.h"

int main(int argc, char** argv) {
  const auto keystore = approval::secrets::SecretServiceKeystore(3'000);
  const std::string verb = argc > 1 ? argv[1] : "";
  const std::string item = argc > 2 ? argv[2] : "";
  const auto fail = [](const approval::base::Error& error) {
    std::cout << approval::base::Spelling(error.code) << ": " << error.message << "\n";
    return 1;
  };
  if (verb == "lookup") {
    const auto found = keystore->Lookup(item);
    if (!found) return fail(found.error());
    std::cout << found->Reveal() << "\n";
    return 0;
  }
  if (verb == "store") {
    const std::string value{std::istreambuf_iterator<char>(std::cin), {}};
    if (const auto done = keystore->Store(item, approval::base::Secret(std::string_view(value)));
        !done) {
      return fail(done.error());
    }
    return 0;
  }
  const auto reached = keystore->Reach();
  if (!reached) return fail(reached.error());
  std::cout << "reached\n";
  return 0;
}
