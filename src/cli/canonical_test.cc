#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stepwell/cli/testing/command_test.h"

namespace stepwell::cli {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

class CanonicalTest : public CommandTest {
 protected:
  static Ran canonical(const std::vector<std::string>& arguments) { return run_line({"canonical"}, arguments); }
};

TEST_F(CanonicalTest, ShowsNameHashAndDefinitionOfAnyKind) {
  const Ran ran = canonical({file("nightly.yaml", kSchedule)});
  EXPECT_EQ(ran.code, ExitCode::ok);
  EXPECT_EQ(ran.out.substr(0, 27), "name: nightly\nhash: sha256:");
  EXPECT_THAT(ran.out, HasSubstr("\"cron\": \"0 0 * * *\""));
}

TEST_F(CanonicalTest, NothingIsShownOfAnInvalidDocument) {
  const Ran ran = canonical({file("bad.yaml", "kind: Schedul\n")});
  EXPECT_EQ(ran.code, ExitCode::usage);
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err,
              EndsWith("bad.yaml:1:7: error: kind cannot be 'Schedul'; did you mean 'Schedule'? [value-word]\n"));
}

TEST_F(CanonicalTest, WhatWasExportedIsImportedAsItIs) {
  for (const char* text : {kGood, kSchedule}) {
    const std::string authored = file("hello.yaml", text);
    const std::string json = canonical({"--json", authored}).out;
    const std::string exported = file("another_name.json", json);
    EXPECT_EQ(canonical({"--json", exported}).out, json);
    EXPECT_EQ(canonical({"--cbor", exported}).out, canonical({"--cbor", authored}).out);
    EXPECT_EQ(canonical({exported}).out, canonical({authored}).out);
    EXPECT_EQ(run_line({"validate"}, {exported}).code, ExitCode::ok);
  }
}

}  // namespace
}  // namespace stepwell::cli
