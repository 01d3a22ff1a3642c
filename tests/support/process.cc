#include "tests/support/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

#include "tests/support/raw_scan.h"

namespace approval::testing {
namespace {

struct Pipe {
  Pipe() {
    if (::pipe2(ends, O_CLOEXEC) != 0) ::abort();
  }
  ~Pipe() {
    CloseRead();
    CloseWrite();
  }
  void CloseRead() { Close(ends[0]); }
  void CloseWrite() { Close(ends[1]); }
  static void Close(int& fd) {
    if (fd >= 0) ::close(fd);
    fd = -1;
  }
  int ends[2] = {-1, -1};
};

// Reads what is there; false at the end.
bool Drain(int fd, std::string& into) {
  std::array<char, 65536> block{};
  const ssize_t got = ::read(fd, block.data(), block.size());
  if (got > 0) into.append(block.data(), static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && errno == EINTR);
}

}  // namespace

std::vector<std::string> ChildEnvironment(const RunOptions& options) {
  std::vector<std::string> entries;
  for (char** at = ::environ; at != nullptr && *at != nullptr; ++at) {
    const std::string_view entry(*at);
    const std::string name(entry.substr(0, entry.find('=')));
    if (name.rfind("APPROVAL_", 0) == 0 || options.environment.contains(name)) continue;
    entries.emplace_back(entry);
  }
  for (const auto& [name, value] : options.environment) entries.push_back(name + "=" + value);
  return entries;
}

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

std::string ApprovalProgram() { return std::string(APPROVAL_BIN_DIR) + "/approval"; }

RunResult RunProcess(const std::vector<std::string>& argv, const RunOptions& options) {
  Pipe in;
  Pipe out;
  Pipe err;
  const std::vector<std::string> environment = ChildEnvironment(options);
  std::vector<char*> argv_pointers = Pointers(argv);
  std::vector<char*> env_pointers = Pointers(environment);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(in.ends[0], STDIN_FILENO);
    ::dup2(out.ends[1], STDOUT_FILENO);
    ::dup2(err.ends[1], STDERR_FILENO);
    if (::chdir(options.folder.c_str()) != 0) ::_exit(126);
    ::execvpe(argv_pointers[0], argv_pointers.data(), env_pointers.data());
    ::_exit(127);
  }
  in.CloseRead();
  out.CloseWrite();
  err.CloseWrite();
  ::signal(SIGPIPE, SIG_IGN);
  std::string_view left = options.input;
  while (!left.empty()) {
    const ssize_t put = ::write(in.ends[1], left.data(), left.size());
    if (put <= 0) break;
    left.remove_prefix(static_cast<std::size_t>(put));
  }
  in.CloseWrite();
  RunResult result;
  while (out.ends[0] >= 0 || err.ends[0] >= 0) {
    std::array<pollfd, 2> waits = {pollfd{out.ends[0], POLLIN, 0}, pollfd{err.ends[0], POLLIN, 0}};
    if (::poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR) break;
    if (waits[0].revents != 0 && !Drain(out.ends[0], result.out)) out.CloseRead();
    if (waits[1].revents != 0 && !Drain(err.ends[0], result.err)) err.CloseRead();
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.exit = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return result;
}

RunResult RunApproval(std::vector<std::string> words, const RunOptions& options) {
  // Words of the project's own are not what these pass on.
  const bool foreign = std::find(words.begin(), words.end(), "--") != words.end() ||
                       (words.size() > 1 && (words[1] == "export" || words[1] == "get"));
  words.insert(words.begin(), ApprovalProgram());
  RunResult result = RunProcess(words, options);
  for (const std::string* shown : {&result.out, &result.err}) {
    const std::string fault = foreign ? "" : RawFaultOfOutput(*shown);
    if (!fault.empty()) ADD_FAILURE() << "raw output of " << words.at(1) << ": " << fault;
  }
  return result;
}

}  // namespace approval::testing
