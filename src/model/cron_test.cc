#include "stepwell/model/cron.h"

#include <gtest/gtest.h>

namespace stepwell {
namespace {

// The one text of its meaning, or "at: what is wrong; hint".
std::string read(std::string_view text) {
  const auto cron = Cron::parse(text);
  if (cron) return cron->str();
  const CronError& error = cron.error();
  return std::to_string(error.at) + ": " + error.message + (error.hint.empty() ? "" : "; " + error.hint);
}

TEST(Cron, OneMeaningHasOneText) {
  EXPECT_EQ(read("0 3 * * *"), "0 3 * * *");
  EXPECT_EQ(read("  00\t03 1-31 */1 0-6 "), "0 3 * * *");
  EXPECT_EQ(read("*/15 9-17 * * MON-FRI"), "0,15,30,45 9-17 * * 1-5");
  EXPECT_EQ(read("5,4,3 0 1-10/3 Jan,dec *"), "3-5 0 1,4,7,10 1,12 *");
  EXPECT_EQ(read("1,2 0 * * 7"), "1,2 0 * * 0");
}

TEST(Cron, AWeekMayEndWithSunday) {
  EXPECT_EQ(read("0 0 * * sat-sun"), "0 0 * * 0,6");
  EXPECT_EQ(read("0 0 * * mon-7"), "0 0 * * *");
}

TEST(Cron, WordsStandForFields) {
  EXPECT_EQ(read("@daily"), "0 0 * * *");
  EXPECT_EQ(read("@midnight"), read("@daily"));
  EXPECT_EQ(read("@Hourly"), "0 * * * *");
  EXPECT_EQ(read("@weekly"), "0 0 * * 0");
  EXPECT_EQ(read("@monthly"), "0 0 1 * *");
  EXPECT_EQ(read("@yearly"), "0 0 1 1 *");
  EXPECT_EQ(read("@annually"), read("@yearly"));
  EXPECT_EQ(read("@dayly"), "0: there is no '@dayly'; did you mean '@daily'?");
  EXPECT_EQ(read("@reboot").substr(0, 63), "0: there is no '@reboot'; write five fields, or one of @annuall");
}

TEST(Cron, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(read("60 * * * *"), "0: minute cannot be '60': it is from 0 to 59");
  EXPECT_EQ(read("0 24 * * *"), "2: hour cannot be '24': it is from 0 to 23");
  EXPECT_EQ(read("0 0 0 * *"), "4: day cannot be '0': it is from 1 to 31");
  EXPECT_EQ(read("0 0 * 13 *"), "6: month cannot be '13': it is from 1 to 12");
  EXPECT_EQ(read("0 0 * * 8"), "8: weekday cannot be '8': it is from 0 to 7");
  EXPECT_EQ(read("0 0 * * mo"), "8: weekday cannot be 'mo'; did you mean 'mon'?");
  EXPECT_EQ(read("1,,2 * * * *"), "2: minute cannot be '': it is from 0 to 59");
  EXPECT_EQ(read("-1 * * * *"), "0: minute cannot be '': it is from 0 to 59");
  EXPECT_EQ(read("*/0 * * * *"), "2: minute step cannot be '0': it is from 1 to 59");
  EXPECT_EQ(read("0 0 */0 * *"), "6: day step cannot be '0': it is from 1 to 31");
  EXPECT_EQ(read("99999999999 * * * *"), "0: minute cannot be '99999999999': it is from 0 to 59");
  EXPECT_EQ(read("0 22-2 * * *"), "2: hour range '22-2' runs backwards; split it in two, with a comma");
  EXPECT_EQ(read("5/15 * * * *"), "0: minute '5/15' has a step but no range; write 5-59/15");
}

TEST(Cron, HasFiveFields) {
  const std::string hint = "; they are minute, hour, day, month and weekday, as in '30 4 * * 1-5'";
  EXPECT_EQ(read("0 0 * *"), "0: cron has five fields, not 4" + hint);
  EXPECT_EQ(read("0 0 0 * * *"), "0: cron has five fields, not 6" + hint);
  EXPECT_EQ(read(""), "0: cron has five fields, not 0" + hint);
}

TEST(Cron, RefusesWhatCanNeverBe) {
  EXPECT_EQ(read("0 0 30 2 *"), "4: no month that it names has such a day");
  EXPECT_EQ(read("0 0 31 4,6,9,11 *"), "4: no month that it names has such a day");
  EXPECT_EQ(read("0 0 29 2 *"), "0 0 29 2 *");
  EXPECT_EQ(read("0 0 30 2 mon"), "0 0 30 2 1");
}

TEST(Cron, OneOfDayAndWeekdayIsEnoughIfBothAreRestricted) {
  const Cron both = *Cron::parse("0 0 13 * fri");
  EXPECT_TRUE(both.matches(0, 0, 13, 1, 2));
  EXPECT_TRUE(both.matches(0, 0, 2, 1, 5));
  EXPECT_FALSE(both.matches(0, 0, 2, 1, 2));
  EXPECT_FALSE(both.matches(1, 0, 13, 1, 5));
  const Cron one = *Cron::parse("0 0 * * fri");
  EXPECT_TRUE(one.matches(0, 0, 2, 1, 5));
  EXPECT_FALSE(one.matches(0, 0, 13, 1, 2));
}

}  // namespace
}  // namespace stepwell
