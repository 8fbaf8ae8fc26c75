#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace stepwell {

// What a tool's field holds. A field given by an expression is checked when it is rendered, anything else at load. A
// command is a list of arguments or a text for a shell; values that a template puts into the text are quoted.
enum class FieldShape : std::uint8_t { any, text, word, command, map, list, boolean, duration, schema };

struct ToolField {
  std::string_view name;
  FieldShape shape;
  bool required = false;
  std::span<const std::string_view> words = {};  // what a `word` may be
};

// What a built-in tool kind takes, declared here so that a playbook is checked without the tool itself.
struct ToolKind {
  std::string_view name;
  std::span<const ToolField> fields;
  // At most one of these two fields can be given; empty if there is no such pair.
  std::string_view either = {};
  std::string_view other = {};
  bool one_needed = true;  // and not none of them
  // What its fields hold is written to the journal, so no secret may be in it.
  bool recorded = false;
};

// nullptr for a kind that is not built in.
const ToolKind* find_tool_kind(std::string_view name);
std::span<const ToolKind> all_tool_kinds();

bool is_command(std::string_view kind, std::string_view field);

}  // namespace stepwell
