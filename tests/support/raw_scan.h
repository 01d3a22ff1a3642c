// Looks at what a program showed: nothing that cannot be seen, turns the direction or acts on a
// terminal may stand in it raw (channels.md 2.9).
#pragma once

#include <string>
#include <string_view>

namespace approval::testing {

// What may not stand raw on any surface: ill-formed UTF-8, controls but line feeds, what cannot be
// seen or turns the direction, odd spaces, stacked marks. An empty text when all is well.
std::string RawFault(std::string_view shown);

// The same for the output of one of our programs: JSON lines are exempt, they hold canonical bytes;
// tabs are columns of ours.
std::string RawFaultOfOutput(std::string_view output);

// The same for a terminal's bytes: the sequences that our programs write, and no others, are taken
// out first.
std::string RawFaultOfTerminal(std::string_view bytes);

}  // namespace approval::testing
