#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "stepwell/compile/testing/dice.h"
#include "stepwell/compile/testing/yaml_scalars.h"
#include "stepwell/value/json_write.h"
#include "stepwell/value/value.h"

namespace stepwell::testing {

// Prints a value as YAML in one of the many ways in which people do: order of keys, blocks and brackets, quotes,
// breaks, comments and indentation are the dice's.
class YamlPrinter {
 public:
  explicit YamlPrinter(Dice& dice) : dice_(dice) {}

  std::string document(const Value& value) {
    if (dice_.one_in(12)) return to_json(value);
    if (dice_.one_in(12)) return to_json_pretty(value);
    out_ = dice_.one_in(4) ? "---\n" : "";
    if (is_block(value)) {
      block(value, 0, false);
    } else {
      out_ += flow(value, 0) + "\n";
    }
    if (dice_.one_in(4)) out_ += "...\n";
    return std::move(out_);
  }

 private:
  static bool is_collection(const Value& value) { return value.is_list() || value.is_map(); }
  static bool is_empty(const Value& value) {
    return value.is_list() ? value.as_list().empty() : value.as_map().empty();
  }
  bool is_block(const Value& value) { return is_collection(value) && !is_empty(value) && !dice_.one_in(4); }

  static std::string pad(std::size_t indent) { return std::string(indent, ' '); }

  std::vector<Member> in_any_order(const Value& map) {
    std::vector<Member> members(map.as_map().begin(), map.as_map().end());
    dice_.shuffle(members);
    return members;
  }

  void maybe_comment(std::size_t indent) {
    if (dice_.one_in(20)) out_ += pad(indent) + "# a note: \"{{ no }}\" - [\n";
    if (dice_.one_in(20)) out_ += "\n";
  }

  // The entries of a list or map, each at `indent`; the first may stand in a line that has begun.
  void block(const Value& value, std::size_t indent, bool in_line) {
    if (value.is_map()) {
      for (const Member& member : in_any_order(value)) {
        begin_entry(indent, in_line);
        out_ += key(dice_, member.key()) + (dice_.one_in(10) ? " :" : ":");
        after_indicator(member.value, indent, member.value.is_list() && dice_.flip() ? 0 : 1 + dice_.below(4), false);
      }
    } else {
      for (const Value& item : value.as_list()) {
        begin_entry(indent, in_line);
        out_ += "-";
        after_indicator(item, indent, 2, true);
      }
    }
  }

  void begin_entry(std::size_t indent, bool& in_line) {
    if (!in_line) {
      maybe_comment(indent);
      out_ += pad(indent);
    }
    in_line = false;
  }

  void after_indicator(const Value& value, std::size_t indent, std::size_t deeper, bool is_item) {
    if (is_block(value)) {
      const bool compact = is_item && dice_.flip();
      out_ += compact ? " " : "\n";
      block(value, indent + deeper, compact);
    } else if (value.is_text() && dice_.one_in(3) && can_be_block_text(value.as_text())) {
      out_ += " " + block_text(dice_, value.as_text(), indent + 1 + dice_.below(3));
    } else {
      const std::string text = is_collection(value) ? flow(value, indent + 1) : scalar(dice_, value, false);
      out_ += (text.empty() ? "" : " ") + text + (dice_.one_in(20) ? "  # so\n" : "\n");
    }
  }

  std::string flow(const Value& value, std::size_t indent) {
    if (!is_collection(value)) return scalar(dice_, value, true);
    std::vector<std::string> parts;
    if (value.is_list()) {
      for (const Value& item : value.as_list()) parts.push_back(flow(item, indent + 1));
    } else {
      for (const Member& member : in_any_order(value)) {
        parts.push_back(key(dice_, member.key(), true) + ": " + flow(member.value, indent + 1));
      }
    }
    const std::string between = dice_.one_in(6) ? ",\n" + pad(indent + dice_.below(3)) : dice_.one_in(6) ? " , " : ", ";
    const char* space = dice_.one_in(3) ? " " : "";
    return fmt::format("{}{}{}{}{}", value.is_list() ? "[" : "{", space, fmt::join(parts, between), space,
                       value.is_list() ? "]" : "}");
  }

  Dice& dice_;
  std::string out_;
};

}  // namespace stepwell::testing
