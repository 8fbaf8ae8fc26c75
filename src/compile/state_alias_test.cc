#include "stepwell/compile/state_alias.h"

#include <gtest/gtest.h>

#include "stepwell/expr/parser.h"

namespace stepwell {
namespace {

// Whether two templates are one once the alias is lowered.
bool same(std::string_view a, std::string_view b) {
  auto left = parse_template(a);
  auto right = parse_template(b);
  EXPECT_EQ(lower_state_alias(left->root), nullptr) << a;
  EXPECT_EQ(lower_state_alias(right->root), nullptr) << b;
  return same_tree(left->root, right->root);
}

std::string rebound(std::string_view source) {
  auto tree = parse_template(source);
  const Node* node = lower_state_alias(tree->root);
  return node == nullptr ? "nothing" : std::string(node->value.as_text());
}

TEST(StateAlias, IsCtxWhereverItIsRead) {
  EXPECT_TRUE(same("{{ state.a + state['b'] }}", "{{ ctx.a + ctx['b'] }}"));
  EXPECT_TRUE(same("{% if state.a %}{% set x = state.b %}{{ x }}{% endif %}",
                   "{% if ctx.a %}{% set x = ctx.b %}{{ x }}{% endif %}"));
  EXPECT_FALSE(same("{{ workload.state }}", "{{ workload.ctx }}"));
}

TEST(StateAlias, IsNotTheItemOfALoop) {
  EXPECT_TRUE(same("{% for state in state.all if state %}{{ state }}{% else %}{{ state }}{% endfor %}{{ state }}",
                   "{% for state in ctx.all if state %}{{ state }}{% else %}{{ ctx }}{% endfor %}{{ ctx }}"));
}

TEST(StateAlias, CannotBeGivenAnotherMeaningInPassing) {
  EXPECT_EQ(rebound("{% if x %}{% set state = 1 %}{% endif %}{{ state }}"), "state");
  EXPECT_EQ(rebound("{% set a, ctx = x %}"), "ctx");
  EXPECT_EQ(rebound("{% for ctx in x %}{{ state }}{% endfor %}"), "ctx");
  EXPECT_EQ(rebound("{% set ctx %}x{% endset %}"), "ctx");
  EXPECT_EQ(rebound("{% set other = state %}"), "nothing");
}

TEST(StateAlias, IsLoweredInPaths) {
  EXPECT_EQ(lower_state_alias(*Path::parse("state.a[0]")).str(), "ctx.a[0]");
  EXPECT_EQ(lower_state_alias(*Path::parse("a.state")).str(), "a.state");
}

}  // namespace
}  // namespace stepwell
