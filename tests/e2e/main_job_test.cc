// The main job, end to end, by each way to answer: every story ends with a mail that a real server
// received and an independent parser read back equal to the payload.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <thread>

#include "tests/e2e/story.h"
#include "tests/support/bot_api_server.h"
#include "tests/support/pty.h"

namespace approval {
namespace {

using base::JsonObject;
using testing::Background;
using testing::BotApiServer;
using testing::Story;

constexpr const char* kTask = "task-1";
constexpr const char* kKey = "task-1:chaser";
constexpr std::int64_t kAlice = 700000001;  // the private chat and its person

std::string PageScript(const std::string& name) {
  return std::string(APPROVAL_SOURCE_DIR) + "/tests/e2e/page/" + name;
}

JsonObject LastJson(const std::string& text) {
  const auto parsed = base::ParseJson(text, base::kLenientJson);
  return parsed && parsed->is_object() ? parsed->get_object() : JsonObject{};
}

// What every story ends with: wait tells the agent, the adapter sends, the log proves it.
void ExpectSent(Story& story, const base::Json& mail) {
  const JsonObject waited = story.Json({"wait", kTask, "--timeout", "20s"});
  EXPECT_EQ(base::StringMember(waited, "status"), "granted");
  const JsonObject sent =
      story.Json({"adapter", "email", kKey, "--payload", "message.json", "--as", "agent:robot"});
  EXPECT_EQ(base::StringMember(sent, "outcome"), "execution.completed");
  EXPECT_EQ(testing::DifferenceOf(mail, story.ReceivedMail()), "");
  EXPECT_EQ(story.CountMails(), 1U);
  EXPECT_EQ(story.Events(), (std::vector<std::string>{"policy.updated", "task.registered",
                                                      "approval.requested", "approval.granted",
                                                      "execution.started", "execution.completed"}));
  EXPECT_FALSE(
      std::filesystem::exists(story.folder().Path(".approval/keys/" + std::string(kKey) + ".key")));
}

class ByTelegram : public ::testing::Test {
 protected:
  // Looks at the chat until a message satisfies; nothing after a while.
  std::optional<testing::BotMessage> WaitForMessage(
      const std::function<bool(const testing::BotMessage&)>& satisfies) {
    for (int look = 0; look < 1000; ++look) {
      for (const testing::BotMessage& message : server_.Messages()) {
        if (satisfies(message)) return message;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return std::nullopt;
  }

  std::optional<testing::BotMessage> WaitForCard() {
    return WaitForMessage([](const testing::BotMessage& m) { return !m.buttons.empty(); });
  }

  // Presses the n-th button of a card.
  std::string Tap(const testing::BotMessage& card, std::size_t button, std::int64_t from = kAlice) {
    return server_.TapData(card.id, card.buttons.at(button).data, base::Json(from), kAlice);
  }

  std::unique_ptr<Background> Up(Story& story) {
    story.environment()["APPROVAL_TG_TOKEN"] = server_.token();
    story.environment()["APPROVAL_TG_CHAT"] = std::to_string(kAlice);
    auto up = story.Up({"--no-web", "--api-base", server_.base_url(), "--poll-timeout", "5"});
    EXPECT_TRUE(up->Event("part_started"));
    return up;
  }

  BotApiServer server_;
};

TEST_F(ByTelegram, ATapSendsExactlyTheApprovedMail) {
  Story story;
  const auto up = Up(story);
  const base::Json mail = Story::SampleMail();
  story.RequestMail(kTask, kKey, mail);
  const auto card = WaitForCard();
  ASSERT_TRUE(card) << "no card arrived";
  EXPECT_NE(card->text.find("agency@example.org"), std::string::npos);
  EXPECT_NE(card->text.find("archive@example.org"), std::string::npos);
  const std::string query = Tap(*card, 0);
  const auto decision = up->Event("decision");
  ASSERT_TRUE(decision);
  EXPECT_EQ(base::StringMember(*decision, "state"), "granted");
  ExpectSent(story, mail);
  EXPECT_TRUE(WaitForMessage([&](const testing::BotMessage& m) {
    return m.id == card->id && m.buttons.empty();
  })) << "the card was not retired";
  EXPECT_EQ(server_.Answers(query).size(), 1U);
}

// FR-038: a tap from another account changes nothing but a counter and one audit record.
TEST_F(ByTelegram, ATapFromAnotherAccountIsRefused) {
  Story story;
  const auto up = Up(story);
  story.RequestMail(kTask, kKey, Story::SampleMail());
  const auto card = WaitForCard();
  ASSERT_TRUE(card);
  Tap(*card, 0, kAlice + 1);
  const auto decision = up->Event("decision");
  ASSERT_TRUE(decision);
  EXPECT_EQ(base::StringMember(*decision, "code"), "sender-unmapped");
  const auto events = story.Events();
  EXPECT_EQ(std::count(events.begin(), events.end(), "approval.granted"), 0);
  EXPECT_EQ(std::count(events.begin(), events.end(), "audit.decision_refused"), 1);
  // The card is still live for the right person.
  Tap(*card, 0);
  const auto second = up->Event("decision");
  ASSERT_TRUE(second);
  EXPECT_EQ(base::StringMember(*second, "state"), "granted");
}

TEST_F(ByTelegram, ASecondTapRecordsNothing) {
  Story story;
  const auto up = Up(story);
  story.RequestMail(kTask, kKey, Story::SampleMail());
  const auto card = WaitForCard();
  ASSERT_TRUE(card);
  Tap(*card, 0);
  ASSERT_TRUE(up->Event("decision"));
  const std::string log = story.LogBytes();
  Tap(*card, 0);
  Tap(*card, 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_EQ(story.LogBytes(), log);
}

TEST_F(ByTelegram, ARejectTellsTheWaitingAgentWhy) {
  Story story;
  const auto up = Up(story);
  story.RequestMail(kTask, kKey, Story::SampleMail());
  const auto card = WaitForCard();
  ASSERT_TRUE(card);
  ASSERT_GE(card->buttons.size(), 3U) << "no reasons on the card";
  Tap(*card, 2);
  const JsonObject waited = story.Json({"wait", kTask, "--timeout", "20s"}, 1);
  EXPECT_EQ(base::StringMember(waited, "status"), "rejected");
  EXPECT_EQ(base::StringMember(waited.at("actions").as_array().at(0).as_object(), "note"),
            card->buttons.at(2).text);
}

class ByPage : public ::testing::Test {
 protected:
  std::unique_ptr<Background> Up(Story& story) {
    auto up = story.Up({"--port", "0", "--no-telegram"});
    const auto started = up->Event("part_started");
    EXPECT_TRUE(started);
    if (started) link_ = std::string(base::StringMember(*started, "login").value_or(""));
    return up;
  }

  std::string link_;
};

TEST_F(ByPage, APressSendsExactlyTheApprovedMail) {
  Story story;
  const auto up = Up(story);
  const base::Json mail = Story::SampleMail();
  story.RequestMail(kTask, kKey, mail);
  const auto pressed = testing::RunProcess({"node", PageScript("decide.js"), link_, "approve"});
  ASSERT_EQ(pressed.exit, 0) << pressed.err;
  const JsonObject answer = LastJson(pressed.out);
  EXPECT_EQ(answer.at("problems"), base::Json(base::JsonArray{}));
  EXPECT_NE(base::StringMember(answer, "settled")->find("Approved by human:alice"),
            std::string::npos);
  EXPECT_EQ(answer.at("settled"), answer.at("reloaded"));
  const base::Json& shown = answer.at("shown");
  EXPECT_EQ(shown.at("button"), "Approve: send to 4 people");
  EXPECT_EQ(shown.at("body").as_array().at(0), "Dear agency,");
  ExpectSent(story, mail);
}

TEST_F(ByPage, ItWorksWithoutScript) {
  Story story;
  const auto up = Up(story);
  story.RequestMail(kTask, kKey, Story::SampleMail());
  const auto pressed =
      testing::RunProcess({"node", PageScript("decide.js"), link_, "reject:wording", "noscript"});
  ASSERT_EQ(pressed.exit, 0) << pressed.err;
  EXPECT_NE(base::StringMember(LastJson(pressed.out), "settled")->find("Rejected"),
            std::string::npos);
  EXPECT_EQ(base::StringMember(story.Json({"wait", kTask, "--timeout", "5s"}, 1), "status"),
            "rejected");
}

TEST_F(ByPage, ARequestThatArrivesWhileTheListIsOpenAppearsByItself) {
  Story story;
  const auto up = Up(story);
  testing::Background browser({"node", PageScript("decide.js"), link_, "approve"});
  std::this_thread::sleep_for(std::chrono::seconds(2));
  story.RequestMail(kTask, kKey, Story::SampleMail());
  const auto line = browser.Line(std::chrono::seconds(40));
  ASSERT_TRUE(line);
  EXPECT_NE(base::StringMember(LastJson(*line), "settled")->find("Approved"), std::string::npos);
}

TEST_F(ByPage, AnOpenPageShowsThatAnotherSurfaceAnswered) {
  Story story;
  const auto up = Up(story);
  story.RequestMail(kTask, kKey, Story::SampleMail());
  testing::Background browser({"node", PageScript("settled_elsewhere.js"), link_});
  ASSERT_EQ(browser.Line(std::chrono::seconds(40)), "ready");
  story.Json({"reject", kKey, "--note", "not now"});
  const auto line = browser.Line(std::chrono::seconds(40));
  ASSERT_TRUE(line);
  const JsonObject answer = LastJson(*line);
  EXPECT_NE(base::StringMember(answer, "settled")->find("Rejected"), std::string::npos);
  EXPECT_EQ(answer.at("buttons"), 0);
}

// Channels 4.2 and kind I: nothing that another origin can do is recorded or read.
TEST_F(ByPage, APageOfAnotherOriginReadsAndRecordsNothing) {
  Story story;
  const auto up = Up(story);
  story.RequestMail(kTask, kKey, Story::SampleMail());
  const std::string log = story.LogBytes();
  const std::string base = link_.substr(0, link_.find("/login"));
  const auto attacked = testing::RunProcess({"node", PageScript("hostile_page.js"), link_, base});
  ASSERT_EQ(attacked.exit, 0) << attacked.err;
  const JsonObject answer = LastJson(attacked.out);
  EXPECT_EQ(answer.at("fetched"), "refused");
  EXPECT_EQ(answer.at("framed"), false);
  EXPECT_EQ(base::StringMember(answer, "posted")->find("Approved"), std::string::npos);
  EXPECT_EQ(story.LogBytes(), log);
}

TEST(ByTerminal, AWordSendsExactlyTheApprovedMail) {
  Story story;
  const base::Json mail = Story::SampleMail();
  story.RequestMail(kTask, kKey, mail);
  testing::Pty terminal({testing::ApprovalProgram(), "channel", "cli"}, story.folder().path(),
                        story.environment());
  ASSERT_TRUE(terminal.WaitFor("Send an email")) << terminal.Screen();
  ASSERT_TRUE(terminal.WaitFor("g approve"));
  terminal.TypeLater("g");
  ASSERT_TRUE(terminal.WaitFor("type yes to approve: ")) << terminal.Screen();
  terminal.TypeLater("yes");
  ASSERT_TRUE(terminal.WaitFor("yes"));
  terminal.TypeLater("\r");
  ASSERT_TRUE(terminal.WaitFor("note (may be empty): "));
  terminal.TypeLater("\r");
  ASSERT_TRUE(terminal.WaitFor("-> granted at seq 4")) << terminal.Screen();
  EXPECT_EQ(terminal.Wait(), 0);
  ExpectSent(story, mail);
}

// FR-109: what was typed before the prompt stood is not an answer.
TEST(ByTerminal, TypeAheadDecidesNothing) {
  Story story;
  story.RequestMail(kTask, kKey, Story::SampleMail());
  testing::Pty terminal({testing::ApprovalProgram(), "channel", "cli"}, story.folder().path(),
                        story.environment());
  terminal.Type("g\ryes\r\r");
  ASSERT_TRUE(terminal.WaitFor("g approve"));
  terminal.TypeLater("s");
  EXPECT_EQ(terminal.Wait(), 0);
  const auto events = story.Events();
  EXPECT_EQ(events.back(), "approval.requested");
}

// FR-112: no terminal, no decision.
TEST(ByTerminal, APipeOrTheEndOfInputDecidesNothing) {
  Story story;
  story.RequestMail(kTask, kKey, Story::SampleMail());
  EXPECT_EQ(story.Run({"channel", "cli"}, "g\nyes\n\n").exit, 0);
  EXPECT_EQ(story.Run({"channel", "cli", "--interactive"}, "g\nyes\n\n").exit, 2);
  EXPECT_EQ(story.Events().back(), "approval.requested");
}

}  // namespace
}  // namespace approval
