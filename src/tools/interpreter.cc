#include "stepwell/tools/interpreter.h"

#include <memory>

#include <fmt/format.h>

#include "stepwell/base/limits.h"
#include "stepwell/tools/call_fields.h"
#include "stepwell/tools/child_outcome.h"
#include "stepwell/tools/child_process.h"
#include "stepwell/tools/text_of_bytes.h"
#include "stepwell/tools/tool_error.h"
#include "stepwell/value/json_read.h"
#include "stepwell/value/json_write.h"

namespace stepwell {
namespace {

// The code becomes the body of a function, so that it may return; positions stay those of the code.
constexpr std::string_view kPythonStarter = R"py(
import ast, json, os, sys, traceback
given = json.load(sys.stdin)
answer = os.fdopen(3, "w", encoding="utf-8")
os.set_inheritable(3, False)
name = given.get("file", "<code>")
try:
    code = given.get("code")
    if code is None:
        sys.path.insert(0, os.path.dirname(os.path.abspath(name)))
        with open(name, encoding="utf-8") as source:
            code = source.read()
    tree = ast.parse(code, name)
    body = ast.parse("def main(args): pass")
    body.body[0].body = tree.body or body.body[0].body
    scope = {"__name__": "__stepwell__", "__file__": name}
    exec(compile(body, name, "exec"), scope)
    text = json.dumps({"value": scope["main"](given["args"])}, allow_nan=False)
except Exception as error:
    traceback.print_exc()
    text = json.dumps({"error": traceback.format_exception_only(error)[-1].strip()})
answer.write(text)
answer.close()
)py";

constexpr std::string_view kNodeStarter = R"js(
const fs = require("fs"), path = require("path"), {createRequire} = require("module");
const given = JSON.parse(fs.readFileSync(0, "utf8"));
const home = path.resolve(given.file ?? "code.js");
const answer = (text) => { fs.writeFileSync(3, text); fs.closeSync(3); };
(async () => {
  try {
    const code = given.code ?? fs.readFileSync(home, "utf8");
    const AsyncFunction = (async () => {}).constructor;
    const main = new AsyncFunction("args", "require", "__filename", "__dirname", code);
    const value = await main(given.args, createRequire(home), home, path.dirname(home));
    answer(JSON.stringify({value: value === undefined ? null : value}));
  } catch (error) {
    console.error(error);
    answer(JSON.stringify({error: String(error)}));
  }
})();
)js";

}  // namespace

TaskOutcome InterpreterTool::run(const ToolCall& call) {
  CallFields fields(call);
  const std::string_view code = fields.optional_text("code");
  const std::string_view file = fields.optional_text("file");
  std::vector<Member> given = {{"args", fields.map("args")}};
  if (fields.find("code") != nullptr) given.push_back({"code", Value(code)});
  if (fields.find("file") != nullptr) given.push_back({"file", Value(file)});
  if (given.size() != 2) fields.refuse("code", "there, or else 'file'");
  if (auto wrong = fields.wrong()) return *wrong;

  const ChildProgram program{.argv = {program_, option_, starter_},
                             .environment = child_environment(call),
                             .input = to_json(Value::map(std::move(given))),
                             .answers = true,
                             .deadline = call.deadline,
                             .stop = call.stop,
                             .output_bytes = call.result_bytes,
                             .progress = call.progress};
  const auto end = run_child(program);
  if (!end) return not_started(fmt::format("{}; the tool '{}' needs it", end.error(), call.kind));
  if (auto cut_short = cut_short_outcome(*end, program)) return *cut_short;
  if (exit_code(*end) == 0 && !end->answer.empty()) return answered(end->answer);
  Value details = Value::map({{"stdout", Value(text_of_bytes(end->output))},
                              {"stderr", Value(text_of_bytes(end->errors))},
                              {"exit_code", exit_code(*end)}});
  if (exit_code(*end) == 0) {
    return failed(
        {.kind = "tool", .message = "the program ended before it had a result", .details = std::move(details)});
  }
  return exit_failure(*end, "the program", std::move(details));
}

TaskOutcome InterpreterTool::answered(std::string_view answer) const {
  const auto read = parse_json(answer, {.depth = limits::kDataDepth, .bytes = limits::kDocumentBytes});
  if (!read) {
    return failed({.kind = "json",
                   .message = fmt::format("what the program returned is no value: {}", read.error().to_string())});
  }
  if (const Value* value = read->find("value")) return {.result = *value};
  const Value* error = read->find("error");
  const bool told = error != nullptr && error->is_text();
  return failed({.kind = "tool", .message = told ? std::string(error->as_text()) : "the program failed"});
}

std::shared_ptr<Tool> make_python_tool() { return std::make_shared<InterpreterTool>("python3", "-c", kPythonStarter); }

std::shared_ptr<Tool> make_node_tool() { return std::make_shared<InterpreterTool>("node", "-e", kNodeStarter); }

}  // namespace stepwell
