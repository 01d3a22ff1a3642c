#include "render/line_diff.h"

#include <algorithm>
#include <cstdint>

namespace approval::render {
namespace {

using Lines = std::vector<std::string_view>;

class Differ {
 public:
  Differ(const Lines& before, const Lines& after) : before_(before), after_(after) {}

  std::vector<DiffLine> Run() {
    const std::size_t shorter = std::min(before_.size(), after_.size());
    std::size_t head = 0;
    while (head < shorter && before_[head] == after_[head]) ++head;
    std::size_t tail = 0;
    while (tail < shorter - head &&
           before_[before_.size() - 1 - tail] == after_[after_.size() - 1 - tail]) {
      ++tail;
    }
    while (old_ < head) Keep();
    Middle(before_.size() - tail, after_.size() - tail);
    while (old_ < before_.size()) Keep();
    return std::move(out_);
  }

 private:
  void Middle(std::size_t old_end, std::size_t new_end) {
    const std::size_t rows = old_end - old_;
    const std::size_t columns = new_end - new_;
    const bool exact = rows != 0 && columns <= kMaxDiffCells / rows;
    if (exact) Aligned(old_end, new_end);
    while (old_ < old_end) Remove();
    while (new_ < new_end) Add();
  }

  // Walks a table of the lengths of common subsequences of the rests.
  void Aligned(std::size_t old_end, std::size_t new_end) {
    const std::size_t old_start = old_;
    const std::size_t new_start = new_;
    const std::size_t width = new_end - new_start + 1;
    std::vector<std::uint32_t> length((old_end - old_start + 1) * width, 0);
    const auto cell = [&](std::size_t i, std::size_t j) -> std::uint32_t& {
      return length[(i - old_start) * width + (j - new_start)];
    };
    for (std::size_t i = old_end; i-- > old_start;) {
      for (std::size_t j = new_end; j-- > new_start;) {
        cell(i, j) = before_[i] == after_[j] ? cell(i + 1, j + 1) + 1
                                             : std::max(cell(i + 1, j), cell(i, j + 1));
      }
    }
    while (old_ < old_end && new_ < new_end) {
      if (before_[old_] == after_[new_]) {
        Keep();
      } else if (cell(old_ + 1, new_) >= cell(old_, new_ + 1)) {
        Remove();
      } else {
        Add();
      }
    }
  }

  void Keep() { Push(Edit::kKeep, before_[old_], 1, 1); }
  void Remove() { Push(Edit::kRemove, before_[old_], 1, 0); }
  void Add() { Push(Edit::kAdd, after_[new_], 0, 1); }

  void Push(Edit edit, std::string_view text, std::size_t old_step, std::size_t new_step) {
    out_.push_back({edit, text, old_ + 1, new_ + 1});
    old_ += old_step;
    new_ += new_step;
  }

  const Lines& before_;
  const Lines& after_;
  std::size_t old_ = 0;
  std::size_t new_ = 0;
  std::vector<DiffLine> out_;
};

}  // namespace

std::vector<std::string_view> SplitLines(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::vector<DiffLine> DiffLines(std::string_view before, std::string_view after) {
  const Lines old_lines = SplitLines(before);
  const Lines new_lines = SplitLines(after);
  return Differ(old_lines, new_lines).Run();
}

}  // namespace approval::render
