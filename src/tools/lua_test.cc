#include "stepwell/tools/lua.h"

#include <gmock/gmock.h>

#include "stepwell/tools/testing/tool_test.h"

namespace stepwell {
namespace {

class Lua : public testing::ToolTest<LuaTool> {
 protected:
  Lua() { tool_ = std::make_shared<LuaTool>(LuaLimits{.instructions = 5'000'000, .bytes = 4 << 20}); }
  std::string answer(std::string_view script, std::string_view args = "{}") {
    return told(run(Value::map({{"script", Value(script)}, {"args", testing::json(args)}})));
  }
};

TEST_F(Lua, ReturnsAValueMadeOfItsArguments) {
  EXPECT_EQ(answer("return {sum = args.a + args.b, list = {1, 2.5, 'x', true}}", R"({"a": 1, "b": 2})"),
            R"({"sum":3,"list":[1,2.5,"x",true]})");
  EXPECT_EQ(answer("local x = 1"), "null");
}

TEST_F(Lua, ValuesComeBackAsTheyWentIn) {
  constexpr std::string_view kArgs = R"({"n":null,"map":{},"deep":[{"a":[null,1,1.0,"é",false]}],"empty":[]})";
  EXPECT_EQ(answer("return args", kArgs), kArgs);
  EXPECT_EQ(answer("return {args.n == null, #args.empty, list{}, {}}", kArgs), "[true,0,[],{}]");
}

TEST_F(Lua, WhatIsNoValueIsAnError) {
  EXPECT_EQ(answer("return print"), "transport type: what the script returned is no value: a function is no value");
  EXPECT_EQ(answer("return {1, 2, x = 3}"),
            "transport type: what the script returned is no value: a table has items 1 to n and other keys as well");
  EXPECT_EQ(answer("return {[1.5] = 2}"),
            "transport type: what the script returned is no value: the keys of a table must be all texts, or 1 to n");
  EXPECT_EQ(answer("return 1 / 0"), "transport type: what the script returned is no value: a number is not finite");
  EXPECT_EQ(answer("return '\\xff'"), "transport type: what the script returned is no value: a text is no UTF-8");
  EXPECT_EQ(answer("local t = {} t.t = t return t"),
            "transport type: what the script returned is no value: a table nests too deep, or contains itself");
}

TEST_F(Lua, AnErrorTellsItsPlace) {
  EXPECT_EQ(answer("local x\nerror('no such row')"), "transport tool: script:2: no such row");
  EXPECT_EQ(answer("return 1 +"), "transport tool: script:1: unexpected symbol near <eof>");
  EXPECT_EQ(answer("error({})"), "transport tool: an error that is a table");
  EXPECT_EQ(told(run(R"({"script": 5})")), "expression type: 'script' of tool must be text, not integer");
}

TEST_F(Lua, ReachesNothingOutside) {
  EXPECT_EQ(
      answer("return {os, io, require, package, debug, dofile, loadfile, load, coroutine, collectgarbage} == nil"),
      "false");
  for (const char* name : {"os", "io", "require", "package", "debug", "dofile", "loadfile", "load", "coroutine",
                           "collectgarbage", "string.dump"}) {
    EXPECT_EQ(answer(std::string("return ") + name + " == nil"), "true") << name;
  }
}

TEST_F(Lua, ShowsWhatItPrints) {
  std::string seen;
  call_.progress = [&](std::string_view bytes) { seen += bytes; };
  answer("print('at', 1) print(nil)");
  EXPECT_EQ(seen, "at\t1\nnil\n");
}

constexpr const char* kEndlessScripts[] = {
    "while true do end",
    "while true do pcall(function() while true do end end) end",
    "while true do xpcall(error, function() while true do end end) end",
    "pcall(pcall, pcall, function() while true do end end) while true do end",
    "table.move({}, 1, math.maxinteger - 1, 2)",
    "table.insert(setmetatable({}, {__len = function() return 1 << 62 end}), 1, 1)",
    "table.remove(setmetatable({}, {__len = function() return 1 << 62 end}), 1)",
    "local t <close> = setmetatable({}, {__close = function() while true do end end})",
};
class EndlessScript : public Lua, public ::testing::WithParamInterface<const char*> {};

TEST_P(EndlessScript, EndsWhenItsInstructionsAreUsedUp) {
  EXPECT_EQ(answer(GetParam()), "transport fuel: the script took more than 5000000 instructions");
}
INSTANTIATE_TEST_SUITE_P(All, EndlessScript, ::testing::ValuesIn(kEndlessScripts));

TEST_F(Lua, FinalizersAreRefused) {
  EXPECT_EQ(answer("setmetatable({}, {__gc = function() while true do end end})"),
            "transport tool: script:1: a script cannot have finalizers (__gc)");
}

TEST_F(Lua, MemoryIsBounded) {
  EXPECT_EQ(answer("return ('x'):rep(1e9)"), "transport memory: the script needs more than 4194304 bytes");
  EXPECT_EQ(answer("local t = {} for i = 1, 1e9 do t[i] = i end"),
            "transport memory: the script needs more than 4194304 bytes");
  EXPECT_EQ(answer("return pcall(string.rep, 'x', 1e9)"), "false");
}

TEST_F(Lua, TimeAndCancellationEndIt) {
  LuaTool patient;
  call_.fields = Value::map({{"script", "while true do pcall(print, 'on') end"}});
  deadline_in(std::chrono::milliseconds(50));
  EXPECT_EQ(told(patient.run(call_)), "timeout timeout: the script did not end in time");
  call_.deadline.reset();
  std::stop_source source;
  call_.stop = source.get_token();
  call_.progress = [&](std::string_view) { source.request_stop(); };
  EXPECT_EQ(told(patient.run(call_)), "transport cancelled: nobody waits for this any more");
}

TEST_F(Lua, LibraryFunctionsDoWhatLuasOwnDo) {
  EXPECT_EQ(answer("return {xpcall(function(a, b) return a, b end, print, 1, 2)}"), "[true,1,2]");
  EXPECT_EQ(answer("return {xpcall(error, function(e) return 'seen ' .. e end, 'x')}"), R"([false,"seen x"])");
  EXPECT_EQ(answer("local t = {1, 2, 3} table.insert(t, 4) table.insert(t, 1, 0) return t"), "[0,1,2,3,4]");
  EXPECT_EQ(answer("local t = {1, 2, 3} return {table.remove(t), table.remove(t, 1), #t, t[1]}"), "[3,1,1,2]");
  EXPECT_EQ(answer("return {table.remove({}) == nil, table.remove({1}, 2) == nil}"), "[true,true]");
  EXPECT_EQ(answer("return table.move({1, 2, 3}, 2, 3, 1)"), "[2,3,3]");
  EXPECT_EQ(answer("return table.move({1, 2, 3}, 1, 3, 2)"), "[1,1,2,3]");
  EXPECT_EQ(answer("return table.move({1, 2}, 1, 2, 2, {9})"), "[9,1,2]");
  EXPECT_THAT(answer("table.insert({}, 5, 1)"), ::testing::HasSubstr("position out of bounds"));
}

}  // namespace
}  // namespace stepwell
