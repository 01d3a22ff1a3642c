// Runs a real program as a user would and collects what it says.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace approval::testing {

struct RunResult {
  int exit = -1;  // 128 + signal when a signal ended it
  std::string out;
  std::string err;
};

struct RunOptions {
  std::string folder = ".";
  std::string input;
  std::map<std::string, std::string> environment;  // beside PATH, HOME, LANG and the like
};

// APPROVAL_* variables of the caller are not passed on.
RunResult RunProcess(const std::vector<std::string>& argv, const RunOptions& options = {});

// The built `approval`.
std::string ApprovalProgram();

}  // namespace approval::testing
