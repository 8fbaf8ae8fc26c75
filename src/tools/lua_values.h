#pragma once

#include <expected>
#include <string>

#include "stepwell/value/value.h"

struct lua_State;

// Values on their way into Lua and out of it.
//
// A list is a table with the items 1 to n, a map a table with text keys. null is the global `null`, since a table
// cannot hold nil. An empty table is a map unless it came in as a list or was made by `list{}`.
namespace stepwell {

// Defines the globals `null` and `list`.
void open_lua_values(lua_State* lua);

// Pushes a value. Raises a Lua error if there is no memory.
void push_value(lua_State* lua, const Value& value);

// The value at an index of the stack, or why it is none. Raises a Lua error if there is no memory.
std::expected<Value, std::string> value_at(lua_State* lua, int index);

}  // namespace stepwell
