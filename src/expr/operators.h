#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "stepwell/expr/budget.h"
#include "stepwell/expr/fault.h"
#include "stepwell/value/value.h"

// What the operators of the language mean on values. Python's rules, as Jinja2 has them: booleans count as integers,
// 1 equals 1.0, integers and reals compare exactly.
namespace stepwell {

// The word for a value's kind in messages to authors: none, boolean, number, text, list, map.
std::string_view kind_word(const Value& value);

// The value itself for a message: compact JSON, shortened.
std::string shown(const Value& value);

bool truthy(const Value& value);

// What any operation on a reference to a blob comes to, but for passing it on and asking for its size or type. `name`
// says which, if that is known.
std::unexpected<Fault> untouchable(const Value& reference, std::string_view name = {});

// What `for` and the filters over collections go through, as a list: items of a list, keys of a map, characters of a
// text. Anything else is FaultCode::type.
OrFault<Value> items_of(const Value& collection, Budget& budget);

// Equality of the language (`==`, `in`, unique, groupby).
OrFault<bool> loosely_equal(const Value& a, const Value& b, Budget& budget);

// Order of the language: numbers with numbers, text with text (by code point), lists item by item. Anything else is
// FaultCode::type.
OrFault<std::weak_ordering> ordered(const Value& a, const Value& b, Budget& budget);

enum class Arithmetic : std::uint8_t { add, subtract, multiply, divide, floor_divide, modulo, power };
std::string_view symbol(Arithmetic op);

enum class Comparison : std::uint8_t { equal, not_equal, less, less_equal, greater, greater_equal, in, not_in };
std::string_view symbol(Comparison op);
// What a comparison says of two values in this order; nothing for those that are not about order.
std::optional<bool> in_order(Comparison op, std::weak_ordering order);

OrFault<Value> arithmetic(Arithmetic op, const Value& a, const Value& b, Budget& budget);
OrFault<Value> negated(const Value& value);
OrFault<Value> positive(const Value& value);

// `needle in haystack`: member of a list, key of a map, part of a text.
OrFault<bool> contains(const Value& haystack, const Value& needle, Budget& budget);

// `value[key]` and `value.key`: a map's member, a list's or text's item (negative from the end). Nothing there: no
// value and no fault, because undefined may be asked about.
OrFault<std::optional<Value>> item(const Value& value, const Value& key, Budget& budget);

// `value[start:stop:step]`; a null bound is an absent one.
OrFault<Value> slice(const Value& value, const Value& start, const Value& stop, const Value& step, Budget& budget);

}  // namespace stepwell
