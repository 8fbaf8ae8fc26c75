#include "stepwell/tools/lua.h"

#include <array>
#include <cstdlib>
#include <memory>
#include <string_view>

#include <fmt/format.h>
#include <lua.hpp>

#include "stepwell/base/check.h"
#include "stepwell/tools/call_fields.h"
#include "stepwell/tools/lua_values.h"
#include "stepwell/tools/text_of_bytes.h"
#include "stepwell/tools/tool_error.h"

namespace stepwell {
namespace {

// How many instructions pass between two looks at the clock.
constexpr int kInstructionsPerLook = 10'000;

// What one run of a script may still use, and why it had to end, if it had.
struct LuaRun {
  enum class Ended : std::uint8_t { no, instructions, late, stopped };

  const ToolCall& call;
  unsigned long long instructions;
  std::size_t bytes;
  Ended ended = Ended::no;
};

LuaRun& run_of(lua_State* lua) { return **static_cast<LuaRun**>(lua_getextraspace(lua)); }

void* allocate(void* data, void* block, std::size_t old_size, std::size_t size) {
  LuaRun& run = *static_cast<LuaRun*>(data);
  // For a new block Lua tells its type in the place of the old size.
  const std::size_t before = block == nullptr ? 0 : old_size;
  if (size == 0) {
    std::free(block);
    run.bytes += before;
    return nullptr;
  }
  if (size > before && size - before > run.bytes) return nullptr;
  void* made = std::realloc(block, size);
  if (made != nullptr) run.bytes = run.bytes + before - size;
  return made;
}

// Once it has ended a script, it ends it again at every look: nothing that the script does afterwards counts.
void look(lua_State* lua, lua_Debug*) {
  LuaRun& run = run_of(lua);
  if (run.ended == LuaRun::Ended::no) {
    if (run.instructions <= kInstructionsPerLook) {
      run.ended = LuaRun::Ended::instructions;
    } else if (run.call.stop.stop_requested()) {
      run.ended = LuaRun::Ended::stopped;
    } else if (run.call.deadline && std::chrono::steady_clock::now() >= *run.call.deadline) {
      run.ended = LuaRun::Ended::late;
    } else {
      run.instructions -= kInstructionsPerLook;
      return;
    }
  }
  luaL_error(lua, "the script was ended");
}

// A pcall that does not hold up the end of a script.
int protected_call(lua_State* lua) {
  lua_pushvalue(lua, lua_upvalueindex(1));
  lua_insert(lua, 1);
  lua_call(lua, lua_gettop(lua) - 1, LUA_MULTRET);
  if (run_of(lua).ended != LuaRun::Ended::no) return luaL_error(lua, "the script was ended");
  return lua_gettop(lua);
}

// Finalizers run where nothing can end them.
int set_metatable(lua_State* lua) {
  if (lua_istable(lua, 2) && lua_getfield(lua, 2, "__gc") != LUA_TNIL) {
    return luaL_error(lua, "a script cannot have finalizers (__gc)");
  }
  lua_settop(lua, 2);
  lua_pushvalue(lua, lua_upvalueindex(1));
  lua_insert(lua, 1);
  lua_call(lua, 2, 1);
  return 1;
}

int print(lua_State* lua) {
  std::string line;
  const int count = lua_gettop(lua);
  for (int i = 1; i <= count; ++i) {
    std::size_t size = 0;
    const char* text = luaL_tolstring(lua, i, &size);
    line.append(i > 1 ? "\t" : "").append(text, size);
    lua_pop(lua, 1);
  }
  line += '\n';
  const ToolCall& call = run_of(lua).call;
  if (call.progress) call.progress(line);
  return 0;
}

void wrap_global(lua_State* lua, const char* name, lua_CFunction wrapper) {
  lua_getglobal(lua, name);
  lua_pushcclosure(lua, wrapper, 1);
  lua_setglobal(lua, name);
}

void remove_member(lua_State* lua, const char* table, const char* name) {
  lua_getglobal(lua, table);
  lua_pushnil(lua);
  lua_setfield(lua, -2, name);
  lua_pop(lua, 1);
}

// The functions of tables loop over numbers that a script can make arbitrarily large; here they count instructions. The
// handler of xpcall would run inside of what ended the script, where nothing is counted; here it runs afterwards.
constexpr std::string_view kPrelude = R"(
local pack, unpack = table.pack, table.unpack
function xpcall(f, handler, ...)
  local results = pack(pcall(f, ...))
  if results[1] then return unpack(results, 1, results.n) end
  return false, handler(results[2])
end
local insert_error = "wrong number of arguments to 'insert'"
function table.insert(t, ...)
  local count = select('#', ...)
  if count == 1 then t[#t + 1] = (...) return end
  if count ~= 2 then error(insert_error, 2) end
  local at, value = ...
  local last = #t + 1
  if math.type(at) ~= 'integer' or at < 1 or at > last then error("position out of bounds", 2) end
  for i = last, at + 1, -1 do t[i] = t[i - 1] end
  t[at] = value
end
function table.remove(t, at)
  local last = #t
  if at == nil then at = last end
  if at ~= last and (math.type(at) ~= 'integer' or at < 1 or at > last + 1) then error("position out of bounds", 2) end
  local removed = t[at]
  for i = at, last - 1 do t[i] = t[i + 1] end
  if at <= last then t[last] = nil end
  return removed
end
function table.move(from, first, last, at, to)
  to = to or from
  if at > first and at <= last and to == from then
    for i = last - first, 0, -1 do to[at + i] = from[first + i] end
  else
    for i = 0, last - first do to[at + i] = from[first + i] end
  end
  return to
end
)";

int open_sandbox(lua_State* lua) {
  constexpr std::array kLibraries = {luaL_Reg{LUA_GNAME, luaopen_base}, luaL_Reg{LUA_TABLIBNAME, luaopen_table},
                                     luaL_Reg{LUA_STRLIBNAME, luaopen_string}, luaL_Reg{LUA_MATHLIBNAME, luaopen_math},
                                     luaL_Reg{LUA_UTF8LIBNAME, luaopen_utf8}};
  for (const luaL_Reg& library : kLibraries) {
    luaL_requiref(lua, library.name, library.func, 1);
    lua_pop(lua, 1);
  }
  // What reads files, loads code that was not written in the playbook, or touches the collector.
  for (const char* name : {"collectgarbage", "dofile", "load", "loadfile", "warn"}) {
    lua_pushnil(lua);
    lua_setglobal(lua, name);
  }
  remove_member(lua, LUA_STRLIBNAME, "dump");
  wrap_global(lua, "pcall", protected_call);
  wrap_global(lua, "setmetatable", set_metatable);
  lua_pushcfunction(lua, print);
  lua_setglobal(lua, "print");
  open_lua_values(lua);
  if (luaL_loadbufferx(lua, kPrelude.data(), kPrelude.size(), "=prelude", "t") != LUA_OK) return lua_error(lua);
  lua_call(lua, 0, 0);
  return 0;
}

struct Script {
  std::string_view text;
  Value args;
  std::expected<Value, std::string> result = {};
};

// All that may raise an error of Lua, from opening the sandbox to reading the result.
int run_script(lua_State* lua) {
  auto& script = *static_cast<Script*>(lua_touserdata(lua, 1));
  lua_settop(lua, 0);
  open_sandbox(lua);
  push_value(lua, script.args);
  lua_setglobal(lua, "args");
  if (luaL_loadbufferx(lua, script.text.data(), script.text.size(), "=script", "t") != LUA_OK) return lua_error(lua);
  lua_call(lua, 0, 1);
  script.result = value_at(lua, -1);
  return 0;
}

struct CloseLua {
  void operator()(lua_State* lua) const { lua_close(lua); }
};

TaskOutcome ended_outcome(LuaRun::Ended why, const LuaLimits& limits) {
  switch (why) {
    case LuaRun::Ended::late: return timed_out("the script did not end in time");
    case LuaRun::Ended::stopped: return stopped();
    case LuaRun::Ended::instructions:
    case LuaRun::Ended::no: break;
  }
  return failed(
      {.kind = "fuel", .message = fmt::format("the script took more than {} instructions", limits.instructions)});
}

// What an error says; the object itself is lost, as it may be anything.
std::string error_text(lua_State* lua) {
  std::size_t size = 0;
  const char* text = lua_type(lua, -1) == LUA_TSTRING ? lua_tolstring(lua, -1, &size) : nullptr;
  if (text != nullptr) return text_of_bytes({text, size});
  return fmt::format("an error that is a {}", luaL_typename(lua, -1));
}

}  // namespace

TaskOutcome LuaTool::run(const ToolCall& call) {
  CallFields fields(call);
  Script script{.text = fields.text("script"), .args = fields.map("args")};
  if (auto wrong = fields.wrong()) return *wrong;

  LuaRun run{.call = call, .instructions = limits_.instructions, .bytes = limits_.bytes};
  const std::unique_ptr<lua_State, CloseLua> lua(lua_newstate(allocate, &run));
  CHECK(lua != nullptr);
  *static_cast<LuaRun**>(lua_getextraspace(lua.get())) = &run;
  lua_sethook(lua.get(), look, LUA_MASKCOUNT, kInstructionsPerLook);

  lua_pushcfunction(lua.get(), run_script);
  lua_pushlightuserdata(lua.get(), &script);
  const int status = lua_pcall(lua.get(), 1, 0, 0);
  if (run.ended != LuaRun::Ended::no) return ended_outcome(run.ended, limits_);
  if (status == LUA_ERRMEM) {
    return failed({.kind = "memory", .message = fmt::format("the script needs more than {} bytes", limits_.bytes)});
  }
  if (status != LUA_OK) return failed({.kind = "tool", .message = error_text(lua.get())});
  if (!script.result) {
    return failed(
        {.kind = "type", .message = fmt::format("what the script returned is no value: {}", script.result.error())});
  }
  return {.result = std::move(*script.result)};
}

}  // namespace stepwell
