#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "stepwell/value/schema/program.h"
#include "stepwell/value/value.h"

// How messages about schemas speak. They use the words of JSON Schema (string, array, object, property), since that is
// what the author of a schema wrote. All texts are short whatever the value is.
namespace stepwell::schema {

// A text in quotes, as JSON writes it, cut after some 60 bytes.
std::string quoted(std::string_view text);

// A value as it is read in a sentence: 2.5, "abc", null, [1, 2], an array of 30 items, an object with 7 properties.
std::string shown(const Value& value);

// The same with its type: the number 2.5, the string "abc", null, an array of 2 items.
std::string shown_with_type(const Value& value);

// "1 item", "3 items"
std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural);

// "a string", "an integer or null", "a string, an array or an object"
std::string type_names(TypeSet types);

// The type with this name in schemas.
std::optional<TypeSet> find_type(std::string_view name);
// For a name that is no type, the one probably meant.
std::optional<std::string_view> nearest_type(std::string_view name);

}  // namespace stepwell::schema
