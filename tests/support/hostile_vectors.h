// The hostile inputs of the shared vectors, expanded.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "core/base/encoding.h"
#include "core/base/json.h"
#include "tests/support/vectors.h"

namespace approval::testing {

struct HostileInput {
  std::string id;           // HV-001
  std::string form;         // payload, raw-json, strings, http, log-mutation
  std::string treat;        // the treatment that it should get
  base::JsonObject index;   // its entry of index.json
  base::JsonObject vector;  // its file
  base::Json payload{};     // of the form payload
  std::string bytes{};      // of the form raw-json
};

inline std::string TextOf(const base::Json& value) { return std::string(value.get_string()); }

// Parts are [text, times, "index"?]; `{i}` is then 0, 1, 2 and so on.
inline std::string JoinedParts(const base::Json& parts) {
  std::string out;
  for (const base::Json& part : parts.get_array()) {
    const base::JsonArray& fields = part.get_array();
    const bool counted = fields.size() > 2;
    for (std::int64_t i = 0; i < *base::AsInteger(fields.at(1)); ++i) {
      std::string text = TextOf(fields.at(0));
      for (std::size_t at = text.find("{i}"); counted && at != std::string::npos;
           at = text.find("{i}")) {
        text.replace(at, 3, std::to_string(i));
      }
      out += text;
    }
  }
  return out;
}

inline std::vector<HostileInput> HostileInputs(const std::string& form) {
  std::vector<HostileInput> out;
  const auto folder = VectorsDir() / "hostile";
  const base::Json index = ReadJsonFile(folder / "index.json");
  for (const base::Json& entry : index.at("vectors").get_array()) {
    HostileInput input{TextOf(entry.at("id")), TextOf(entry.at("form")), TextOf(entry.at("treat")),
                       entry.get_object(),
                       ReadJsonFile(folder / TextOf(entry.at("file"))).get_object()};
    if (input.form != form) continue;
    if (const base::Json* payload = input.vector.if_contains("payload")) {
      input.payload = *payload;
      if (const base::Json* expand = input.vector.if_contains("expand")) {
        for (const base::Json& change : expand->get_array()) {
          boost::json::error_code error;
          base::Json* target = input.payload.find_pointer(TextOf(change.at("path")), error);
          if (target != nullptr) *target = JoinedParts(change.at("parts"));
        }
      }
    }
    if (const base::Json* parts = input.vector.if_contains("raw_parts")) {
      input.bytes = JoinedParts(*parts);
    }
    if (const base::Json* raw = input.vector.if_contains("raw_b64")) {
      input.bytes = base::Base64Decode(TextOf(*raw)).value_or("");
    }
    out.push_back(std::move(input));
  }
  return out;
}

// The one of this name; a test without it fails.
inline HostileInput HostileInputOf(const std::string& form, const std::string& id) {
  for (HostileInput& input : HostileInputs(form)) {
    if (input.id == id) return std::move(input);
  }
  ADD_FAILURE() << "no vector " << id;
  return {};
}

// The texts that a vector of the form `strings` tries.
inline std::vector<std::string> HostileStrings(const std::string& id) {
  std::vector<std::string> texts;
  const HostileInput input = HostileInputOf("strings", id);
  const base::Json* list = input.vector.if_contains("texts");
  if (list == nullptr) return texts;
  for (const base::Json& text : list->get_array()) texts.push_back(TextOf(text));
  return texts;
}

}  // namespace approval::testing
