#include "vault/adapters/redaction.h"

#include <gtest/gtest.h>

#include "core/base/encoding.h"

namespace approval::adapters {
namespace {

TEST(Redaction, EveryOccurrenceGoesAlsoInsideWordsAndIsCounted) {
  Redaction redaction;
  redaction.Add("s3cret");
  EXPECT_EQ(redaction.Text("s3cret xs3crety s3cret"), "[redacted] x[redacted]y [redacted]");
  EXPECT_EQ(redaction.hits(), 3);
}

TEST(Redaction, TheLongestSecretWinsWhateverTheOrder) {
  for (const bool longer_first : {true, false}) {
    Redaction redaction;
    redaction.Add(longer_first ? "password-long" : "password");
    redaction.Add(longer_first ? "password" : "password-long");
    EXPECT_EQ(redaction.Text("password-long password"), "[redacted] [redacted]");
  }
}

TEST(Redaction, APlaceholderIsNotLookedAtAgain) {
  Redaction redaction;
  redaction.Add("abc");
  redaction.Add("redacted");
  EXPECT_EQ(redaction.Text("abc"), "[redacted]");
}

TEST(Redaction, TheBase64FormGoesToo) {
  Redaction redaction;
  redaction.Add("s3cret");
  EXPECT_EQ(redaction.Text(base::Base64Encode("s3cret")), "[redacted]");
}

TEST(Redaction, TheEscapedAndEncodedFormsGoToo) {
  Redaction redaction;
  redaction.Add("a b\"c\\d");
  EXPECT_EQ(redaction.Text(R"(a b\"c\\d)"), "[redacted]");
  EXPECT_EQ(redaction.Text("a%20b%22c%5Cd"), "[redacted]");
  EXPECT_EQ(redaction.Text(base::Base64UrlEncode("a b\"c\\d")), "[redacted]");
}

TEST(Redaction, EmptySecretsAreSkippedAndOtherValuesStay) {
  Redaction redaction;
  redaction.Add("");
  const base::Json value = base::JsonObject{{"a", 1}, {"b", base::JsonArray{true, nullptr, "x"}}};
  EXPECT_EQ(redaction.Value(value), value);
  EXPECT_EQ(redaction.hits(), 0);
}

}  // namespace
}  // namespace approval::adapters
