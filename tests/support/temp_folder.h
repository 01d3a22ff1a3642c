// A folder that lives as long as a test and is removed with all it holds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace approval::testing {

class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string Path(std::string_view name) const;

  // Writes a file, making its folders.
  void Write(std::string_view name, std::string_view bytes) const;

  // Names directly inside, sorted.
  std::vector<std::string> Names() const;

 private:
  std::string path_;
};

}  // namespace approval::testing
