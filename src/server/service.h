#pragma once

#include <expected>
#include <functional>
#include <string>
#include <string_view>

#include "stepwell/value/value.h"

namespace stepwell {

// Why a call was not answered. Codes are stable: programs decide by them (docs/reference/service.md lists them).
struct Problem {
  std::string code = {};
  std::string message = {};
};

template <typename T = Value>
using Answered = std::expected<T, Problem>;

// Is told of what is followed. Null: nothing has happened for a while. False: that is enough.
using Hear = std::function<bool(const Value&)>;

// What a store and the runtime over it can be asked, by whoever holds them and by others through the control socket.
// Methods, parameters and answers are values; docs/reference/service.md lists them. Safe for any thread.
class Service {
 public:
  Service() = default;
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;
  virtual ~Service() = default;

  virtual Answered<> call(std::string_view method, const Value& params) = 0;
  // Tells `hear`, on the calling thread, what has happened and what happens, until the end of it or until `hear` has
  // enough. While nothing happens it hears null several times a second, so that it can look at other things.
  virtual Answered<> follow(std::string_view method, const Value& params, const Hear& hear) = 0;
};

}  // namespace stepwell
