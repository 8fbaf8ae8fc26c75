#include <algorithm>
#include <array>

#include "stepwell/expr/builtin.h"
#include "stepwell/expr/filters_data.h"
#include "stepwell/expr/filters_list.h"
#include "stepwell/expr/filters_markup.h"
#include "stepwell/expr/filters_number.h"
#include "stepwell/expr/filters_regex.h"
#include "stepwell/expr/filters_select.h"
#include "stepwell/expr/filters_sort.h"
#include "stepwell/expr/filters_text.h"
#include "stepwell/expr/filters_time.h"
#include "stepwell/expr/functions.h"
#include "stepwell/expr/methods.h"
#include "stepwell/expr/tests.h"

// Every name of the language that is not syntax. Parameter names are Jinja2's, because calls may use them.
namespace stepwell {
namespace {

// Text that can be a template argument, so that a row can name its parameters where it stands.
template <std::size_t size>
struct Name {
  char text[size];
  consteval Name(const char (&literal)[size]) { std::ranges::copy(literal, text); }
  constexpr std::string_view view() const { return {text, size - 1}; }
};
template <std::size_t size>
Name(const char (&)[size]) -> Name<size>;

template <Name... names>
constexpr std::array<std::string_view, sizeof...(names)> kNames = {names.view()...};

constexpr Builtin row(std::string_view name, BuiltinFunction function, std::size_t required = 0,
                      std::span<const std::string_view> parameters = {}) {
  return {.name = name, .parameters = parameters, .required = required, .function = function};
}

constexpr Builtin free_form(std::string_view name, BuiltinFunction function) {
  return {.name = name, .parameters = {}, .required = 0, .function = function, .free_form = true};
}

constexpr Builtin impure(std::string_view name, BuiltinFunction function, std::size_t required = 0,
                         std::span<const std::string_view> parameters = {}) {
  return {.name = name,
          .parameters = parameters,
          .required = required,
          .function = function,
          .free_form = false,
          .pure = false};
}

constexpr std::array kFilters = std::to_array<Builtin>({
    row("abs", filter_abs),
    row("b64decode", filter_b64decode),
    row("b64encode", filter_b64encode),
    row("batch", filter_batch, 1, kNames<"linecount", "fill_with">),
    row("capitalize", filter_capitalize),
    row("center", filter_center, 0, kNames<"width">),
    free_form("coalesce", filter_coalesce),
    free_form("concat", filter_concat),
    row("count", filter_length),
    row("d", filter_default, 0, kNames<"default_value", "boolean">),
    row("datetime", filter_datetime),
    row("datetime_add", filter_datetime_add, 1, kNames<"duration">),
    row("datetime_diff", filter_datetime_diff, 1, kNames<"other">),
    row("datetime_sub", filter_datetime_sub, 1, kNames<"duration">),
    row("default", filter_default, 0, kNames<"default_value", "boolean">),
    row("dictsort", filter_dictsort, 0, kNames<"case_sensitive", "by", "reverse">),
    row("duration", filter_duration),
    row("e", filter_escape),
    row("escape", filter_escape),
    row("filesizeformat", filter_filesizeformat, 0, kNames<"binary">),
    row("first", filter_first),
    row("float", filter_float, 0, kNames<"default">),
    row("forceescape", filter_escape),
    free_form("format", filter_format),
    row("fromjson", filter_fromjson),
    row("groupby", filter_groupby, 1, kNames<"attribute", "default", "case_sensitive">),
    row("indent", filter_indent, 0, kNames<"width", "first", "blank">),
    row("int", filter_int, 0, kNames<"default", "base">),
    row("items", filter_items),
    row("join", filter_join, 0, kNames<"d", "attribute">),
    row("last", filter_last),
    row("length", filter_length),
    row("list", filter_list),
    row("lower", filter_lower),
    free_form("map", filter_map),
    row("max", filter_max, 0, kNames<"case_sensitive", "attribute">),
    free_form("merge", filter_merge),
    row("min", filter_min, 0, kNames<"case_sensitive", "attribute">),
    impure("random", filter_random),
    row("regex_match", filter_regex_match, 1, kNames<"pattern">),
    row("regex_replace", filter_regex_replace, 2, kNames<"pattern", "replacement">),
    free_form("reject", filter_reject),
    free_form("rejectattr", filter_rejectattr),
    row("replace", filter_replace, 2, kNames<"old", "new", "count">),
    row("reverse", filter_reverse),
    row("round", filter_round, 0, kNames<"precision", "method">),
    free_form("select", filter_select),
    free_form("selectattr", filter_selectattr),
    row("sha256", filter_sha256),
    row("slice", filter_slice, 1, kNames<"slices", "fill_with">),
    row("sort", filter_sort, 0, kNames<"reverse", "case_sensitive", "attribute">),
    row("strftime", filter_strftime, 1, kNames<"format">),
    row("string", filter_string),
    row("striptags", filter_striptags),
    row("sum", filter_sum, 0, kNames<"attribute", "start">),
    row("timestamp", filter_timestamp),
    row("title", filter_title),
    row("tojson", filter_tojson, 0, kNames<"indent">),
    row("trim", filter_trim, 0, kNames<"chars">),
    row("truncate", filter_truncate, 0, kNames<"length", "killwords", "end", "leeway">),
    row("unique", filter_unique, 0, kNames<"case_sensitive", "attribute">),
    row("upper", filter_upper),
    row("urlencode", filter_urlencode),
    row("wordcount", filter_wordcount),
    row("wordwrap", filter_wordwrap, 0, kNames<"width", "break_long_words", "wrapstring", "break_on_hyphens">),
    row("xmlattr", filter_xmlattr, 0, kNames<"autospace">),
});

constexpr std::array kTests = std::to_array<Builtin>({
    row("!=", test_ne, 1, kNames<"other">),
    row("<", test_lt, 1, kNames<"other">),
    row("<=", test_le, 1, kNames<"other">),
    row("==", test_eq, 1, kNames<"other">),
    row(">", test_gt, 1, kNames<"other">),
    row(">=", test_ge, 1, kNames<"other">),
    row("boolean", test_boolean),
    row("divisibleby", test_divisibleby, 1, kNames<"num">),
    row("eq", test_eq, 1, kNames<"other">),
    row("equalto", test_eq, 1, kNames<"other">),
    row("even", test_even),
    row("false", test_false),
    row("filter", test_filter),
    row("float", test_float),
    row("ge", test_ge, 1, kNames<"other">),
    row("greaterthan", test_gt, 1, kNames<"other">),
    row("gt", test_gt, 1, kNames<"other">),
    row("in", test_in, 1, kNames<"seq">),
    row("integer", test_integer),
    row("iterable", test_iterable),
    row("le", test_le, 1, kNames<"other">),
    row("lessthan", test_lt, 1, kNames<"other">),
    row("lower", test_lower),
    row("lt", test_lt, 1, kNames<"other">),
    row("mapping", test_mapping),
    row("ne", test_ne, 1, kNames<"other">),
    row("none", test_none),
    row("number", test_number),
    row("odd", test_odd),
    row("sameas", test_sameas, 1, kNames<"other">),
    row("sequence", test_iterable),
    row("string", test_string),
    row("test", test_test),
    row("true", test_true),
    row("upper", test_upper),
});

constexpr std::array kFunctions = std::to_array<Builtin>({
    free_form("coalesce", filter_coalesce),
    free_form("concat", filter_concat),
    free_form("dict", function_dict),
    free_form("merge", filter_merge),
    free_form("namespace", function_dict),
    impure("now", function_now),
    impure("random", function_random),
    free_form("range", function_range),
    impure("secret", function_secret, 1, kNames<"name">),
    impure("uuid", function_uuid),
});

constexpr std::array kMethods = std::to_array<Builtin>({
    row("endswith", method_endswith, 1, kNames<"suffix", "start", "end">),
    row("get", method_get, 1, kNames<"key", "default">),
    row("items", method_items),
    row("join", method_join, 1, kNames<"iterable">),
    row("keys", method_keys),
    row("lower", method_lower),
    row("replace", method_replace, 2, kNames<"old", "new", "count">),
    row("split", method_split, 0, kNames<"sep", "maxsplit">),
    row("startswith", method_startswith, 1, kNames<"prefix", "start", "end">),
    row("strip", method_strip, 0, kNames<"chars">),
    row("upper", method_upper),
    row("values", method_values),
});

static_assert(std::ranges::is_sorted(kFilters, {}, &Builtin::name));
static_assert(std::ranges::is_sorted(kTests, {}, &Builtin::name));
static_assert(std::ranges::is_sorted(kFunctions, {}, &Builtin::name));
static_assert(std::ranges::is_sorted(kMethods, {}, &Builtin::name));

const Builtin* find(std::span<const Builtin> table, std::string_view name) {
  const auto found = std::ranges::lower_bound(table, name, {}, &Builtin::name);
  return found != table.end() && found->name == name ? &*found : nullptr;
}

}  // namespace

std::span<const Builtin> all_filters() { return kFilters; }
std::span<const Builtin> all_tests() { return kTests; }
std::span<const Builtin> all_functions() { return kFunctions; }
std::span<const Builtin> all_methods() { return kMethods; }

const Builtin* find_filter(std::string_view name) { return find(kFilters, name); }
const Builtin* find_test(std::string_view name) { return find(kTests, name); }
const Builtin* find_function(std::string_view name) { return find(kFunctions, name); }
const Builtin* find_method(std::string_view name) { return find(kMethods, name); }

}  // namespace stepwell
