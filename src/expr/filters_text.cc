#include "stepwell/expr/filters_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "stepwell/base/utf8.h"
#include "stepwell/expr/arguments.h"
#include "stepwell/expr/code_points.h"
#include "stepwell/expr/operators.h"
#include "stepwell/expr/percent_format.h"
#include "stepwell/expr/text_case.h"
#include "stepwell/expr/text_of.h"
#include "stepwell/expr/text_parts.h"
#include "stepwell/expr/unicode.h"

namespace stepwell {
namespace {

// The text of the subject, with the spending for a result of about the same size.
OrFault<std::string> subject_text(Call& call) {
  auto text = text_of(call[0], call.budget);
  if (!text) return text;
  if (auto allowed = call.budget.spend_text(text->size()); !allowed) return std::unexpected(allowed.error());
  return text;
}

OrFault<Value> in_case(Call& call, std::string (*convert)(std::string_view)) {
  const auto text = subject_text(call);
  if (!text) return std::unexpected(text.error());
  return Value(convert(*text));
}

bool separates_words(char32_t c) { return c == '-' || c == '(' || c == '{' || c == '[' || c == '<' || is_space(c); }

// What the lines after the first begin with.
OrFault<std::string> indentation(const Call& call) {
  if (call.has(1) && call[1].is_text()) return std::string(call[1].as_text());
  const auto width = whole_number_or(call, 1, "width", 4);
  if (!width) return std::unexpected(width.error());
  const auto spaces = static_cast<std::size_t>(std::max<std::int64_t>(*width, 0));
  if (auto allowed = call.budget.spend_text(spaces); !allowed) return std::unexpected(allowed.error());
  return std::string(spaces, ' ');
}

}  // namespace

OrFault<Value> filter_capitalize(Call& call) { return in_case(call, capitalized); }
OrFault<Value> filter_lower(Call& call) { return in_case(call, lower_case); }
OrFault<Value> filter_upper(Call& call) { return in_case(call, upper_case); }

OrFault<Value> filter_center(Call& call) {
  const auto width = whole_number_or(call, 1, "width", 80);
  if (!width) return std::unexpected(width.error());
  const auto text = subject_text(call);
  if (!text) return std::unexpected(text.error());
  const auto size = static_cast<std::int64_t>(utf8::length(*text));
  if (*width <= size) return Value(*text);
  const auto padding = static_cast<std::size_t>(*width - size);
  if (auto allowed = call.budget.spend_append(text->size(), padding); !allowed) return std::unexpected(allowed.error());
  const std::size_t left = padding / 2 + (padding & static_cast<std::size_t>(*width) & 1);  // Python's choice
  return Value(std::string(left, ' ') + *text + std::string(padding - left, ' '));
}

OrFault<Value> filter_format(Call& call) {
  const auto text = subject_text(call);
  if (!text) return std::unexpected(text.error());
  const std::span<const Value> args = call.args.subspan(1);
  if (!args.empty() && !call.keywords.empty())
    return fault(FaultCode::type, "filter 'format' takes arguments by position or by name, not both");
  if (call.keywords.empty()) {
    auto list = list_value({args.begin(), args.end()});
    if (!list) return list;
    return percent_format(*text, *list, call.budget);
  }
  std::vector<Member> members;
  for (const KeywordArgument& keyword : call.keywords) members.push_back({keyword.name, keyword.value});
  auto map = map_value(std::move(members));
  if (!map) return map;
  return percent_format(*text, *map, call.budget);
}

OrFault<Value> filter_indent(Call& call) {
  const auto text = text_only(call[0], "the subject of indent");
  if (!text) return std::unexpected(text.error());
  const auto indent = indentation(call);
  if (!indent) return std::unexpected(indent.error());
  const bool blank = flag_or(call, 3, false);
  const std::string whole = std::string(*text) + '\n';
  if (auto allowed = call.budget.spend_text(whole.size()); !allowed) return std::unexpected(allowed.error());
  std::string out = flag_or(call, 2, false) ? *indent : "";
  bool first = true;
  for (const std::string_view line : split_lines(whole)) {
    if (auto allowed = call.budget.spend_append(out.size(), indent->size() + line.size() + 1); !allowed)
      return std::unexpected(allowed.error());
    if (!first) out += '\n';
    if (!first && (blank || !line.empty())) out += *indent;
    out += line;
    first = false;
  }
  return Value(out);
}

OrFault<Value> filter_replace(Call& call) {
  std::int64_t count = -1;
  if (call.has(3) && !call[3].is_null()) {
    const auto given = whole_number(call[3], "count");
    if (!given) return std::unexpected(given.error());
    count = *given;
  }
  const auto text = text_of(call[0], call.budget);
  if (!text) return std::unexpected(text.error());
  const auto old = text_of(call[1], call.budget);
  if (!old) return std::unexpected(old.error());
  const auto with = text_of(call[2], call.budget);
  if (!with) return std::unexpected(with.error());
  const auto out = replaced(*text, *old, *with, count, call.budget);
  if (!out) return std::unexpected(out.error());
  return Value(*out);
}

OrFault<Value> filter_string(Call& call) {
  if (call[0].is_text()) return call[0];
  const auto text = text_of(call[0], call.budget);
  if (!text) return std::unexpected(text.error());
  return Value(*text);
}

OrFault<Value> filter_title(Call& call) {
  const auto text = subject_text(call);
  if (!text) return std::unexpected(text.error());
  std::string out;
  for (std::size_t start = 0; start < text->size();) {
    std::size_t first_end = start;
    const bool separator = separates_words(next_code_point(*text, first_end));
    std::size_t end = first_end;
    for (std::size_t next = end; next < text->size(); end = next)
      if (separates_words(next_code_point(*text, next)) != separator) break;
    out += upper_case(std::string_view(*text).substr(start, first_end - start));
    out += lower_case(std::string_view(*text).substr(first_end, end - first_end));
    start = end;
  }
  return Value(out);
}

OrFault<Value> filter_trim(Call& call) {
  const auto text = subject_text(call);
  if (!text) return std::unexpected(text.error());
  if (!call.has(1) || call[1].is_null()) return Value(stripped(*text));
  const auto chars = text_only(call[1], "chars");
  if (!chars) return std::unexpected(chars.error());
  return Value(stripped(*text, *chars));
}

OrFault<Value> filter_truncate(Call& call) {
  constexpr std::int64_t kLeeway = 5;
  const auto text = text_only(call[0], "the subject of truncate");
  if (!text) return std::unexpected(text.error());
  const auto length = whole_number_or(call, 1, "length", 255);
  if (!length) return std::unexpected(length.error());
  const Value end_value = call.has(3) ? call[3] : Value("...");
  const auto end = text_only(end_value, "end");
  if (!end) return std::unexpected(end.error());
  const bool has_leeway = call.has(4) && !call[4].is_null();
  const auto leeway = has_leeway ? whole_number(call[4], "leeway") : kLeeway;
  if (!leeway) return std::unexpected(leeway.error());
  if (auto allowed = call.budget.spend_text(text->size()); !allowed) return std::unexpected(allowed.error());
  const auto end_size = static_cast<std::int64_t>(utf8::length(*end));
  if (*length < end_size)
    return fault(FaultCode::value,
                 fmt::format("length must be at least {}, the length of end, not {}", end_size, *length));
  if (*leeway < 0) return fault(FaultCode::value, fmt::format("leeway must not be negative, not {}", *leeway));
  if (static_cast<std::int64_t>(utf8::length(*text)) - *length <= *leeway) return call[0];
  std::string_view kept = text->substr(0, utf8::offset_of(*text, static_cast<std::size_t>(*length - end_size)));
  if (!flag_or(call, 2, false)) kept = kept.substr(0, kept.rfind(' '));
  return Value(std::string(kept) + std::string(*end));
}

OrFault<Value> filter_wordcount(Call& call) {
  const auto text = subject_text(call);
  if (!text) return std::unexpected(text.error());
  std::int64_t count = 0;
  bool inside = false;
  for (std::size_t at = 0; at < text->size();) {
    const bool word = is_word(next_code_point(*text, at));
    if (word && !inside) ++count;
    inside = word;
  }
  return count;
}

}  // namespace stepwell
