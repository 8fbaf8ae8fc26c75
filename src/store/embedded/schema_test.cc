#include "stepwell/store/embedded/schema.h"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stepwell/store/testing/temporary_directory.h"

namespace stepwell {
namespace {

constexpr Migration kFirst = "create table things (name text); insert into things values ('one')";
constexpr Migration kSecond = "alter table things add column size integer not null default 5";
constexpr Migration kBroken = "create table others (name text); insert into nowhere values (1)";

class SchemaTest : public testing::Test {
 protected:
  std::int64_t number(std::string_view sql) {
    Query query(*connection_, sql);
    EXPECT_EQ(query.next(), true);
    return query.integer(0);
  }
  std::int64_t version() { return number("select value from meta where key = 'schema_version'"); }

  TemporaryDirectory directory_;
  std::unique_ptr<Connection> connection_ =
      Connection::open(directory_.path() + "/some.db", Connection::Mode::create).value();
};

TEST_F(SchemaTest, AnOlderDatabaseIsBroughtUpToDateAndKeepsItsRows) {
  ASSERT_TRUE(migrate(*connection_, std::array{kFirst}).has_value());
  EXPECT_EQ(version(), 1);
  ASSERT_TRUE(migrate(*connection_, std::array{kFirst, kSecond}).has_value());
  EXPECT_EQ(version(), 2);
  EXPECT_EQ(number("select size from things where name = 'one'"), 5);
}

TEST_F(SchemaTest, ACurrentDatabaseIsLeftAlone) {
  ASSERT_TRUE(migrate(*connection_, std::array{kFirst}).has_value());
  ASSERT_TRUE(migrate(*connection_, std::array{kFirst}).has_value());
  EXPECT_EQ(number("select count(*) from things"), 1);
}

TEST_F(SchemaTest, AStepThatFailsHasNotHappened) {
  const auto failed = migrate(*connection_, std::array{kFirst, kBroken});
  ASSERT_FALSE(failed.has_value());
  EXPECT_THAT(failed.error().message, testing::HasSubstr("no such table: nowhere"));
  EXPECT_EQ(version(), 1);
  EXPECT_EQ(number("select count(*) from sqlite_schema where name = 'others'"), 0);
}

TEST_F(SchemaTest, ANewerDatabaseIsRefused) {
  ASSERT_TRUE(migrate(*connection_, std::array{kFirst, kSecond}).has_value());
  EXPECT_EQ(migrate(*connection_, std::array{kFirst}).error().kind, StoreError::Kind::invalid);
}

}  // namespace
}  // namespace stepwell
