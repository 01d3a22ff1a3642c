#include "vault/vault_format.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <optional>

#include "core/base/canonical.h"
#include "core/base/encoding.h"
#include "core/base/json.h"
#include "vault/vault_crypto.h"

namespace approval::vault {
namespace {

using base::Code;
using base::Fail;
using base::Json;
using base::JsonObject;
using base::Result;

constexpr std::string_view kMalformed = "the vault file is damaged: ";
constexpr std::int64_t kMinN = 4096;
constexpr std::int64_t kMaxN = 1048576;
constexpr std::int64_t kMaxR = 32;
constexpr std::int64_t kMaxP = 16;

tl::unexpected<base::Error> Malformed(std::string_view what) {
  return Fail(Code::kVaultMalformed, std::string(kMalformed) + std::string(what));
}

// Leniently spelled base64 whose unused bits are zero, so that no altered spelling slips through.
std::optional<std::string> Decode(const JsonObject& object, std::string_view name) {
  const auto text = base::StringMember(object, name);
  if (!text) return std::nullopt;
  auto bytes = base::Base64Decode(*text);
  if (!bytes) return std::nullopt;
  std::string plain;
  for (const char c : *text) {
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '=') continue;
    plain.push_back(c == '-' ? '+' : c == '_' ? '/' : c);
  }
  std::string again = base::Base64Encode(*bytes);
  again.erase(std::find(again.begin(), again.end(), '='), again.end());
  if (plain != again) return std::nullopt;
  return bytes;
}

// A file that was cut off by a power loss comes back as zeros; random bytes never do.
bool AllZero(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) { return c == '\0'; });
}

bool IsPlausible(const std::optional<std::string>& bytes, std::size_t size) {
  return bytes && bytes->size() == size && !AllZero(*bytes);
}

std::optional<std::int64_t> Within(const JsonObject& object, std::string_view name,
                                   std::int64_t least, std::int64_t most) {
  const Json* member = object.if_contains(name);
  const auto number = member != nullptr ? base::AsInteger(*member) : std::nullopt;
  if (!number || *number < least || *number > most) return std::nullopt;
  return number;
}

struct Header {
  KdfHeader kdf;
  std::string nonce_b64;
  std::string salt, nonce, tag, ciphertext;
};

Result<Header> ReadHeader(const JsonObject& file) {
  Header header;
  const Json* kdf_member = file.if_contains("kdf");
  const JsonObject* kdf = kdf_member != nullptr ? kdf_member->if_object() : nullptr;
  if (kdf == nullptr) return Malformed("it names no key derivation");
  if (base::StringMember(*kdf, "alg") != std::string_view("scrypt")) {
    return Malformed("its key derivation is not scrypt");
  }
  const auto n = Within(*kdf, "N", kMinN, kMaxN);
  const auto r = Within(*kdf, "r", 1, kMaxR);
  const auto p = Within(*kdf, "p", 1, kMaxP);
  if (!n || !r || !p || (*n & (*n - 1)) != 0) {
    return Malformed("its scrypt numbers are out of bounds");
  }
  if (128 * *n * *r > kMaxKdfMemory) return Malformed("its scrypt numbers ask for too much memory");
  auto salt = Decode(*kdf, "salt_b64");
  auto nonce = Decode(file, "nonce_b64");
  auto tag = Decode(file, "tag_b64");
  auto ciphertext = Decode(file, "ciphertext_b64");
  if (!IsPlausible(salt, kSaltBytes)) return Malformed("its salt is not 16 random bytes");
  if (!IsPlausible(nonce, kNonceBytes)) return Malformed("its nonce is not 12 random bytes");
  if (!tag || tag->size() != kTagBytes) return Malformed("its tag is not 16 bytes");
  if (!ciphertext) return Malformed("its ciphertext is not base64");
  header.kdf = {*n, *r, *p, std::string(*base::StringMember(*kdf, "salt_b64"))};
  header.nonce_b64 = std::string(*base::StringMember(file, "nonce_b64"));
  header.salt = std::move(*salt);
  header.nonce = std::move(*nonce);
  header.tag = std::move(*tag);
  header.ciphertext = std::move(*ciphertext);
  return header;
}

JsonObject KdfJson(const KdfHeader& kdf) {
  return {{"alg", "scrypt"}, {"N", kdf.n}, {"r", kdf.r}, {"p", kdf.p}, {"salt_b64", kdf.salt_b64}};
}

Result<std::string> BoundHeader(const KdfHeader& kdf, const std::string& nonce_b64) {
  return base::Canonicalize(
      JsonObject{{"version", 1}, {"kdf", KdfJson(kdf)}, {"nonce_b64", nonce_b64}});
}

// JSON values do not wipe themselves.
void Wipe(Json& value) {
  if (boost::json::string* text = value.if_string()) {
    OPENSSL_cleanse(text->data(), text->size());
  } else if (JsonObject* object = value.if_object()) {
    for (auto& member : *object) Wipe(member.value());
  }
}

Result<Entries> ReadEntries(const base::Secret& plain) {
  auto parsed = base::ParseJson(plain.Reveal(), base::kLenientJson);
  JsonObject* object = parsed ? parsed->if_object() : nullptr;
  if (object == nullptr) {
    if (parsed) Wipe(*parsed);
    return Malformed("what it holds is not a map of names");
  }
  Entries entries;
  for (const auto& member : *object) {
    if (const auto* text = member.value().if_string()) {
      entries.insert_or_assign(std::string(member.key()),
                               base::Secret(std::string_view(text->data(), text->size())));
    }
  }
  Wipe(*parsed);
  return entries;
}

base::Secret WriteEntries(const Entries& entries) {
  JsonObject object;
  for (const auto& [name, value] : entries) object[name] = value.Reveal();
  Json document(std::move(object));
  base::Secret text(base::ToText(document));
  Wipe(document);
  return text;
}

}  // namespace

KdfHeader FreshHeader(base::Random& random) {
  KdfHeader header;
  header.n = kNewVaultN;
  header.salt_b64 = base::Base64Encode(random.Bytes(kSaltBytes));
  return header;
}

Result<base::Secret> DeriveVaultKey(const KdfHeader& kdf, const base::Secret& passphrase) {
  const auto salt = base::Base64Decode(kdf.salt_b64);
  std::optional<base::Secret> key;
  if (salt) {
    key = DeriveKey(passphrase, *salt, static_cast<std::uint64_t>(kdf.n),
                    static_cast<std::uint64_t>(kdf.r), static_cast<std::uint64_t>(kdf.p));
  }
  if (!key) {
    return Fail(Code::kVaultWriteFailed,
                "the vault's key cannot be derived: this machine refuses the memory for it");
  }
  return std::move(*key);
}

Result<Opened> OpenVaultText(std::string_view text, const base::Secret& passphrase) {
  const auto parsed = base::ParseJson(text, base::kLenientJson);
  const JsonObject* file = parsed ? parsed->if_object() : nullptr;
  if (file == nullptr) return Malformed("it is not a JSON object");
  const Json* version = file->if_contains("version");
  if (version == nullptr || base::AsInteger(*version) != std::int64_t{1}) {
    return Fail(Code::kVaultVersionUnsupported,
                "the vault is of a version that this program does not know; it was left as it is");
  }
  auto header = ReadHeader(*file);
  if (!header) return tl::unexpected(header.error());
  const auto bound = BoundHeader(header->kdf, header->nonce_b64);
  auto key = DeriveVaultKey(header->kdf, passphrase);
  std::optional<base::Secret> plain;
  if (bound && key) plain = Decrypt(*key, header->nonce, header->tag, *bound, header->ciphertext);
  if (!plain) {
    return Fail(Code::kVaultUnreadable,
                "the vault does not open: the passphrase is not the one it was sealed with, or the "
                "file was altered; it was left as it is");
  }
  auto entries = ReadEntries(*plain);
  if (!entries) return tl::unexpected(entries.error());
  return Opened{std::move(header->kdf), std::move(*entries), std::move(*key)};
}

Result<std::string> SealVaultText(const KdfHeader& kdf, const Entries& entries,
                                  const base::Secret& key, base::Random& random) {
  const std::string nonce = random.Bytes(kNonceBytes);
  const std::string nonce_b64 = base::Base64Encode(nonce);
  const auto bound = BoundHeader(kdf, nonce_b64);
  std::optional<Encrypted> sealed;
  if (bound) sealed = Encrypt(key, nonce, *bound, WriteEntries(entries));
  if (!sealed) return Fail(Code::kVaultWriteFailed, "the vault could not be encrypted");
  // Two-space indentation, by hand: strings are base64 or the file's own salt, so only the salt
  // needs JSON's escapes.
  return "{\n  \"version\": 1,\n  \"kdf\": {\n    \"alg\": \"scrypt\",\n    \"N\": " +
         std::to_string(kdf.n) + ",\n    \"r\": " + std::to_string(kdf.r) +
         ",\n    \"p\": " + std::to_string(kdf.p) +
         ",\n    \"salt_b64\": " + base::ToText(Json(kdf.salt_b64)) +
         "\n  },\n  \"nonce_b64\": \"" + nonce_b64 + "\",\n  \"tag_b64\": \"" +
         base::Base64Encode(sealed->tag) + "\",\n  \"ciphertext_b64\": \"" +
         base::Base64Encode(sealed->ciphertext) + "\"\n}\n";
}

}  // namespace approval::vault
