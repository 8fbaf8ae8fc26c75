#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/expr/builtin.h"
#include "stepwell/expr/error.h"
#include "stepwell/value/path.h"
#include "stepwell/value/value.h"

namespace stepwell {

// The instructions of the stack machine. `a` and `b` are the fields of Instruction; "pops" and "pushes" tell what
// happens to the stack.
enum class Op : std::uint8_t {
  constant,       // pushes constants[a]
  nothing,        // pushes undefined: an inline if without else
  path,           // pops the keys that paths[a] takes from the stack, pushes what is there, or undefined
  local,          // pushes local a
  local_or,       // if local a is set: pushes it and jumps to b
  store,          // pops into local a
  store_member,   // pops a value into member constants[b] of the map in local a
  clear,          // unsets b locals from a on
  member,         // pops a subject, pushes its member constants[a], or undefined
  item,           // pops key and subject, pushes the item, or undefined
  slice,          // pops step, stop, start and subject
  list,           // pops a items
  map,            // pops a pairs of key and value
  negate,         //
  plus,           //
  invert,         //
  arithmetic,     // pops right and left; a is an Arithmetic
  concat,         // pops a parts, pushes the text of all
  compare,        // pops right and left; a is a Comparison
  compare_chain,  // compares as `compare`; if false pops both, pushes false and jumps to b; else pops only the left
  jump,           // to b
  jump_if_not,    // pops; jumps to b if false
  and_jump,       // jumps to b if the top is false, else pops it
  or_jump,        // jumps to b if the top is true, else pops it
  use_default,    // pops flag, fallback and subject: the default filter
  is_defined,     // pops, pushes whether it was defined
  call,           // pops the arguments of calls[a], pushes the result
  text,           // writes constants[a]
  print,          // pops, writes its text
  capture,        // what is written from here on is kept apart
  captured,       // pushes what was written since `capture`
  loop_begin,     // pops a collection and opens a loop over it
  loop_next,      // pushes the next item, or jumps to b if there is none
  loop_end,       // closes the innermost loop; jumps to b if it had any items
  loop_keep,      // keeps the current item for loop_kept
  loop_kept,      // closes the innermost loop and pushes the list of what it kept
  loop_field,     // pushes field b (a LoopField) of the loop a levels out
  loop_cycle,     // pops b values, pushes the one whose turn it is in the loop a levels out
  loop_changed,   // pops b values, pushes whether they differ from the last time in the loop a levels out
  unpack,         // pops a list of exactly a items and pushes them, the last one first
  done,           // ends; the result is the top of the stack, or the text written
};

enum class LoopField : std::uint8_t {
  index,
  index0,
  revindex,
  revindex0,
  first,
  last,
  length,
  previtem,
  nextitem,
  depth,
  depth0,
};

struct Instruction {
  Op op;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

// Where an instruction comes from.
struct Origin {
  Span expression;       // the expression of the statement
  std::uint32_t at = 0;  // where a caret points
};

// A way into an input: constant keys, or null where the key comes from the stack.
struct PathPlan {
  std::uint32_t root = 0;
  std::vector<Value> keys = {};
  std::uint32_t from_stack = 0;
  std::vector<std::uint32_t> places = {};  // where the root and each key stand in the source
};

enum class CallKind : std::uint8_t { filter, test, function, method };

// A call with its arguments already bound to the parameters.
struct CallPlan {
  const Builtin* builtin = nullptr;
  CallKind kind = CallKind::filter;
  std::uint32_t count = 0;                 // values on the stack
  std::uint32_t present = 0;               // bit i: the i-th of them was given
  bool undefined_is_none = false;          // coalesce
  std::vector<std::string> keywords = {};  // free_form: names of the last values
};

// A compiled expression or template. Immutable; may be evaluated by many threads at once.
struct Program {
  std::string source;
  bool makes_text = false;
  std::vector<Instruction> code;
  std::vector<Origin> origins;  // one for each instruction
  std::vector<Value> constants;
  std::vector<PathPlan> paths;
  std::vector<CallPlan> calls;
  std::uint32_t locals = 0;
  std::uint32_t max_stack = 0;

  // Static facts.
  std::vector<std::string> roots;  // names read from outside, in order of first use; evaluate() takes one input each
  std::vector<Path> reads;         // constant paths read, sorted, none twice; a key known only at run time ends one
  std::vector<std::string> uses;   // built-ins that the source names, sorted: "filter:upper"; see uses_of
  bool pure = true;                // does not ask for now(), uuid(), random() or secret()

  // Whether the program looks at `path`, at something inside it, or at a whole that contains it.
  bool reads_any_of(const Path& path) const;
  // A constant: reads nothing and always gives this value.
  const Value* constant() const;
};

// The program as text, one instruction a line: what `stepwell eval --dump program` shows.
std::string dump(const Program& program);

}  // namespace stepwell
