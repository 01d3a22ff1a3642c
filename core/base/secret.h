// A value that must not leak: no stream operator, not copyable by accident, cleared on destruction.
//
// The bytes live in OpenSSL's secure heap: locked against paging, left out of core files, between
// guard pages. A machine that allows no locked memory, or a value that does not fit any more, gets
// ordinary memory, cleared all the same. What a Secret is made from is the caller's to clear;
// a string that is handed over is cleared here. Reveal() is the only way to the bytes; unless it
// is empty, a NUL that is not part of it follows them, and the view dies with the Secret. Copies
// are explicit.
#pragma once

#include <string>
#include <string_view>

namespace approval::base {

class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string&& value);
  explicit Secret(std::string_view value);
  explicit Secret(const char* value) : Secret(std::string_view(value)) {}
  ~Secret() { Clear(); }
  Secret(const Secret&) = delete;
  Secret& operator=(const Secret&) = delete;
  Secret(Secret&& other) noexcept;
  Secret& operator=(Secret&& other) noexcept;

  Secret Copy() const { return Secret(Reveal()); }
  std::string_view Reveal() const { return {bytes_, size_}; }
  bool empty() const { return size_ == 0; }
  void Clear();

  // Whether the bytes are in locked memory, for diagnosis.
  bool locked() const;

 private:
  char* bytes_ = nullptr;
  std::size_t size_ = 0;
};

// Overwrites a string's whole buffer, also beyond its end, and empties it.
void Wipe(std::string& text);

// Takes this process out of core files and out of the reach of other processes of the same user
// (PR_SET_DUMPABLE). Programs it executes are not affected. Called once, by the programs.
void ForbidInspection();

}  // namespace approval::base
