#include "stepwell/expr/filters_time.h"

#include "stepwell/expr/testing/expressions.h"

namespace stepwell {
namespace {

using testing::expect_results;

TEST(FiltersTime, InstantsAreNormalisedToUtc) {
  expect_results({
      {"'2026-01-02T03:04:05.250+01:00' | datetime", "\"2026-01-02T02:04:05.25Z\""},
      {"'2026-01-02' | datetime", "\"2026-01-02T00:00:00Z\""},
      {"0 | datetime", "\"1970-01-01T00:00:00Z\""},
      {"1.5 | datetime", "\"1970-01-01T00:00:01.5Z\""},
      {"'yesterday' | datetime", "value: "},
      {"1e12 | datetime", "overflow: the instant 1000000000000.0 is out of range"},
      {"true | datetime", "type: "},
      {"'1970-01-02' | timestamp", "86400"},
      {"'1970-01-01T00:00:00.5Z' | timestamp", "0.5"},
  });
}

TEST(FiltersTime, DurationsMoveAndMeasure) {
  expect_results({
      {"'2026-01-31T23:00:00Z' | datetime_add('1h30m')", "\"2026-02-01T00:30:00Z\""},
      {"'2026-01-01' | datetime_sub(86400)", "\"2025-12-31T00:00:00Z\""},
      {"'2026-01-02' | datetime_diff('2026-01-01T12:00:00Z')", "43200"},
      {"'1m500ms' | duration", "60.5"},
      {"90 | duration", "90"},
      {"'soon' | duration", "value: "},
      {"'9999-12-31' | datetime_add('10d')", "overflow: "},
  });
}

TEST(FiltersTime, StrftimeWritesEnglishUtc) {
  expect_results({
      {"'2026-01-02T03:04:05.000006Z' | strftime('%Y-%m-%d %H:%M:%S.%f %j %a %A %b %B %p %I %y %u %w %e %Z%z %%')",
       "\"2026-01-02 03:04:05.000006 002 Fri Friday Jan January AM 03 26 5 5  2 UTC+0000 %\""},
      {"'2026-01-04T12:00:00Z' | strftime('%F %T %I%p %u %w')", "\"2026-01-04 12:00:00 12PM 7 0\""},
      {"0 | strftime('%Q')", "value: \"%Q\" has an unknown part; known are %Y"},
      {"0 | strftime('%')", "value: "},
  });
}

}  // namespace
}  // namespace stepwell
