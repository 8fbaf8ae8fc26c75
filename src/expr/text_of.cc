#include "stepwell/expr/text_of.h"

#include <iterator>

#include <fmt/format.h>

#include "stepwell/expr/code_points.h"
#include "stepwell/expr/operators.h"
#include "stepwell/expr/unicode.h"
#include "stepwell/value/blob_ref.h"
#include "stepwell/value/number_text.h"

namespace stepwell {
namespace {

OrFault<void> append(std::string& out, std::string_view more, Budget& budget) {
  if (auto allowed = budget.spend_append(out.size(), more.size()); !allowed) return allowed;
  out += more;
  return {};
}

void append_escaped(std::string& out, char32_t c) {
  const auto number = static_cast<std::uint32_t>(c);
  if (c == '\n') {
    out += "\\n";
  } else if (c == '\r') {
    out += "\\r";
  } else if (c == '\t') {
    out += "\\t";
  } else if (number < 0x100) {
    fmt::format_to(std::back_inserter(out), "\\x{:02x}", number);
  } else if (number < 0x10000) {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", number);
  } else {
    fmt::format_to(std::back_inserter(out), "\\U{:08x}", number);
  }
}

OrFault<void> append_quoted(std::string& out, std::string_view text, Budget& budget) {
  if (auto allowed = budget.spend_append(out.size(), text.size()); !allowed) return allowed;
  const bool has_single = text.find('\'') != std::string_view::npos;
  const char quote = has_single && text.find('"') == std::string_view::npos ? '"' : '\'';
  out += quote;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t from = at;
    const char32_t c = next_code_point(text, at);
    if (c == static_cast<unsigned char>(quote) || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (is_printable(c)) {
      out += text.substr(from, at - from);
    } else {
      append_escaped(out, c);
    }
  }
  out += quote;
  return budget.spend_append(out.size(), 0);  // escapes may have made it longer than asked for
}

OrFault<void> append_items(std::string& out, std::span<const Value> items, Budget& budget) {
  out += '[';
  for (const Value& item : items) {
    if (&item != items.data()) out += ", ";
    if (auto done = append_repr_of(out, item, budget); !done) return done;
  }
  out += ']';
  return {};
}

OrFault<void> append_members(std::string& out, std::span<const Member> members, Budget& budget) {
  out += '{';
  for (const Member& member : members) {
    if (&member != members.data()) out += ", ";
    if (auto done = append_quoted(out, member.key(), budget); !done) return done;
    out += ": ";
    if (auto done = append_repr_of(out, member.value, budget); !done) return done;
  }
  out += '}';
  return {};
}

}  // namespace

OrFault<void> append_repr_of(std::string& out, const Value& value, Budget& budget) {
  switch (value.kind()) {
    case Kind::null: return append(out, "None", budget);
    case Kind::boolean: return append(out, value.as_bool() ? "True" : "False", budget);
    case Kind::integer: return append(out, fmt::format_int(value.as_int()).c_str(), budget);
    case Kind::real: {
      std::string digits;
      append_real(digits, value.as_real());
      return append(out, digits, budget);
    }
    case Kind::text: return append_quoted(out, value.as_text(), budget);
    case Kind::list: return append_items(out, value.as_list(), budget);
    case Kind::map:
      if (is_blob_ref(value)) return untouchable(value);
      return append_members(out, value.as_map(), budget);
  }
  CHECK(false);
}

OrFault<void> append_text_of(std::string& out, const Value& value, Budget& budget) {
  if (value.is_text()) return append(out, value.as_text(), budget);
  return append_repr_of(out, value, budget);
}

std::string ascii_escaped(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, at);
    if (c < 0x80) {
      out += static_cast<char>(c);
    } else {
      append_escaped(out, c);
    }
  }
  return out;
}

OrFault<std::string> text_of(const Value& value, Budget& budget) {
  std::string out;
  if (auto done = append_text_of(out, value, budget); !done) return std::unexpected(done.error());
  return out;
}

}  // namespace stepwell
