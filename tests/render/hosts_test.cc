#include "render/hosts.h"

#include <gtest/gtest.h>

#include "render/look_alike.h"
#include "render/punycode.h"
#include "render/secrets.h"

namespace approval::render {
namespace {

using Texts = std::vector<std::string>;

TEST(LookAlike, AWordThatMixesLatinWithCyrillicOrGreekIsNamed) {
  EXPECT_EQ(LookAlikeWords("P\u0430yP\u0430l invoice"), Texts{"P«U+0430»yP«U+0430»l"});
  EXPECT_EQ(LookAlikeWords("\u0430lice@example.com"), Texts{"«U+0430»lice"});
  EXPECT_EQ(LookAlikeWords("\u03BFpen"), Texts{"«U+03BF»pen"});
}

TEST(LookAlike, FullwidthAndMathematicalLettersAreNamed) {
  EXPECT_EQ(LookAlikeWords("\uFF43url"), Texts{"«U+FF43»url"});
  EXPECT_EQ(LookAlikeWords("\U0001D41Aa"), Texts{"«U+1D41A»a"});
}

TEST(LookAlike, AWordOfOneScriptIsNotNamed) {
  EXPECT_TRUE(LookAlikeWords("Отчёт готов, report done, Ελλάδα, 東京, café").empty());
}

TEST(LookAlike, AHiddenCharacterDoesNotSplitTheWord) {
  EXPECT_EQ(LookAlikeWords("p\u200B\u0430y"), Texts{"p«U+0430»y"});
}

TEST(LookAlike, AWordIsNamedOnce) { EXPECT_EQ(LookAlikeWords("p\u0430y p\u0430y").size(), 1u); }

TEST(Punycode, EncodesTheSamplesOfTheStandard) {
  EXPECT_EQ(ToAsciiLabel("bücher"), "xn--bcher-kva");
  EXPECT_EQ(ToAsciiLabel("exämple"), "xn--exmple-cua");
  EXPECT_EQ(ToAsciiLabel("почемужеонинеговорятпорусски"), "xn--b1abfaaepdrnnbgefbadotcwatmq2g4l");
  EXPECT_EQ(ToAsciiLabel("他们为什么不说中文"), "xn--ihqwcrb4cv8a8dqg056pqjye");
  EXPECT_EQ(ToAsciiLabel("Plain"), "plain");
  EXPECT_EQ(ToAsciiLabel("\xFF"), std::nullopt);
}

TEST(Punycode, DecodesWhatItEncoded) {
  for (const std::string label : {"bücher", "почта", "他们为什么不说中文", "\U0001F4A9a"}) {
    EXPECT_EQ(FromAsciiLabel(*ToAsciiLabel(label)), label);
  }
}

TEST(Punycode, RefusesWhatDoesNotDecode) {
  EXPECT_EQ(FromAsciiLabel("xn--99999999999999"), std::nullopt);
  EXPECT_EQ(FromAsciiLabel("plain"), std::nullopt);
  EXPECT_EQ(FromAsciiLabel("xn--a_"), std::nullopt);
}

TEST(Hosts, AForeignLabelIsShownWithItsAsciiForm) {
  EXPECT_EQ(OddHost("exämple.com"), "exämple.com, in ASCII xn--exmple-cua.com");
}

TEST(Hosts, APunycodeLabelIsShownWithWhatItReads) {
  EXPECT_EQ(OddHost("xn--exmple-cua.com"), "xn--exmple-cua.com, reads exämple.com");
  EXPECT_EQ(OddHost("xn--99999999999999.com"),
            "xn--99999999999999.com, reads (does not decode).com");
}

TEST(Hosts, APlainHostIsNotOdd) { EXPECT_EQ(OddHost("mail.example.com"), std::nullopt); }

TEST(Hosts, TheRealHostOfAUrlStandsBehindTheAt) {
  const auto urls = FindUrls("see https://example.com@evil.example/x and http://u:p@h:80?q");
  ASSERT_EQ(urls.size(), 2u);
  EXPECT_EQ(urls[0].host, "evil.example");
  EXPECT_TRUE(urls[0].has_user);
  EXPECT_FALSE(urls[0].has_password);
  EXPECT_EQ(urls[1].host, "h");
  EXPECT_TRUE(urls[1].has_password);
}

TEST(Hosts, DomainsInOneOrTwoLettersOfEachOtherAreNearlyEqual) {
  EXPECT_TRUE(NearlyEqual("corp-mail.example", "corp-mall.example"));
  EXPECT_FALSE(NearlyEqual("corp.example", "corp.example"));
  EXPECT_FALSE(NearlyEqual("a.example", "other.example"));
}

// FR-064
TEST(Secrets, SecretLikeStringsAreNamedByKindAndPlaceAndNeverRepeated) {
  const std::string key = "sk-" + std::string(40, 'F');
  EXPECT_EQ(SecretLikeStrings("x " + key), Texts{"an API key (sk-…) at character 3"});
  EXPECT_EQ(SecretLikeStrings("-----BEGIN PRIVATE KEY-----"), Texts{"a PEM block at character 1"});
  EXPECT_EQ(SecretLikeStrings("https://user:FAKEpass@example.com/"),
            Texts{"a password in a URL at character 9"});
}

TEST(Secrets, OrdinaryTextHasNone) {
  EXPECT_TRUE(SecretLikeStrings("task-0123456789012345678901234 sk-short https://a@b/ "
                                "http://127.0.0.1:8080/x")
                  .empty());
}

}  // namespace
}  // namespace approval::render
