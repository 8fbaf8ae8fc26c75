#include "stepwell/tools/secret_sources.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "stepwell/tools/testing/temp_directory.h"
#include "stepwell/tools/used_secrets.h"
#include "stepwell/value/json_read.h"
#include "stepwell/value/json_write.h"

namespace stepwell {
namespace {

TEST(SecretSources, TheEnvironmentIsReadInUpperCase) {
  setenv("STEPWELL_SECRET_API_KEY", "from outside", 1);
  EXPECT_EQ(EnvironmentSecrets().find("api_key"), "from outside");
  EXPECT_EQ(EnvironmentSecrets().find("other"), std::nullopt);
  EXPECT_EQ(EnvironmentSecrets().find(""), std::nullopt);
  setenv("STEPWELL_SECRET_API_KEY", "\xff", 1);
  EXPECT_EQ(EnvironmentSecrets().find("api_key"), std::nullopt);
  unsetenv("STEPWELL_SECRET_API_KEY");
}

TEST(SecretSources, AFileIsReadWithoutTheNewlineAtItsEnd) {
  const testing::TempDirectory directory;
  directory.write("api_key", "from a file\n");
  directory.write("key.pem", "hidden");
  directory.write("two", "a\nb\r\n");
  const DirectorySecrets secrets(directory.path());
  EXPECT_EQ(secrets.find("api_key"), "from a file");
  EXPECT_EQ(secrets.find("two"), "a\nb");
  EXPECT_EQ(secrets.find("none"), std::nullopt);
  EXPECT_EQ(secrets.find("key.pem"), std::nullopt);
  directory.write("api_key", "another");
  EXPECT_EQ(secrets.find("api_key"), "another");
}

TEST(SecretSources, NoNameLeadsOutOfTheDirectory) {
  const testing::TempDirectory directory;
  directory.write("outside", "x");
  std::filesystem::create_directory(directory.file("inside"));
  const DirectorySecrets secrets(directory.file("inside"));
  for (const char* name : {"../outside", "", ".", "..", "a/b"}) EXPECT_EQ(secrets.find(name), std::nullopt) << name;
  directory.write("inside/large", std::string(100'000, 'x'));
  EXPECT_EQ(secrets.find("large"), std::nullopt);
}

TEST(SecretSources, TheFirstThatKnowsASecretTellsIt) {
  const testing::TempDirectory directory;
  directory.write("both", "file");
  directory.write("one", "file");
  setenv("STEPWELL_SECRET_BOTH", "environment", 1);
  const SecretChain chain(
      {std::make_shared<EnvironmentSecrets>(), std::make_shared<DirectorySecrets>(directory.path())});
  EXPECT_EQ(chain.find("both"), "environment");
  EXPECT_EQ(chain.find("one"), "file");
  EXPECT_EQ(chain.find("none"), std::nullopt);
  unsetenv("STEPWELL_SECRET_BOTH");
}

TEST(UsedSecrets, OnlyWhatWasUsedIsTakenOutInAllItsForms) {
  setenv("STEPWELL_SECRET_A", "12345", 1);
  setenv("STEPWELL_SECRET_B", "say \"hi\"", 1);
  const EnvironmentSecrets source;
  const UsedSecrets used(source);
  auto redacted = [&](std::string_view text) { return to_json(used.redacted(parse_json(text).value())); };
  EXPECT_EQ(redacted(R"(["12345"])"), R"(["12345"])");
  used.find("a");
  used.find("b");
  EXPECT_EQ(redacted(R"({"k12345": ["a 12345 b", 12345, 123456, "MTIzNDU=", true, null]})"),
            R"({"k***":["a *** b","***",123456,"***",true,null]})");
  EXPECT_EQ(redacted(R"(["say \"hi\"", "{\"x\": \"say \\\"hi\\\"\"}"])"), R"(["***","{\"x\": \"***\"}"])");
  used.remember("12345678");
  EXPECT_EQ(redacted(R"(["1234567890"])"), R"(["***90"])");
  unsetenv("STEPWELL_SECRET_A");
  unsetenv("STEPWELL_SECRET_B");
}

}  // namespace
}  // namespace stepwell
