#include <gtest/gtest.h>

#include <string>

#include "core/policy/prompt_rows.h"
#include "tests/policy/policy_text.h"

namespace approval::policy {
namespace {

std::string Finding(const std::string& prompt, const std::string& channel = "telegram") {
  const std::string finding =
      testing::FirstFinding("channels: { " + channel + ": { prompt: " + prompt + " } }\n");
  return finding.substr(finding.find(' ') + 1);
}

struct Fault {
  const char* prompt;
  const char* keyword;
};

// The codes of channels.md 1.10, each at least once.
constexpr Fault kFaults[] = {
    {"{ rows: [wat] }", "prompt-row-unknown"},
    {"{ always: [wat] }", "prompt-row-unknown"},
    {"{ hide: [wat] }", "prompt-row-unknown"},
    {"{ hide: [command_breakdown] }", "prompt-row-required"},
    {"class", "prompt-block-shape"},
    {"{ hide: { task: 1 } }", "prompt-block-shape"},
    {"{ always: [1] }", "prompt-block-shape"},
    {"{ always: [task], hide: [task] }", "prompt-row-conflict"},
    {"{ row: [] }", "prompt-key-unknown"},
    {"{ style: tiny }", "prompt-style-unknown"},
    {"{ style: 1 }", "prompt-style-unknown"},
    {"{ say: { a.b: run } }", "prompt-say-shape"},
    {"{ say: { a.b: { does: run, note: all } } }", "prompt-say-shape"},
    {"{ say: { a.b: { does: run, quote: [to] } } }", "prompt-say-shape"},
    {"{ say: { a.b: { does: run, quote: { \"\": x } } } }", "prompt-say-shape"},
    {"{ say: { \"*\": { does: run } } }", "prompt-say-wildcard"},
    {"{ say: { message.send: { does: send } } }", "prompt-say-builtin"},
    {"{ say: { a.b: { does: 1 } } }", "prompt-say-does"},
    {"{ say: { a.b: { does: run, quote: { to: abcdefghijklmnopqrstuvwxy } } } }",
     "prompt-say-label"},
};

TEST(Prompt, EachFaultHasItsKeywordUnderAnyChannelName) {
  for (const Fault& fault : kFaults) {
    for (const char* channel : {"telegram", "web", "cli", "pigeon"}) {
      EXPECT_EQ(Finding(fault.prompt, channel), fault.keyword) << fault.prompt << " " << channel;
    }
  }
}

TEST(Prompt, AFaultFailsTheWholePolicySoThatTheDefaultsHold) {
  for (const Fault& fault : kFaults) {
    const LoadResult load = testing::LoadLines(
        "classes:\n  read.*: {autonomy: autonomous}\n"
        "channels: { pigeon: { prompt: " +
        std::string(fault.prompt) + " } }\n");
    EXPECT_FALSE(load.policy) << fault.prompt;
    EXPECT_TRUE(load.OrDefaults().channels.prompts.empty());
    EXPECT_TRUE(load.OrDefaults().rules.empty());
  }
}

TEST(Prompt, EachClassWithAPhraseOfItsOwnMayNotBeReworded) {
  for (const char* name :
       {"network.call", "read.web", "browser.exec", "cron.manage", "process.write", "skill.manage",
        "agent.delegate", "message.send", "files.delete.scratch"}) {
    const std::string say = "{ say: { " + std::string(name);
    EXPECT_EQ(Finding(say + ": { does: do it } } }"), "prompt-say-builtin") << name;
    EXPECT_EQ(Finding(say + ": { quote: { to: To } } } }"), "loaded") << name;
  }
}

TEST(Prompt, EachFaultHasItsKeyword) {
  EXPECT_EQ(Finding("[]"), "prompt-block-shape");
  EXPECT_EQ(Finding("{ rows: class }"), "prompt-block-shape");
  EXPECT_EQ(Finding("{ rows: [class, class] }"), "prompt-block-shape");
  EXPECT_EQ(Finding("{ rows: [wat] }"), "prompt-row-unknown");
  EXPECT_EQ(Finding("{ wat: [] }"), "prompt-key-unknown");
  EXPECT_EQ(Finding("{ always: [task], hide: [task] }"), "prompt-row-conflict");
  EXPECT_EQ(Finding("{ style: loud }"), "prompt-style-unknown");
  EXPECT_EQ(Finding("{ say: [] }"), "prompt-say-shape");
  EXPECT_EQ(Finding("{ say: { a.b: { wat: 1 } } }"), "prompt-say-shape");
  EXPECT_EQ(Finding("{ say: { a.*: { does: run } } }"), "prompt-say-wildcard");
  EXPECT_EQ(Finding("{ say: { read.web: { does: read } } }"), "prompt-say-builtin");
  EXPECT_EQ(Finding("{ say: { a.b: {} } }"), "prompt-say-does");
  EXPECT_EQ(Finding("{ say: { a.b: { does: run, quote: { to: \"<b>\" } } } }"), "prompt-say-label");
  EXPECT_EQ(Finding("{ say: { a.b: { does: run, quote: { to: null } } } }"), "prompt-say-label");
  EXPECT_EQ(Finding("{ say: { a.b: { does: run, quote: { a: \"\", b: x } } } }"),
            "prompt-say-label");
}

TEST(Prompt, TheSixRowsThatSayWhatIsDoneCannotBeHidden) {
  for (const char* row : {"action_key", "class", "command_breakdown", "protected_path",
                          "policy_diff", "policy_load"}) {
    EXPECT_EQ(Finding("{ hide: [" + std::string(row) + "] }"), "prompt-row-required") << row;
  }
  EXPECT_EQ(Finding("{ hide: [task, payload_hash] }"), "loaded");
}

TEST(Prompt, TheBlockIsCheckedUnderAnyChannelName) {
  EXPECT_EQ(Finding("{ rows: [wat] }", "pigeon"), "prompt-row-unknown");
  EXPECT_EQ(Finding("{ rows: [wat] }", "web"), "prompt-row-unknown");
  EXPECT_EQ(Finding("{ rows: [wat] }", "cli"), "prompt-row-unknown");
}

TEST(Prompt, AVerbPhraseHoldsNothingThatCouldForgeALine) {
  for (const char* does : {"", "1 run", "run.", "run: it", "<b>run", "run\\u2028x",
                           "run \\u202e it", "\\u26a0 run", "run\\tx", "run\\u00a0x"}) {
    EXPECT_EQ(Finding("{ say: { a.b: { does: \"" + std::string(does) + "\" } } }"),
              "prompt-say-does")
        << does;
  }
  EXPECT_EQ(Finding("{ say: { a.b: { does: \"\\u00e9crire une lettre\" } } }"), "loaded");
}

TEST(Prompt, AValidBlockIsReadWhole) {
  const LoadResult load = testing::LoadLines(R"(channels:
  telegram:
    prompt:
      rows: [summary, class]
      always: [budgets]
      hide: [confidence]
      style: minimal
      say:
        a.b: { does: send a fax, quote: { to: To, body: null }, note: none }
)");
  ASSERT_TRUE(load.policy) << load.failure->message;
  const PromptBlock& block = load.policy->channels.prompts.at("telegram");
  EXPECT_EQ(block.rows, (std::vector<PromptRow>{PromptRow::kSummary, PromptRow::kClass}));
  EXPECT_EQ(block.always, std::vector<PromptRow>{PromptRow::kBudgets});
  EXPECT_EQ(block.hide, std::vector<PromptRow>{PromptRow::kConfidence});
  EXPECT_EQ(block.style, PromptStyle::kMinimal);
  EXPECT_EQ(block.say.at("a.b").does, "send a fax");
  EXPECT_EQ(block.say.at("a.b").quote.at("to"), "To");
  EXPECT_FALSE(block.say.at("a.b").quote.at("body"));
  EXPECT_FALSE(block.say.at("a.b").note_is_summary);
}

TEST(Prompt, EveryRowIsSpelledAsInTheVocabulary) {
  for (int i = 0; i < kPromptRowCount; ++i) {
    const auto row = static_cast<PromptRow>(i);
    EXPECT_EQ(PromptRowFrom(Spelling(row)), row);
  }
  EXPECT_EQ(Spelling(PromptRow::kActionKey), "action_key");
  EXPECT_EQ(Spelling(PromptRow::kConfidence), "confidence");
}

}  // namespace
}  // namespace approval::policy
