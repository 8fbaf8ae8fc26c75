#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <string_view>

#include "stepwell/runtime/clock.h"
#include "stepwell/runtime/runtime.h"
#include "stepwell/server/service.h"
#include "stepwell/store/store.h"

namespace stepwell {

// Puts the large parts of a value from outside into blobs, all above so many bytes.
using PutAway = std::function<std::expected<Value, std::string>(const Value&, std::int64_t inline_max)>;

// What the methods of a local service stand on. Borrows all of it.
struct Backing {
  Store& store;
  Runtime& runtime;
  Clock& clock;
  Dice& dice;
  PutAway put_away = {};  // none: values stay whole
};

Problem problem_of(const StoreError& error);
// Of an answer that is not "accepted".
Problem problem_of(const Answer& answer);

// The id of the one execution that `text` means: its id, or the beginning of it. The store's rows are up to date
// afterwards.
Answered<std::string> find_execution(const Backing& backing, const std::string& text);

}  // namespace stepwell
