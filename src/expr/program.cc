#include "stepwell/expr/program.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "stepwell/base/check.h"
#include "stepwell/expr/operators.h"
#include "stepwell/expr/tree.h"
#include "stepwell/value/json_write.h"

namespace stepwell {

bool Program::reads_any_of(const Path& path) const {
  return std::ranges::any_of(reads, [&](const Path& read) { return read.lies_under(path) || path.lies_under(read); });
}

const Value* Program::constant() const {
  const bool is_constant = code.size() == 2 && code[0].op == Op::constant;
  return is_constant ? &constants[code[0].a] : nullptr;
}

namespace {

std::string_view op_name(Op op) {
  switch (op) {
    case Op::constant: return "constant";
    case Op::nothing: return "nothing";
    case Op::path: return "path";
    case Op::local: return "local";
    case Op::local_or: return "local_or";
    case Op::store: return "store";
    case Op::store_member: return "store_member";
    case Op::clear: return "clear";
    case Op::member: return "member";
    case Op::item: return "item";
    case Op::slice: return "slice";
    case Op::list: return "list";
    case Op::map: return "map";
    case Op::negate: return "negate";
    case Op::plus: return "plus";
    case Op::invert: return "not";
    case Op::arithmetic: return "arithmetic";
    case Op::concat: return "concat";
    case Op::compare: return "compare";
    case Op::compare_chain: return "compare_chain";
    case Op::jump: return "jump";
    case Op::jump_if_not: return "jump_if_not";
    case Op::and_jump: return "and_jump";
    case Op::or_jump: return "or_jump";
    case Op::use_default: return "default";
    case Op::is_defined: return "is_defined";
    case Op::call: return "call";
    case Op::text: return "text";
    case Op::print: return "print";
    case Op::capture: return "capture";
    case Op::captured: return "captured";
    case Op::loop_begin: return "loop_begin";
    case Op::loop_next: return "loop_next";
    case Op::loop_end: return "loop_end";
    case Op::loop_keep: return "loop_keep";
    case Op::loop_kept: return "loop_kept";
    case Op::loop_field: return "loop_field";
    case Op::loop_cycle: return "loop_cycle";
    case Op::loop_changed: return "loop_changed";
    case Op::unpack: return "unpack";
    case Op::done: return "done";
  }
  CHECK(false);
}

std::string path_text(const Program& program, const PathPlan& plan) {
  std::string text = program.roots[plan.root];
  for (const Value& key : plan.keys) {
    if (key.is_null()) {
      text += "[*]";
    } else {
      text += key.is_text() ? fmt::format(".{}", key.as_text()) : fmt::format("[{}]", key.as_int());
    }
  }
  return text;
}

std::string call_text(const CallPlan& plan) {
  constexpr std::string_view kWords[] = {"filter", "test", "function", "method"};
  std::string text =
      fmt::format("{} {} {}", kWords[static_cast<std::size_t>(plan.kind)], plan.builtin->name, plan.count);
  if (!plan.keywords.empty()) text += fmt::format(" ({})", fmt::join(plan.keywords, ", "));
  return text;
}

std::string operands(const Program& program, const Instruction& instruction) {
  const auto [op, a, b] = instruction;
  switch (op) {
    case Op::constant:
    case Op::text: return to_json(program.constants[a]);
    case Op::member: return std::string(program.constants[a].as_text());
    case Op::path: return path_text(program, program.paths[a]);
    case Op::call: return call_text(program.calls[a]);
    case Op::arithmetic: return std::string(symbol(static_cast<Arithmetic>(a)));
    case Op::compare: return std::string(symbol(static_cast<Comparison>(a)));
    case Op::compare_chain: return fmt::format("{} else {}", symbol(static_cast<Comparison>(a)), b);
    case Op::local:
    case Op::store:
    case Op::list:
    case Op::map:
    case Op::concat:
    case Op::unpack: return fmt::to_string(a);
    case Op::local_or: return fmt::format("{} then {}", a, b);
    case Op::store_member: return fmt::format("{} {}", a, program.constants[b].as_text());
    case Op::clear: return fmt::format("{} to {}", a, a + b);
    case Op::jump:
    case Op::jump_if_not:
    case Op::and_jump:
    case Op::or_jump:
    case Op::loop_next:
    case Op::loop_end: return fmt::to_string(b);
    case Op::loop_field:
    case Op::loop_cycle:
    case Op::loop_changed: return fmt::format("{} {}", a, b);
    default: return "";
  }
}

}  // namespace

std::string dump(const Program& program) {
  std::string out;
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    const std::string fields = operands(program, program.code[i]);
    out += fmt::format("{:>4} {}{}{}\n", i, op_name(program.code[i].op), fields.empty() ? "" : " ", fields);
  }
  for (const Path& path : program.reads) out += fmt::format("reads {}\n", path.str());
  return out;
}

}  // namespace stepwell
