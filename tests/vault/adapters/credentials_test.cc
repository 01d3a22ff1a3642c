// The credential window: what opens it, and that it stays closed.
#include "vault/adapters/credentials.h"

#include <gtest/gtest.h>

#include "tests/support/adapter_project.h"

namespace approval::adapters {
namespace {

using base::Code;

class CredentialWindowTest : public ::testing::Test {
 protected:
  void SetUp() override {
    project_.Store("smtp.password", "value-0001");
    project_.Seal();
  }

  CredentialWindow Window(std::optional<WindowGrant> grant) {
    return CredentialWindow(&project_.source(), project_.random(), std::move(grant));
  }

  static WindowGrant Grant(WindowGrant::Phase phase, bool with_token) {
    WindowGrant grant{phase, "t1:k"};
    if (with_token) grant.token_sha256 = std::string(64, 'a');
    return grant;
  }

  // What a window under this grant gives when only the fallback knows the passphrase.
  bool OpensByFallback(const WindowGrant& grant) {
    asked_ = 0;
    project_.source().passphrase = [] { return std::optional<base::Secret>(); };
    project_.source().fallback_passphrase = [this] {
      ++asked_;
      return std::optional(base::Secret("pass"));
    };
    return Window(grant).Get("smtp.password").has_value();
  }

  testing::AdapterProject project_;
  int asked_ = 0;
};

TEST_F(CredentialWindowTest, WithoutAGrantItIsClosedFromTheStart) {
  const auto value = Window(std::nullopt).Get("smtp.password");
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().code, Code::kCredentialWindowClosed);
}

TEST_F(CredentialWindowTest, UnderAGrantTheVaultIsReadAtTheFirstGet) {
  int asked = 0;
  project_.source().passphrase = [&] {
    ++asked;
    return std::optional(base::Secret("pass"));
  };
  CredentialWindow window = Window(Grant(WindowGrant::Phase::kPresented, true));
  EXPECT_EQ(asked, 0);
  EXPECT_EQ(window.Get("smtp.password").value(), "value-0001");
  EXPECT_EQ(window.Get("smtp.password").value(), "value-0001");
  EXPECT_EQ(asked, 1);
}

TEST_F(CredentialWindowTest, ClosedItStaysClosedInEveryCopy) {
  CredentialWindow window = Window(WindowGrant::OfPerson());
  CredentialWindow kept = window;
  ASSERT_TRUE(kept.Get("smtp.password"));
  window.Close();
  EXPECT_EQ(kept.Get("smtp.password").error().code, Code::kCredentialWindowClosed);
  EXPECT_TRUE(kept.entries().empty());
}

TEST_F(CredentialWindowTest, WithoutASourceEverythingIsUnavailable) {
  CredentialWindow window(nullptr, project_.random(), WindowGrant::OfPerson());
  EXPECT_EQ(window.Get("smtp.password").error().code, Code::kCredentialUnavailable);
}

TEST_F(CredentialWindowTest, ValuesInHandNeedNoVault) {
  vault::Entries values;
  values.emplace("a", base::Secret("1"));
  CredentialWindow window(std::move(values));
  EXPECT_EQ(window.Get("a").value(), "1");
  EXPECT_FALSE(window.Get("b"));
  EXPECT_FALSE(window.Find("b").value().has_value());
}

TEST_F(CredentialWindowTest, AWrongPassphraseIsRefusedAndAMissingNameUnavailable) {
  CredentialWindow window = Window(WindowGrant::OfPerson());
  EXPECT_EQ(window.Get("none").error().code, Code::kCredentialUnavailable);
  project_.source().passphrase = [] { return std::optional(base::Secret("wrong")); };
  EXPECT_EQ(Window(WindowGrant::OfPerson()).Get("smtp.password").error().code,
            Code::kCredentialRefused);
}

TEST_F(CredentialWindowTest, TheFallbackServesOnlyAGrantWhoseTokenWasShownOrSpent) {
  EXPECT_TRUE(OpensByFallback(Grant(WindowGrant::Phase::kPresented, true)));
  EXPECT_TRUE(OpensByFallback(Grant(WindowGrant::Phase::kConsumed, true)));
  EXPECT_FALSE(OpensByFallback(Grant(WindowGrant::Phase::kConsumed, false)));
  EXPECT_EQ(asked_, 0);
  EXPECT_FALSE(OpensByFallback(Grant(WindowGrant::Phase::kPresented, false)));
  EXPECT_FALSE(OpensByFallback(WindowGrant::OfPerson()));
  EXPECT_EQ(asked_, 0);
}

TEST_F(CredentialWindowTest, TheFallbackIsNotAskedWhenAPassphraseIsSet) {
  int asked = 0;
  project_.source().fallback_passphrase = [&]() -> std::optional<base::Secret> {
    ++asked;
    return std::nullopt;
  };
  EXPECT_TRUE(Window(Grant(WindowGrant::Phase::kPresented, true)).Get("smtp.password"));
  EXPECT_EQ(asked, 0);
}

TEST_F(CredentialWindowTest, AFallbackThatFailsIsNotTold) {
  project_.source().passphrase = [] { return std::optional<base::Secret>(); };
  project_.source().fallback_passphrase = [] { return std::optional<base::Secret>(); };
  const auto value = Window(Grant(WindowGrant::Phase::kPresented, true)).Get("smtp.password");
  EXPECT_EQ(value.error().code, Code::kCredentialUnavailable);
  EXPECT_NE(value.error().message.find("APPROVAL_VAULT_PASSPHRASE"), std::string::npos);
}

}  // namespace
}  // namespace approval::adapters
