#include "stepwell/expr/filters_markup.h"

#include "stepwell/expr/testing/expressions.h"

namespace stepwell {
namespace {

using testing::expect_results;

TEST(FiltersMarkup, EscapeAndBack) {
  expect_results({
      {"'<a href=\"x\">\\'&' | e", R"("&lt;a href=&#34;x&#34;&gt;&#39;&amp;")"},
      {"[1, '<'] | escape", R"("[1, &#39;&lt;&#39;]")"},
      {"'<p>a  &amp; <b>b</b></p>' | striptags", "\"a & b\""},
      {"'a<!-- <b> -->c < d' | striptags", "\"ac < d\""},
      {"'&#65;&#x42;&#128;&#0;&copy;&ampx;&nope;&' | striptags", R"("AB€�©&x;&nope;&")"},
      {"'a<b' | striptags", "\"a<b\""},
  });
}

TEST(FiltersMarkup, UrlsAndAttributes) {
  expect_results({
      {"'a b/ü?' | urlencode", "\"a%20b/%C3%BC%3F\""},
      {"{'q': 'a b/', 'n': none} | urlencode", "\"n=None&q=a+b%2F\""},
      {"[['a', 1], 'bc'] | urlencode", "\"a=1&b=c\""},
      {"[[1]] | urlencode", "type: an item of urlencode must be a pair of name and value, not list [1]"},
      {"5 | urlencode", "\"5\""},
      {"{'id': 'a\"', 'x': none, 'class': 1} | xmlattr", R"(" id=\"a&#34;\" class=\"1\"")"},
      {"{'a': 1} | xmlattr(false)", R"("a=\"1\"")"},
      {"{} | xmlattr", "\"\""},
      {"{'a b': 1} | xmlattr", "value: \"a b\" cannot be the name of an attribute"},
  });
}

TEST(FiltersMarkup, WordwrapBreaksWhereTextwrapDoes) {
  expect_results({
      {"'one two three' | wordwrap(7)", R"("one two\nthree")"},
      {"'goof-ball time' | wordwrap(6)", R"("goof-\nball\ntime")"},
      {"'goof-ball' | wordwrap(6, break_on_hyphens=false)", R"("goof-b\nall")"},
      {"'abcdefgh' | wordwrap(3)", R"("abc\ndef\ngh")"},
      {"'abcdefgh x' | wordwrap(3, false)", R"("abcdefgh\nx")"},
      {"'a b\\n\\nc d' | wordwrap(1, wrapstring='/')", R"("a/b//c/d")"},
      {"'well--known' | wordwrap(6)", R"("well--\nknown")"},
      {"'a' | wordwrap(0)", "value: width must be above 0, not 0"},
      {"'' | wordwrap(0)", "\"\""},
      {"5 | wordwrap", "type: "},
  });
}

}  // namespace
}  // namespace stepwell
