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

// The environment and argument vectors that both ways of starting a program use. Pointers are valid
// as long as the texts.
std::vector<std::string> ChildEnvironment(const RunOptions& options);
std::vector<char*> Pointers(const std::vector<std::string>& texts);

// The built `approval`.
std::string ApprovalProgram();

// The built `approval` with these words behind its name. What it showed in words is looked through
// for raw controls (raw_scan.h), in every test; what it passes on from others is not.
RunResult RunApproval(std::vector<std::string> words, const RunOptions& options = {});

}  // namespace approval::testing
