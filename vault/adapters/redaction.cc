#include "vault/adapters/redaction.h"

#include <algorithm>

#include "core/base/encoding.h"

namespace approval::adapters {

void Redaction::Add(std::string_view secret) {
  if (secret.empty()) return;
  std::string escaped = base::ToText(base::Json(secret));
  std::vector<base::Secret> forms;
  forms.emplace_back(secret);
  forms.emplace_back(base::Base64Encode(secret));
  forms.emplace_back(base::Base64UrlEncode(secret));
  forms.emplace_back(base::PercentEncode(secret, "-._~"));
  forms.emplace_back(std::string_view(escaped).substr(1, escaped.size() - 2));
  base::Wipe(escaped);
  for (base::Secret& form : forms) {
    const bool known = std::any_of(secrets_.begin(), secrets_.end(), [&](const auto& other) {
      return other.Reveal() == form.Reveal();
    });
    if (!known) secrets_.push_back(std::move(form));
  }
  std::stable_sort(secrets_.begin(), secrets_.end(), [](const auto& a, const auto& b) {
    return a.Reveal().size() > b.Reveal().size();
  });
}

std::string Redaction::Text(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto found = std::find_if(secrets_.begin(), secrets_.end(), [&](const auto& secret) {
      return text.substr(at, secret.Reveal().size()) == secret.Reveal();
    });
    if (found == secrets_.end()) {
      out.push_back(text[at++]);
      continue;
    }
    out += "[redacted]";
    at += found->Reveal().size();
    ++hits_;
  }
  return out;
}

base::Json Redaction::Value(const base::Json& value) {
  if (const auto* text = value.if_string()) {
    return base::Json(Text(std::string_view(text->data(), text->size())));
  }
  if (const base::JsonArray* list = value.if_array()) {
    base::JsonArray out;
    for (const base::Json& item : *list) out.push_back(Value(item));
    return out;
  }
  if (const base::JsonObject* object = value.if_object()) {
    base::JsonObject out;
    for (const auto& member : *object) out[Text(member.key())] = Value(member.value());
    return out;
  }
  return value;
}

}  // namespace approval::adapters
