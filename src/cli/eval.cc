#include <istream>
#include <ostream>

#include "stepwell/cli/commands.h"
#include "stepwell/cli/eval_batch.h"
#include "stepwell/cli/input.h"
#include "stepwell/cli/options.h"
#include "stepwell/cli/stamp.h"
#include "stepwell/expr/compiler.h"
#include "stepwell/expr/evaluator.h"
#include "stepwell/expr/parser.h"
#include "stepwell/value/json_read.h"
#include "stepwell/value/json_write.h"

namespace stepwell::cli {
namespace {

struct Wanted {
  std::optional<std::string> expression;
  std::optional<std::string> template_file;
  std::string context = "{}";
  std::optional<std::string> dump;
  bool batch = false;
};

ExitCode fail(Call& call, const ExprError& error, ExitCode code) {
  if (call.flags.json) {
    call.out << to_json(Value::map({{"error", error_value(error)}})) << '\n';
  } else {
    report(call, error.describe());
  }
  return code;
}

// What shall be evaluated: the file's text, or the argument. Either is a template if it looks like one.
std::expected<std::string, std::string> source_of(const Wanted& wanted, Call& call) {
  if (wanted.expression && wanted.template_file) return std::unexpected("give EXPR or --template, not both");
  if (wanted.template_file) return read_input(*wanted.template_file, call.in);
  if (wanted.expression) return *wanted.expression;
  return std::unexpected("what shall be evaluated? give EXPR, --template FILE or --batch");
}

ExitCode evaluate_one(const Wanted& wanted, Call& call) {
  const auto source = source_of(wanted, call);
  if (!source) return refuse(call, source.error());
  const auto context = parse_json(wanted.context);
  if (!context) return refuse(call, "--with is not JSON: " + context.error().to_string());
  if (!context->is_map()) return refuse(call, "--with must be a JSON object: what each name stands for");

  const bool is_template = wanted.template_file || looks_like_template(*source);
  const auto tree = is_template ? parse_template(*source) : parse_expression(*source);
  if (!tree) return fail(call, tree.error(), ExitCode::usage);
  const auto program = compile(*tree);
  if (!program) return fail(call, program.error(), ExitCode::usage);
  if (wanted.dump) {
    call.out << (*wanted.dump == "tree" ? dump(*tree) : dump(*program));
    return ExitCode::ok;
  }

  Ambient ambient{.stamp = fresh_stamp()};
  const auto value = evaluate(*program, inputs_from(*program, *context), ambient);
  if (!value) return fail(call, value.error(), ExitCode::failed);
  call.out << (value->is_text() && !call.flags.json ? value->as_text() : to_json(*value));
  // The text of a file comes out as it is, so that it can go to a file; anything else is a line for people.
  const bool exact = wanted.template_file && program->makes_text && !call.flags.json;
  if (!exact) call.out << '\n';
  return ExitCode::ok;
}

ExitCode run_eval(const Command& command, Call& call) {
  Wanted wanted;
  std::optional<std::string> context;
  Options options(command);
  options.argument("EXPR", wanted.expression, "a bare expression, or a template with {{ }}");
  options.option("--with", "JSON", context, "an object: what each name stands for");
  options.option("--template", "FILE", wanted.template_file,
                 "evaluate the template in a file; - is the standard input");
  options.option("--dump", "STAGE", wanted.dump, "show the tree or the program instead of evaluating");
  options.flag("--batch", wanted.batch,
               R"(read lines {"template" or "expr": "...", "context": {...}}, answer lines {"value"} or {"error"})");
  if (auto ended = options.parse(call)) return *ended;
  if (context) wanted.context = *context;
  if (wanted.dump && *wanted.dump != "tree" && *wanted.dump != "program") {
    return refuse(call, "--dump takes tree or program");
  }
  if (!wanted.batch) return evaluate_one(wanted, call);
  if (wanted.expression || wanted.template_file || context || wanted.dump) {
    return refuse(call, "--batch takes everything from the standard input");
  }
  return evaluate_lines(call);
}

}  // namespace

const Command kEval = {"eval", "evaluate an expression or a template",
                       "stepwell eval 'order.total > 100' --with '{\"order\": {\"total\": 120}}'", run_eval};

}  // namespace stepwell::cli
