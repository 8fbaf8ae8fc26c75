#include "stepwell/expr/percent_format.h"

#include "stepwell/expr/testing/expressions.h"

namespace stepwell {
namespace {

using testing::expect_results;

TEST(PercentFormat, WholeNumbers) {
  expect_results({
      {"'%d|%5d|%-5d|%05d|%+d|% d' % (1, 2, 3, 4, 5, 6)", "\"1|    2|3    |00004|+5| 6\""},
      {"'%d %i %u' % (1.9, -1.9, true)", "\"1 -1 1\""},
      {"'%d' % 1e20", "\"100000000000000000000\""},
      {"'%.3d|%5.3d|%-6.3d|' % (5, -5, 5)", "\"005| -005|005   |\""},
      {"'%x %X %#x %#o %o' % (255, 255, 255, 8, -8)", "\"ff FF 0xff 0o10 -10\""},
      {"'%#06x' % 255", "\"0x00ff\""},
      {"'%x' % 1.5", "type: %x needs a whole number, not number 1.5"},
      {"'%d' % 'a'", "type: %d needs a number, not text \"a\""},
  });
}

TEST(PercentFormat, Reals) {
  expect_results({
      {"'%f|%.2f|%8.3f|%-8.1f|' % (1.5, 2.675, 3.14159, 1)", "\"1.500000|2.67|   3.142|1.0     |\""},
      {"'%e %E %.0e %#.0e' % (12345.678, 1.0, 15.0, 15.0)", "\"1.234568e+04 1.000000E+00 2e+01 2.e+01\""},
      {"'%g %g %G %#g %.3g' % (0.0001, 1e-5, 1e20, 1.0, 1234.5)", "\"0.0001 1e-05 1E+20 1.00000 1.23e+03\""},
      {"'%+08.2f|% .1f' % (-1.5, 2.0)", "\"-0001.50| 2.0\""},
      {"'%.0f' % 0.5", "\"0\""},
      {"'%f' % '1'", "type: "},
  });
}

TEST(PercentFormat, TextAndCharacters) {
  expect_results({
      {"'%s %r %a' % ('é', 'é', 'é')", R"("é 'é' '\\xe9'")"},
      {"'%5s|%-5s|%.2s|%05s' % ('日', 'b', 'abc', 'd')", "\"    日|b    |ab|    d\""},
      {"'%c%c' % (97, 'é')", "\"aé\""},
      {"'%c' % 1114112", "value: "},
      {"'%s' % none", "\"None\""},
      {"'100%%' % ()", "\"100%\""},
  });
}

TEST(PercentFormat, ArgumentsAreAListOrAMapOrOneValue) {
  expect_results({
      {"'%(a)s %(b.c)d' % {'a': [1], 'b.c': 2}", "\"[1] 2\""},
      {"'%s' % {'a': 1}", "\"{'a': 1}\""},
      {"'plain' % {'a': 1}", "\"plain\""},
      {"'%(a)s' % 5", "type: a format with %(name) needs a map of arguments"},
      {"'%(x)s' % {'a': 1}", "undefined: the format asks for 'x'"},
      {"'%*d|%-*d|%.*f' % (4, 1, 4, 2, 1, 2.55)", "\"   1|2   |2.5\""},
      {"'%*d' % ('a', 1)", "type: "},
      {"'%s %s' % (1,)", "type: the format needs more arguments than it was given"},
      {"'%s' % (1, 2)", "type: "},
      {"'%' % 1", "value: the format ends inside a % conversion"},
      {"'%y' % 1", "value: the format has the unknown conversion %y"},
      {"'%(a' % {'a': 1}", "value: "},
  });
}

TEST(PercentFormat, WidthsAreBounded) {
  expect_results({
      {"'%999999999d' % 1", "size: "},
      {"'%.999999999f' % 1.0", "size: "},
      {"'%*s' % (9223372036854775807, 'a')", "size: "},
  });
}

}  // namespace
}  // namespace stepwell
