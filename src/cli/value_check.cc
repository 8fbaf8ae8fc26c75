#include <istream>
#include <ostream>

#include <fmt/format.h>

#include "stepwell/cli/batch.h"
#include "stepwell/cli/input.h"
#include "stepwell/cli/options.h"
#include "stepwell/cli/value_commands.h"
#include "stepwell/value/json_read.h"
#include "stepwell/value/json_write.h"
#include "stepwell/value/schema.h"

// check: an instance against a JSON Schema. 0 it fits, 1 it does not, 2 there was nothing to check.
namespace stepwell::cli {
namespace {

Value to_value(const Violation& violation) {
  return Value::map({{"instance", violation.instance},
                     {"schema", violation.schema},
                     {"rule", violation.rule},
                     {"message", violation.message}});
}

Value to_value(const SchemaDiagnostic& diagnostic) {
  return Value::map({{"pointer", diagnostic.pointer}, {"message", diagnostic.message}, {"hint", diagnostic.hint}});
}

template <typename Item>
Value to_list(const std::vector<Item>& items) {
  std::vector<Value> values;
  values.reserve(items.size());
  for (const Item& item : items) values.push_back(to_value(item));
  return Value::list(std::move(values));
}

Value to_answer(const std::vector<Violation>& violations) {
  return Value::map({{"valid", violations.empty()}, {"violations", to_list(violations)}});
}

// "/lines/0: " before what is said about that place; nothing before what is said about the whole.
std::string prefix(std::string_view pointer) { return pointer.empty() ? "" : fmt::format("{}: ", pointer); }

ExitCode refuse_schema(Call& call, const std::string& file, const std::vector<SchemaDiagnostic>& diagnostics) {
  if (call.flags.json) call.out << to_json(Value::map({{"diagnostics", to_list(diagnostics)}})) << '\n';
  for (const auto& [pointer, message, hint] : diagnostics) {
    report(call, fmt::format("{}: {}{}{}{}", file, prefix(pointer), message, hint.empty() ? "" : "; ", hint));
  }
  return ExitCode::usage;
}

ExitCode answer_one(Call& call, const Schema& schema, const Value& instance) {
  const std::vector<Violation> violations = schema.validate(instance);
  if (call.flags.json) {
    call.out << to_json(to_answer(violations)) << '\n';
  } else if (!call.flags.quiet) {
    for (const Violation& violation : violations) {
      call.out << fmt::format("{}{} ({})\n", prefix(violation.instance), violation.message, violation.schema);
    }
    if (violations.empty()) call.out << "valid\n";
  }
  return violations.empty() ? ExitCode::ok : ExitCode::failed;
}

ExitCode run_check(const Command& command, Call& call) {
  std::string file;
  std::optional<std::string> json;
  bool batch = false;
  Options options(command);
  options.option("--schema", "FILE", file, "the JSON Schema, draft 7");
  options.argument("JSON", json, "the value; standard input if left out or -");
  options.flag("--batch", batch, kBatchHelp);
  if (auto ended = options.parse(call)) return *ended;

  if (batch && json) return refuse(call, "--batch takes the values from the standard input");
  const bool from_input = batch || !json || *json == "-";
  if (file == "-" && from_input) return refuse(call, "schema and value cannot both be standard input");
  const auto text = read_input(file, call.in);
  if (!text) return refuse(call, text.error());
  const auto source = parse_json(*text);
  if (!source) return refuse(call, fmt::format("{}: {}", file, source.error().to_string()));
  const auto schema = Schema::compile(*source);
  if (!schema) return refuse_schema(call, file, schema.error());
  if (batch) {
    return answer_lines(call, [&](std::string_view line) -> LineAnswer {
      const auto instance = parse_json(line);
      if (!instance) return refusal(code_name(instance.error().code), instance.error().to_string());
      return to_answer(schema->validate(*instance));
    });
  }

  const auto instance = parse_json(from_input ? read_all(call.in) : *json);
  if (!instance) return refuse(call, instance.error().to_string());
  return answer_one(call, *schema, *instance);
}

}  // namespace

const Command kValueCheck = {"check", "check a value against a JSON Schema",
                             "stepwell value check --schema order.schema.json '{\"id\": 1}'", run_check};

}  // namespace stepwell::cli
