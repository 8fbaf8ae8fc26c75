#include "stepwell/expr/secrets.h"

#include "stepwell/expr/testing/expressions.h"

namespace stepwell {
namespace {

class OneSecret : public Secrets {
 public:
  std::optional<std::string> find(std::string_view name) const override {
    return name == "api_key" ? std::optional<std::string>("hunter2") : std::nullopt;
  }
};

std::expected<Value, ExprError> told(std::string_view source) {
  const auto program = compile_template(source);
  if (!program) return std::unexpected(program.error());
  const OneSecret secrets;
  Ambient ambient{.stamp = {}, .draws = 0, .secrets = &secrets};
  return evaluate(*program, std::vector<Input>(program->roots.size()), ambient);
}

TEST(Secrets, AreToldByWhoKnowsThem) {
  EXPECT_EQ(*told("Bearer {{ secret('api_key') }}"), Value("Bearer hunter2"));
  EXPECT_EQ(*told("{{ secret(name='api_key') | upper }}"), Value("HUNTER2"));
  EXPECT_EQ(told("{{ secret('other') }}").error().message, "there is no secret 'other'");
}

TEST(Secrets, AreNotKnownWhereNobodyHandsThemIn) {
  EXPECT_EQ(testing::eval("secret('api_key')"),
            "secret: the secret 'api_key' is not known here: only tools are told in 'secret('api_key')' at 1");
}

TEST(Secrets, AreNeverPartOfAProgram) {
  const auto program = compile_expression("secret('api_key') == 'x'");
  ASSERT_TRUE(program);
  EXPECT_EQ(program->constant(), nullptr);
  EXPECT_FALSE(program->pure);
  EXPECT_TRUE(names_secrets(*program));
  EXPECT_FALSE(names_secrets(*compile_expression("'secret' | upper")));
}

TEST(Secrets, AreNamedByOneNameWrittenOut) {
  for (const char* source : {"secret()", "secret(x)", "secret('a' ~ 'b')", "secret('a-b')", "secret('')", "secret(1)",
                             "secret('9')", "[1] | map('upper') | first ~ secret(ctx.name)"}) {
    const auto program = compile_expression(source);
    ASSERT_FALSE(program) << source;
  }
  const auto error = compile_expression("1 ~ secret(x)").error();
  EXPECT_EQ(error.summary(), "secret() takes one name, written out: secret('api_key') in 'secret(x)' at 5");
}

// Whatever goes wrong with a secret, its text is in no part of the error.
TEST(Secrets, AreShownByNoError) {
  for (const char* source :
       {"{{ secret('api_key') + 1 }}", "{{ secret('api_key') | round }}", "{{ {}[secret('api_key')] }}",
        "{{ ctx[secret('api_key')] }}", "{{ 'a' | center(secret('api_key')) }}", "{{ secret('api_key') | fromjson }}",
        "{{ range(secret('api_key')) }}"}) {
    const auto result = told(source);
    ASSERT_FALSE(result) << source;
    const ExprError& error = result.error();
    EXPECT_FALSE((error.describe() + error.detail).contains("hunter2")) << error.describe();
    EXPECT_FALSE(error.path) << source;
  }
  EXPECT_EQ(told("{{ secret('api_key') + 1 }}").error().message, "type error, not told because a secret may be in it");
}

}  // namespace
}  // namespace stepwell
