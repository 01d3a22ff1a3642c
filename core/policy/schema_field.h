// One place in a parsed policy, read with its checks; what is wrong there goes into a report.
//
// A getter on an absent field answers nothing and reports nothing; on a present field of the wrong
// shape it answers nothing and reports why. Fields refer into the parsed value and the report,
// which must outlive them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/base/money.h"

namespace approval::policy {

class SchemaReport {
 public:
  void Add(std::string_view path, std::string_view keyword, std::string_view message);
  bool empty() const { return errors_.empty(); }
  const base::JsonArray& errors() const { return errors_; }

 private:
  base::JsonArray errors_;
};

struct NumberRange {
  double low;
  double high;
  bool low_is_excluded = false;
};

class Field {
 public:
  Field(const base::Json* value, std::string path, SchemaReport& report)
      : value_(value), path_(std::move(path)), report_(&report) {}

  bool present() const { return value_ != nullptr; }
  const base::Json* value() const { return value_; }
  const std::string& path() const { return path_; }

  // A map with no other members than `names`; unknown ones are reported, the known still readable.
  const base::JsonObject* Map(std::initializer_list<std::string_view> names) const;
  const base::JsonObject* OpenMap() const;
  const base::JsonArray* List() const;

  // The member of a map, absent when there is none or this is no map.
  Field At(std::string_view name) const;
  Field At(std::size_t index) const;

  void Require(std::string_view name) const;

  std::optional<std::string> Text() const;  // not empty
  std::optional<bool> Flag() const;
  std::optional<double> Number(const NumberRange& range) const;
  std::optional<std::int64_t> Integer(std::int64_t low, std::int64_t high) const;
  std::optional<std::int64_t> DurationMs() const;
  // The index of the text in `choices`.
  std::optional<std::size_t> Choice(std::initializer_list<std::string_view> choices) const;
  // No entry twice, none empty.
  std::optional<std::vector<std::string>> Texts(bool may_be_empty) const;

  void Report(std::string_view keyword, std::string_view message) const {
    report_->Add(path_, keyword, message);
  }

 private:
  const base::Json* value_;
  std::string path_;
  SchemaReport* report_;
};

// The text of a JSON string, whole.
std::string_view TextOf(const base::Json& value);

}  // namespace approval::policy
