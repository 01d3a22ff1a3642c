#include "core/policy/schema_field.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/duration.h"

namespace approval::policy {
namespace {

std::string PointerStep(std::string_view name) {
  std::string out = "/";
  for (const char c : name) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string_view TextOf(const base::Json& value) {
  const boost::json::string& text = value.get_string();
  return {text.data(), text.size()};
}

void SchemaReport::Add(std::string_view path, std::string_view keyword, std::string_view message) {
  base::JsonObject error;
  error["path"] = boost::json::string_view(path.data(), path.size());
  error["keyword"] = boost::json::string_view(keyword.data(), keyword.size());
  error["message"] = boost::json::string_view(message.data(), message.size());
  errors_.push_back(std::move(error));
}

const base::JsonObject* Field::OpenMap() const {
  if (!present()) return nullptr;
  if (!value_->is_object()) {
    Report("type", "must be a map of keys and values");
    return nullptr;
  }
  return &value_->get_object();
}

const base::JsonObject* Field::Map(std::initializer_list<std::string_view> names) const {
  const base::JsonObject* map = OpenMap();
  if (map == nullptr) return nullptr;
  for (const auto& member : *map) {
    const std::string_view key(member.key().data(), member.key().size());
    if (std::find(names.begin(), names.end(), key) == names.end()) {
      Report("additionalProperties", fmt::format("has an unknown key \"{}\"", key));
    }
  }
  return map;
}

const base::JsonArray* Field::List() const {
  if (!present()) return nullptr;
  if (!value_->is_array()) {
    Report("type", "must be a list");
    return nullptr;
  }
  return &value_->get_array();
}

Field Field::At(std::string_view name) const {
  const base::JsonObject* map = present() ? value_->if_object() : nullptr;
  const base::Json* member = map == nullptr ? nullptr : map->if_contains(name);
  return {member, path_ + PointerStep(name), *report_};
}

Field Field::At(std::size_t index) const {
  const base::JsonArray* list = present() ? value_->if_array() : nullptr;
  const base::Json* item = list == nullptr ? nullptr : list->if_contains(index);
  return {item, path_ + "/" + std::to_string(index), *report_};
}

void Field::Require(std::string_view name) const {
  if (present() && value_->is_object() && !At(name).present()) {
    Report("required", fmt::format("needs the key \"{}\"", name));
  }
}

std::optional<std::string> Field::Text() const {
  if (!present()) return std::nullopt;
  if (!value_->is_string()) {
    Report("type", "must be text; put it in quotes");
    return std::nullopt;
  }
  const std::string_view text = TextOf(*value_);
  if (text.empty()) {
    Report("minLength", "must not be empty");
    return std::nullopt;
  }
  return std::string(text);
}

std::optional<bool> Field::Flag() const {
  if (!present()) return std::nullopt;
  if (!value_->is_bool()) {
    Report("type", "must be true or false");
    return std::nullopt;
  }
  return value_->get_bool();
}

std::optional<double> Field::Number(const NumberRange& range) const {
  if (!present()) return std::nullopt;
  const std::optional<double> number = base::AsDouble(*value_);
  if (!number || !std::isfinite(*number)) {
    Report("type", "must be a number");
    return std::nullopt;
  }
  if (range.low_is_excluded ? *number <= range.low : *number < range.low) {
    Report(range.low_is_excluded ? "exclusiveMinimum" : "minimum",
           fmt::format("must be {} {}", range.low_is_excluded ? "above" : "at least", range.low));
    return std::nullopt;
  }
  if (*number > range.high) {
    Report("maximum", fmt::format("must be at most {}", range.high));
    return std::nullopt;
  }
  return number;
}

std::optional<std::int64_t> Field::Integer(std::int64_t low, std::int64_t high) const {
  if (!present()) return std::nullopt;
  if (!base::IsIntegral(*value_)) {
    Report("type", "must be a whole number");
    return std::nullopt;
  }
  const auto number = Number({static_cast<double>(low), static_cast<double>(high)});
  if (!number) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

std::optional<std::int64_t> Field::DurationMs() const {
  if (!present()) return std::nullopt;
  if (!value_->is_string()) {
    Report("type", "must be a duration such as \"24h\"");
    return std::nullopt;
  }
  const std::string_view text = TextOf(*value_);
  if (!base::MatchesDurationPattern(text)) {
    Report("pattern", "must be a duration: a whole number and one of ms, s, m, h, d, w");
    return std::nullopt;
  }
  const std::optional<std::int64_t> ms = base::ParseDurationMs(text);
  if (!ms) Report("duration", "is longer than can be counted exactly");
  return ms;
}

std::optional<std::size_t> Field::Choice(std::initializer_list<std::string_view> choices) const {
  if (!present()) return std::nullopt;
  if (value_->is_string()) {
    const auto found = std::find(choices.begin(), choices.end(), TextOf(*value_));
    if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
  }
  Report("enum", fmt::format("must be one of: {}", fmt::join(choices, ", ")));
  return std::nullopt;
}

std::optional<std::vector<std::string>> Field::Texts(bool may_be_empty) const {
  const base::JsonArray* list = List();
  if (list == nullptr) return std::nullopt;
  if (list->empty() && !may_be_empty) {
    Report("minItems", "must hold at least one entry");
    return std::nullopt;
  }
  std::vector<std::string> out;
  for (std::size_t i = 0; i < list->size(); ++i) {
    std::optional<std::string> text = At(i).Text();
    if (!text) return std::nullopt;
    if (std::find(out.begin(), out.end(), *text) != out.end()) {
      Report("uniqueItems", "holds an entry twice");
      return std::nullopt;
    }
    out.push_back(std::move(*text));
  }
  return out;
}

}  // namespace approval::policy
