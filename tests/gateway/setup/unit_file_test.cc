#include "gateway/setup/unit_file.h"

#include <gtest/gtest.h>

namespace approval::gateway::setup {
namespace {

ServiceDefinition Sample() {
  return {"approval-up", "/home/a/my project", "/usr/bin/approval", "/home/a/logs", ""};
}

TEST(UnitFile, TheUnitRunsUpInTheProjectWithTheSourceMapsVariables) {
  const std::string unit = SystemdUnit(Sample());
  EXPECT_NE(unit.find("ExecStart=/bin/sh -lc \"cd '/home/a/my project' && eval "
                      "\\\"$$('/usr/bin/approval' env)\\\" && exec '/usr/bin/approval' up --json "
                      "--no-login-link\"\n"),
            std::string::npos)
      << unit;
  EXPECT_NE(unit.find("StandardOutput=append:/home/a/logs/approval-up.out.log\n"),
            std::string::npos);
  EXPECT_EQ(unit.find("EnvironmentFile"), std::string::npos);
}

TEST(UnitFile, PercentAndDollarReachTheShellAsTheyAre) {
  ServiceDefinition service = Sample();
  service.folder = "/home/a/100%$x";
  const std::string unit = SystemdUnit(service);
  EXPECT_NE(unit.find("WorkingDirectory=/home/a/100%%$x\n"), std::string::npos) << unit;
  EXPECT_NE(unit.find("cd '/home/a/100%%$$x' &&"), std::string::npos) << unit;
}

TEST(UnitFile, AnEnvironmentFileReplacesTheSourceMap) {
  ServiceDefinition service = Sample();
  service.env_file = "/etc/approval.env";
  const std::string unit = SystemdUnit(service);
  EXPECT_NE(unit.find("EnvironmentFile=/etc/approval.env\n"), std::string::npos);
  EXPECT_NE(unit.find("set -a; . '/etc/approval.env'; set +a &&"), std::string::npos) << unit;
  EXPECT_EQ(unit.find("eval"), std::string::npos);
}

TEST(UnitFile, ThePlistIsEscaped) {
  ServiceDefinition service = Sample();
  service.folder = "/home/a&b";
  const std::string plist = LaunchdPlist(service);
  EXPECT_NE(plist.find("/home/a&amp;b"), std::string::npos);
  EXPECT_EQ(plist.find("a&b"), std::string::npos);
  EXPECT_NE(plist.find("<key>KeepAlive</key><true/>"), std::string::npos);
}

TEST(UnitFile, PathsWithQuotesOrLineEndsAndOddLabelsAreRefused) {
  EXPECT_FALSE(WhyNotPath("/home/a b"));
  EXPECT_TRUE(WhyNotPath("/home/it's"));
  EXPECT_TRUE(WhyNotPath("/home/a\nb"));
  EXPECT_TRUE(WhyNotPath("relative"));
  EXPECT_TRUE(IsLabel("approval-up"));
  EXPECT_FALSE(IsLabel("../x"));
  EXPECT_FALSE(IsLabel(""));
}

}  // namespace
}  // namespace approval::gateway::setup
