// Random payloads of every shape and a ready request, for tests of blocks and cards.
#pragma once

#include <string>

#include "core/base/canonical.h"
#include "core/base/encoding.h"
#include "core/base/sha256.h"
#include "core/gate/request_model.h"
#include "tests/render/random_text.h"

namespace approval::render {

inline base::Json Parsed(std::string_view text) {
  return *base::ParseJson(text, base::kStrictJson);
}

// Short values out of a small alphabet, so that near collisions happen often.
class RandomPayload {
 public:
  explicit RandomPayload(std::uint32_t seed) : random_(seed) {}
  // Of a fuzzer: the first byte chooses the shape, values are any texts.
  explicit RandomPayload(RandomText random) : random_(std::move(random)) {}

  base::Json Next() {
    switch (random_.Below(10)) {
      case 0:
        return Email();
      case 1:
        return base::JsonObject{{"command", Value()}, {"cwd", Value()}};
      case 2:
        return Argv();
      case 3:
        return FileChange();
      case 4:
        return base::Json(Value());
      case 5:
        return Draft();
      case 6:
        return Http();
      case 7:
        return Post();
      case 8:
        return Binary();
      default:
        return Opaque(3);
    }
  }

 private:
  std::string Value() {
    if (random_.HasBytes()) return random_.Text(255);
    static const std::string kParts[] = {"",   "a",    "b",    ", ",       "\"",        "(absent)",
                                         "\n", "\\n",  "│ a",  "to 1: ",   "list of 1", "\t",
                                         " ",  "body", "→   ", "«U+0041»", "⏎",         "\u202E",
                                         "\r", "+",    "-",    "@@",       "(empty)",   "\\"};
    // Mostly one of three, so that payloads that differ in one place only are often drawn.
    if (random_.Below(4) != 0) return std::string(1, "ab\n"[random_.Below(3)]);
    std::string out;
    for (std::size_t i = random_.Below(4); i > 0; --i) out += kParts[random_.Below(24)];
    return out;
  }

  base::JsonArray List() {
    base::JsonArray list;
    for (std::size_t i = random_.Below(3); i > 0; --i) list.emplace_back(Value());
    return list;
  }

  bool Coin() { return random_.Below(2) == 0; }

  base::Json Email() {
    base::JsonObject email{{"subject", Value()}, {"body", Value()}};
    if (Coin()) {
      email["to"] = List();
    } else {
      email["to"] = Value();
    }
    for (const char* key :
         {"from", "content_type", "from_name", "reply_to", "in_reply_to", "html"}) {
      if (random_.Below(4) == 0) email[key] = Value();
    }
    if (random_.Below(4) == 0) email["references"] = List();
    if (random_.Below(4) == 0) email["attachments"] = Attachments();
    if (random_.Below(4) == 0 && email["to"].is_string()) {
      email["names"] = base::JsonObject{{email["to"].get_string(), Value()}};
    }
    for (const char* key : {"cc", "bcc"}) {
      if (random_.Below(4) == 0) email[key] = List();
    }
    return email;
  }

  base::Json Draft() {
    base::JsonObject draft{
        {"inbox_id", Value()}, {"draft_id", Value()}, {"subject", Value()}, {"text", Value()}};
    draft["to"] = Coin() ? base::Json(List()) : base::Json(Value());
    for (const char* key : {"cc", "bcc"}) {
      if (random_.Below(4) == 0) draft[key] = List();
    }
    return draft;
  }

  base::Json Http() {
    static const std::string kUrls[] = {"",          "a",           "://",        "http://a",
                                        "http://a/", "http://a:/b", "http://b@a", "http://a\\b"};
    base::JsonObject request{{"method", Coin() ? "GET" : "PUT"}};
    request["url"] = kUrls[random_.Below(8)] + (Coin() ? Value() : "");
    if (Coin()) request["body"] = Value();
    if (Coin()) return request;
    base::JsonObject headers;
    for (const char* name : {"A", "B"}) {
      if (Coin()) headers[name] = Value();
    }
    request["headers"] = headers;
    return request;
  }

  base::Json Post() {
    base::JsonObject post{{"body", Value()}};
    post[Coin() ? "room_id" : "thread_id"] = Value();
    for (const char* key : {"environment", "operation", "title"}) {
      if (random_.Below(4) == 0) post[key] = Value();
    }
    if (Coin()) post["tags"] = List();
    if (Coin()) post["metadata"] = Opaque(1);
    if (Coin()) return post;
    base::JsonArray references;
    for (std::size_t i = random_.Below(3); i > 0; --i) {
      base::JsonObject reference{{"target", Value()}};
      for (const char* key : {"kind", "label", "relationship"}) {
        if (random_.Below(4) == 0) reference[key] = Value();
      }
      references.push_back(std::move(reference));
    }
    post["references"] = references;
    return post;
  }

  base::Json Binary() {
    base::JsonObject binary{{"base64", base::Base64Encode(Value())}};
    for (const char* key : {"name", "media_type"}) {
      if (Coin()) binary[key] = Value();
    }
    return binary;
  }

  base::JsonArray Attachments() {
    base::JsonArray list;
    for (std::size_t i = random_.Below(3); i > 0; --i) {
      base::JsonObject it{{"name", Value()}, {"type", Value()}};
      if (Coin()) {
        const std::string bytes = Value();
        it["base64"] = base::Base64Encode(bytes);
        if (Coin()) it["size"] = bytes.size();
        if (Coin()) it["sha256"] = base::Sha256Hex(bytes);
      } else {
        it["path"] = Value();
        it["size"] = static_cast<std::int64_t>(random_.Below(3));
        it["sha256"] = std::string(64, Coin() ? 'a' : 'b');
      }
      list.push_back(std::move(it));
    }
    return list;
  }

  base::Json Argv() {
    base::JsonObject argv{{"argv", List()}, {"cwd", Value()}};
    if (!Coin()) return argv;
    base::JsonArray files;
    for (std::size_t i = random_.Below(2); i > 0; --i) {
      files.push_back(base::JsonObject{{"path", Value()},
                                       {"size", static_cast<std::int64_t>(random_.Below(3))},
                                       {"sha256", std::string(64, Coin() ? 'a' : 'b')}});
    }
    argv["files"] = files;
    return argv;
  }

  std::string LinesOfText() {
    if (random_.HasBytes() && Coin()) return Value();
    std::string out;
    for (std::size_t i = random_.Below(14); i > 0; --i) {
      out += "abc"[random_.Below(3)];
      if (random_.Below(3) != 0) out += "\n";
    }
    return out;
  }

  base::Json FileChange() {
    base::JsonObject change{{"file", Value()}};
    if (Coin()) {
      change["content"] = LinesOfText();
    } else {
      change["before"] = LinesOfText();
      change["after"] = LinesOfText();
    }
    if (Coin()) change["rule"] = Coin() ? "protected-path" : Value();
    if (Coin()) change["replace_all"] = Coin();
    return change;
  }

  base::Json Opaque(int depth) {
    switch (random_.Below(depth > 0 ? 7 : 5)) {
      case 0:
        return nullptr;
      case 1:
        return Coin();
      case 2:
        return static_cast<std::int64_t>(random_.Below(3));
      case 3:
        return static_cast<double>(random_.Below(3)) / 2;
      case 4:
        return base::Json(Value());
      case 5: {
        base::JsonArray list;
        for (std::size_t i = random_.Below(3); i > 0; --i) list.push_back(Opaque(depth - 1));
        return list;
      }
      default: {
        base::JsonObject object;
        for (std::size_t i = random_.Below(3); i > 0; --i) object[Value()] = Opaque(depth - 1);
        return object;
      }
    }
  }

  RandomText random_;
};

inline constexpr std::int64_t kTestNow = 1'787'745'600'000;  // 2026-08-26T12:00:00Z

// A manual, attested request with nothing odd about it but its payload.
inline gate::RequestModel RequestFor(const base::Json& payload,
                                     std::string action_class = "communicate.email.external") {
  gate::RequestModel request;
  request.action_key = {"task-101:a", "log"};
  request.task = {"task-101", "log"};
  request.action_class = {std::move(action_class), "log"};
  request.autonomy = {"manual", "policy-match"};
  request.provenance = {"rule", "policy-match"};
  request.state = {"requested", "log"};
  request.requester = {"agent:drafter", "log"};
  request.waiting = {{"2026-08-26T11:55:00.000Z", kTestNow - 300'000, kTestNow + 11'400'000, true},
                     "clock"};
  request.ttl_remaining_ms = {11'400'000, "clock"};
  request.attestation = {{gate::AttestationView::Status::kAttested, 1}, "attestation"};
  request.budgets = {{{"daily_usd", "class", "rolling-24h", 0, 20'000, 4'980'000, true, {}}},
                     "budgets"};
  request.chain = {{3, std::string(64, 'c'), 3}, "log"};
  request.reversible = {false, "log"};
  const std::string text = base::Canonicalize(payload).value_or("");
  const std::string hash = base::CanonicalHash(payload).value_or("");
  request.payload_hash = {hash, "log"};
  request.payload = {{payload, text, hash}, "payload-binding"};
  request.summary = {"Send the deposit chaser", "agent:drafter"};
  request.est_cost = {20'000, "agent:drafter"};
  return request;
}

}  // namespace approval::render
