// The text of a service definition that runs `approval up` (surfaces.md 14.3, adapters.md 7.5).
//
// Pure. Paths are absolute and hold neither a quote nor a line end; WhyNotPath says so before. No
// secret stands in the text: the shell it starts reads the source map, or a file of the person's.
#pragma once

#include <optional>
#include <string>

namespace approval::gateway::setup {

struct ServiceDefinition {
  std::string label;
  std::string folder;    // of the project
  std::string program;   // `approval`
  std::string logs;      // folder of the output files
  std::string env_file;  // empty: `eval "$(approval env)"`
};

std::string SystemdUnit(const ServiceDefinition& service);
std::string LaunchdPlist(const ServiceDefinition& service);

// Why this path cannot stand in a definition; nothing when it can.
std::optional<std::string> WhyNotPath(const std::string& path);

// Letters, digits, dots, dashes and underscores.
bool IsLabel(const std::string& label);

}  // namespace approval::gateway::setup
