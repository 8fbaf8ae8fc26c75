#include "stepwell/tools/lua_values.h"

#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <lua.hpp>

#include "stepwell/base/limits.h"
#include "stepwell/base/utf8.h"
#include "stepwell/tools/limits.h"

namespace stepwell {
namespace {

// The metatable that marks a table as a list.
constexpr const char* kList = "stepwell.list";

int mark_as_list(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  luaL_setmetatable(lua, kList);
  lua_settop(lua, 1);
  return 1;
}

bool is_marked(lua_State* lua, int index) {
  if (lua_getmetatable(lua, index) == 0) return false;
  luaL_getmetatable(lua, kList);
  const bool same = lua_rawequal(lua, -1, -2) != 0;
  lua_pop(lua, 2);
  return same;
}

class Reader {
 public:
  explicit Reader(lua_State* lua) : lua_(lua) {}

  std::expected<Value, std::string> read(int index, std::size_t depth) {
    switch (lua_type(lua_, index)) {
      case LUA_TNIL: return Value();
      case LUA_TBOOLEAN: return Value(lua_toboolean(lua_, index) != 0);
      case LUA_TSTRING: return text(index);
      case LUA_TNUMBER: return number(index);
      case LUA_TLIGHTUSERDATA: return Value();
      case LUA_TTABLE: break;
      default: return std::unexpected(fmt::format("a {} is no value", luaL_typename(lua_, index)));
    }
    if (depth == 0) return std::unexpected("a table nests too deep, or contains itself");
    if (lua_checkstack(lua_, 4) == 0) return std::unexpected("there is no room for it");
    const std::size_t length = lua_rawlen(lua_, index);
    return length > 0 || is_marked(lua_, index) ? list(index, length, depth) : map(index, depth);
  }

 private:
  std::expected<Value, std::string> text(int index) {
    std::size_t size = 0;
    const char* bytes = lua_tolstring(lua_, index, &size);
    if (!utf8::is_valid({bytes, size})) return std::unexpected("a text is no UTF-8");
    weight_ += size;
    if (weight_ > limits::kResultBytes)
      return std::unexpected(fmt::format("it is larger than {} bytes", limits::kResultBytes));
    return Value(std::string_view(bytes, size));
  }

  std::expected<Value, std::string> number(int index) {
    if (lua_isinteger(lua_, index) != 0) return Value(static_cast<std::int64_t>(lua_tointeger(lua_, index)));
    const double real = lua_tonumber(lua_, index);
    if (!std::isfinite(real)) return std::unexpected("a number is not finite");
    return Value(real);
  }

  std::expected<Value, std::string> list(int index, std::size_t length, std::size_t depth) {
    std::vector<Value> items;
    items.reserve(length);
    for (std::size_t i = 1; i <= length; ++i) {
      lua_rawgeti(lua_, index, static_cast<lua_Integer>(i));
      auto item = read(lua_gettop(lua_), depth - 1);
      lua_pop(lua_, 1);
      if (!item) return item;
      items.push_back(std::move(*item));
    }
    std::size_t keys = 0;
    for (lua_pushnil(lua_); lua_next(lua_, index) != 0; lua_pop(lua_, 1)) ++keys;
    if (keys > length) return std::unexpected("a table has items 1 to n and other keys as well");
    return Value::list(std::move(items));
  }

  std::expected<Value, std::string> map(int index, std::size_t depth) {
    std::vector<Member> members;
    for (lua_pushnil(lua_); lua_next(lua_, index) != 0; lua_pop(lua_, 1)) {
      const int top = lua_gettop(lua_);
      if (lua_type(lua_, top - 1) != LUA_TSTRING) {
        lua_pop(lua_, 2);
        return std::unexpected("the keys of a table must be all texts, or 1 to n");
      }
      auto key = text(top - 1);
      auto value = read(top, depth - 1);
      if (!key || !value) {
        lua_pop(lua_, 2);
        return key ? value : key;
      }
      members.push_back({std::move(*key), std::move(*value)});
    }
    return Value::map(std::move(members));
  }

  lua_State* lua_;
  std::size_t weight_ = 0;
};

}  // namespace

void open_lua_values(lua_State* lua) {
  luaL_newmetatable(lua, kList);
  lua_pop(lua, 1);
  lua_pushlightuserdata(lua, nullptr);
  lua_setglobal(lua, "null");
  lua_pushcfunction(lua, mark_as_list);
  lua_setglobal(lua, "list");
}

void push_value(lua_State* lua, const Value& value) {
  luaL_checkstack(lua, 4, "a value nests too deep");
  switch (value.kind()) {
    case Kind::null: return lua_pushlightuserdata(lua, nullptr);
    case Kind::boolean: return lua_pushboolean(lua, value.as_bool() ? 1 : 0);
    case Kind::integer: return lua_pushinteger(lua, value.as_int());
    case Kind::real: return lua_pushnumber(lua, value.as_real());
    case Kind::text: lua_pushlstring(lua, value.as_text().data(), value.as_text().size()); return;
    case Kind::list: {
      lua_createtable(lua, static_cast<int>(value.as_list().size()), 0);
      lua_Integer next = 0;
      for (const Value& item : value.as_list()) {
        push_value(lua, item);
        lua_rawseti(lua, -2, ++next);
      }
      luaL_setmetatable(lua, kList);
      return;
    }
    case Kind::map: break;
  }
  lua_createtable(lua, 0, static_cast<int>(value.as_map().size()));
  for (const Member& member : value.as_map()) {
    lua_pushlstring(lua, member.key().data(), member.key().size());
    push_value(lua, member.value);
    lua_rawset(lua, -3);
  }
}

std::expected<Value, std::string> value_at(lua_State* lua, int index) {
  return Reader(lua).read(lua_absindex(lua, index), limits::kDataDepth - 1);
}

}  // namespace stepwell
