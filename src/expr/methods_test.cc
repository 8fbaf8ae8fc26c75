#include "stepwell/expr/methods.h"

#include "stepwell/expr/testing/expressions.h"

namespace stepwell {
namespace {

using testing::expect_results;

TEST(Methods, OfMaps) {
  expect_results({
      {"{'a': 1}.get('a')", "1"},
      {"{'a': 1}.get('b')", "null"},
      {"{'a': 1}.get('b', 2)", "2"},
      {"{'a': 1}.get(1)", "null"},
      {"{'a': 1}.get([])", "type: "},
      {"{'b': 1, 'a': 2}.keys()", R"(["a","b"])"},
      {"{'b': 1, 'a': 2}.values()", "[2,1]"},
      {"{'b': 1, 'a': 2}.items()", R"([["a",2],["b",1]])"},
      {"'a'.get('b')", "undefined: "},
  });
}

TEST(Methods, SplitAndJoin) {
  expect_results({
      {"' a  b '.split()", R"(["a","b"])"},
      {"'a b  c '.split(none, 1)", R"(["a","b  c "])"},
      {"'a,b,,c'.split(',')", R"(["a","b","","c"])"},
      {"'a,b,c'.split(',', maxsplit=1)", R"(["a","b,c"])"},
      {"''.split(',')", R"([""])"},
      {"''.split()", "[]"},
      {"'a'.split('')", "value: sep must not be empty"},
      {"', '.join(['a', 'b'])", "\"a, b\""},
      {"'-'.join('abc')", "\"a-b-c\""},
      {"','.join([1])", "type: an item to join must be text"},
  });
}

TEST(Methods, BeginningsAndEnds) {
  expect_results({
      {"'héllo'.startswith('hé')", "true"},
      {"'héllo'.startswith('l', 2)", "true"},
      {"'héllo'.startswith('', 6)", "false"},
      {"'héllo'.startswith('', 5)", "true"},
      {"'héllo'.endswith('l', 0, -1)", "true"},
      {"'a.yaml'.endswith(('.yml', '.yaml'))", "true"},
      {"'a'.startswith(1)", "type: "},
      {"' a '.strip() ~ 'xax'.strip('x')", "\"aa\""},
      {"'aXa'.upper() ~ 'aXa'.lower()", "\"AXAaxa\""},
      {"'aaa'.replace('a', 'b', 2)", "\"bba\""},
      {"'aaa'.replace('a', 1)", "type: new must be text, not number 1"},
      {"5 .upper()", "undefined: "},
  });
}

}  // namespace
}  // namespace stepwell
