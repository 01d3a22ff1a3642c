#include "tests/fuzz/page_reader.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace approval::fuzz {
namespace {

constexpr std::array<std::pair<std::string_view, char>, 5> kEntities = {
    {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&#39;", '\''}}};

class Reader {
 public:
  explicit Reader(std::string_view html) : rest_(html) {}

  ReadPage Run() {
    while (!rest_.empty() && out_.fault.empty()) {
      if (rest_.front() == '<') {
        Tag();
      } else {
        Character();
      }
    }
    if (out_.fault.empty() && !stack_.empty()) out_.fault = "an element that is never closed";
    return std::move(out_);
  }

 private:
  std::optional<char> Entity() {
    for (const auto& [spelled, value] : kEntities) {
      if (!rest_.starts_with(spelled)) continue;
      rest_.remove_prefix(spelled.size());
      return value;
    }
    return std::nullopt;
  }

  void Character() {
    char c = rest_.front();
    if (c == '&') {
      const auto entity = Entity();
      if (!entity) {
        out_.fault = "a bare &";
        return;
      }
      c = *entity;
    } else {
      if (c == '>') out_.fault = "a bare >";
      rest_.remove_prefix(1);
    }
    out_.text.push_back(c);
    if (in_line_) out_.regions.back().back().push_back(c);
  }

  void Tag() {
    const std::string_view at = rest_;
    if (at.starts_with("<!doctype html>")) {
      rest_.remove_prefix(15);
      return;
    }
    rest_.remove_prefix(1);
    const bool closes = rest_.starts_with('/');
    if (closes) rest_.remove_prefix(1);
    const std::size_t end = rest_.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789");
    if (end == 0 || end == std::string_view::npos) {
      out_.fault = "a bare <";
      return;
    }
    const std::string name(rest_.substr(0, end));
    rest_.remove_prefix(end);
    std::string kind;
    while (rest_.starts_with(' ')) {
      if (std::string fault = Attribute(kind); !fault.empty()) {
        out_.fault = std::move(fault);
        return;
      }
    }
    if (!rest_.starts_with('>')) {
      out_.fault = "a tag that does not end";
      return;
    }
    rest_.remove_prefix(1);
    closes ? Close(name) : Open(name, kind);
  }

  // A name, or a name with a quoted value; `kind` gets the value of `class`.
  std::string Attribute(std::string& kind) {
    rest_.remove_prefix(1);
    const std::size_t end = rest_.find_first_not_of("abcdefghijklmnopqrstuvwxyz-");
    if (end == 0 || end == std::string_view::npos) return "an attribute without a name";
    const std::string_view name = rest_.substr(0, end);
    rest_.remove_prefix(end);
    if (!rest_.starts_with('=')) return "";
    rest_.remove_prefix(1);
    if (!rest_.starts_with('"')) return "a value without quotes";
    rest_.remove_prefix(1);
    std::string value;
    while (!rest_.empty() && rest_.front() != '"') {
      if (rest_.front() == '<') return "markup inside a value";
      if (rest_.front() == '&') {
        const auto entity = Entity();
        if (!entity) return "a bare & in a value";
        value.push_back(*entity);
        continue;
      }
      value.push_back(rest_.front());
      rest_.remove_prefix(1);
    }
    if (rest_.empty()) return "a value that does not end";
    rest_.remove_prefix(1);
    if (name == "class") kind = value;
    return "";
  }

  void Open(const std::string& name, const std::string& kind) {
    constexpr std::array<std::string_view, 5> kVoid = {"meta", "link", "input", "br", "hr"};
    if (std::find(kVoid.begin(), kVoid.end(), name) != kVoid.end()) return;
    if (kind == "bytes") out_.regions.emplace_back();
    if (name == "span" && !stack_.empty() && stack_.back().second == "bytes") {
      out_.regions.back().emplace_back();
      in_line_ = true;
    } else if (in_line_) {
      out_.fault = "markup inside a line of bytes";
    }
    stack_.emplace_back(name, kind);
  }

  void Close(const std::string& name) {
    if (stack_.empty() || stack_.back().first != name) {
      out_.fault = "an end that ends nothing: " + name;
      return;
    }
    stack_.pop_back();
    in_line_ = false;
  }

  std::string_view rest_;
  ReadPage out_;
  std::vector<std::pair<std::string, std::string>> stack_;  // name and class
  bool in_line_ = false;
};

}  // namespace

ReadPage ReadHtml(std::string_view html) { return Reader(html).Run(); }

}  // namespace approval::fuzz
