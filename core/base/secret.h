// A value that must not leak: no stream operator, not copyable by accident, cleared on destruction.
//
// Reveal() is the only way to the bytes; the view dies with the Secret. Copies are explicit.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace approval::base {

class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string value) : value_(std::move(value)) {}
  explicit Secret(std::string_view value) : value_(value) {}
  ~Secret();
  Secret(const Secret&) = delete;
  Secret& operator=(const Secret&) = delete;
  Secret(Secret&& other) noexcept;
  Secret& operator=(Secret&& other) noexcept;

  Secret Copy() const { return Secret(std::string_view(value_)); }
  std::string_view Reveal() const { return value_; }
  bool empty() const { return value_.empty(); }
  void Clear();

 private:
  std::string value_;
};

}  // namespace approval::base
