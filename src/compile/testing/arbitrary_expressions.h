#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "stepwell/base/check.h"
#include "stepwell/base/limits.h"
#include "stepwell/compile/testing/dice.h"
#include "stepwell/expr/lexer.h"

// Random expressions over names that can be read, and the same expression in another spelling.
namespace stepwell::testing {

class ArbitraryExpressions {
 public:
  // `paths` are what may be read: "ctx.total", "fetch.output".
  ArbitraryExpressions(Dice& dice, std::vector<std::string> paths) : dice_(dice), paths_(std::move(paths)) {}

  std::string path() { return dice_.of(paths_); }

  // Any expression. `levels` bounds how deep it nests.
  std::string expression(int levels = 2) {
    if (levels == 0 || dice_.one_in(4)) return dice_.flip() ? path() : constant();
    const auto inner = [&] { return fmt::format("({})", expression(levels - 1)); };
    switch (dice_.below(9)) {
      case 0: return fmt::format("not {}", inner());
      case 1: return fmt::format("{} if {} else {}", inner(), inner(), inner());
      case 2: return fmt::format("{} | default({})", inner(), expression(levels - 1));
      case 3: return fmt::format("{} | {}", inner(), dice_.word({"length", "upper", "string", "tojson", "sort"}));
      case 4: return fmt::format("{} is {}", inner(), dice_.word({"defined", "none", "not none", "string", "not odd"}));
      case 5: return fmt::format("{}.get('a b', {})", inner(), expression(levels - 1));
      case 6: return fmt::format("{}[{}]", inner(), dice_.word({"0", "'k'", "1:", ":-1", "::2"}));
      case 7: return fmt::format("[{}, {{'k': {}}}]", expression(levels - 1), expression(levels - 1));
      default: return fmt::format("{} {} {}", inner(), operation(), inner());
    }
  }

  // Never constant: what stands first has to be read.
  std::string condition() {
    return dice_.flip() ? path() : fmt::format("{} {} ({})", path(), operation(), expression(1));
  }

  // A text that computes something: a value, or text around values.
  std::string computed() {
    const std::string value = fmt::format("{{{{ {} }}}}", expression());
    if (!dice_.one_in(3)) return value;
    return fmt::format("a {} b{}", value, dice_.flip() ? "{% if " + path() + " %}!{% endif %}" : "");
  }

 private:
  std::string constant() {
    return dice_.word({"1", "0", "2.5", "'x'", "'it\\'s'", "\"é\"", "true", "none", "[]", "[1, 'a']", "{'k': 1}"});
  }
  std::string operation() {
    return dice_.word(
        {"+", "-", "*", "/", "//", "%", "**", "~", "==", "!=", "<", "<=", ">", ">=", "in", "not in", "and", "or"});
  }

  Dice& dice_;
  std::vector<std::string> paths_;
};

// The same expression with other white space and, sometimes, needless parentheses.
inline std::string respelled(Dice& dice, std::string_view expression) {
  const auto tokens = lex_expression(expression, limits::kExprSourceBytes);
  CHECK(tokens.has_value());
  std::string out;
  std::size_t end = 0;
  for (const Lexeme& token : *tokens) {
    const bool apart = token.span.begin > end;
    if (apart || dice.one_in(5)) out += dice.word({" ", " ", "  ", "\t", "\n", " \n "});
    out += expression.substr(token.span.begin, token.span.end - token.span.begin);
    end = token.span.end;
  }
  return dice.one_in(4) ? "(" + out + ")" : out;
}

}  // namespace stepwell::testing
