#include "stepwell/expr/filters_number.h"

#include "stepwell/expr/testing/expressions.h"

namespace stepwell {
namespace {

using testing::expect_results;

TEST(FiltersNumber, IntReadsWhatPythonReads) {
  expect_results({
      {"'42' | int", "42"},
      {"' -4_2 ' | int", "-42"},
      {"'4__2' | int", "0"},
      {"'٣' | int", "3"},
      {"'3.9' | int", "3"},
      {"-3.9 | int", "-3"},
      {"'1e3' | int", "1000"},
      {"'ff' | int(base=16)", "255"},
      {"'0xff' | int(base=16)", "255"},
      {"'0b11' | int(base=0)", "3"},
      {"'012' | int(base=0)", "12"},
      {"'x' | int", "0"},
      {"'x' | int(none)", "null"},
      {"[] | int('d')", "\"d\""},
      {"'nan' | int(7)", "7"},
      {"'-9223372036854775808' | int", "-9223372036854775808"},
      {"'9223372036854775808' | int", "overflow: "},
      {"'inf' | int", "overflow: "},
      {"1e30 | int", "overflow: "},
  });
}

TEST(FiltersNumber, FloatReadsWhatPythonReads) {
  expect_results({
      {"'1_0.5' | float", "10.5"},
      {"'.5' | float", "0.5"},
      {"'5.' | float", "5.0"},
      {"' +1e-400 ' | float", "0.0"},
      {"'1e' | float", "0.0"},
      {"'' | float(none)", "null"},
      {"true | float", "1.0"},
      {"'1e400' | float", "overflow: "},
      {"'nan' | float", "overflow: "},
  });
}

TEST(FiltersNumber, RoundDecidesOnTheExactValue) {
  expect_results({
      {"2.5 | round", "2.0"},
      {"3.5 | round", "4.0"},
      {"2.675 | round(2)", "2.67"},
      {"-0.4 | round", "-0.0"},
      {"5 | round", "5"},
      {"25 | round(-1)", "20"},
      {"35 | round(-1)", "40"},
      {"25.0 | round(-1)", "20.0"},
      {"25.5 | round(-1)", "30.0"},
      {"999.9 | round(-3)", "1000.0"},
      {"1.5 | round(none)", "2"},
      {"1e300 | round(400)", "1e+300"},
      {"1e300 | round(-400)", "0.0"},
      {"1.7e308 | round(-308)", "overflow: "},
      {"9223372036854775807 | round(-1)", "overflow: "},
      {"42.55 | round(1, 'floor')", "42.5"},
      {"42.51 | round(1, 'ceil')", "42.6"},
      {"-0.5 | round(0, 'ceil')", "0.0"},
      {"42 | round(0, 'ceil')", "42.0"},
      {"1234 | round(-2, 'floor')", "1200.0"},
      {"1.5 | round(0, 'sideways')", "value: method must be 'common', 'ceil' or 'floor', not \"sideways\""},
      {"'1.5' | round", "type: the subject of round must be a number, not text \"1.5\""},
      {"1.5 | round(1.0)", "type: precision must be a whole number, not number 1.0"},
  });
}

TEST(FiltersNumber, AbsAndSizes) {
  expect_results({
      {"-5 | abs", "5"},
      {"-0.0 | abs", "0.0"},
      {"true | abs", "1"},
      {"(-9223372036854775807 - 1) | abs", "overflow: "},
      {"'5' | abs", "type: "},
      {"1 | filesizeformat", "\"1 Byte\""},
      {"999 | filesizeformat", "\"999 Bytes\""},
      {"'1500' | filesizeformat", "\"1.5 kB\""},
      {"1048576 | filesizeformat(true)", "\"1.0 MiB\""},
      {"-5.5 | filesizeformat", "\"-5 Bytes\""},
      {"1e30 | filesizeformat", "\"1000000.0 YB\""},
      {"'x' | filesizeformat", "type: "},
  });
}

}  // namespace
}  // namespace stepwell
