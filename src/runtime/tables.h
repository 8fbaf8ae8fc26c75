#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "stepwell/value/value.h"

namespace stepwell {

// What a guard that is a query gets: the stores there are keep no tables of ctx. It is one function, because whoever
// decides a command again must be told the same.
inline std::expected<Value, std::string> query_tables(std::string_view /*sql*/, const Value& /*ctx*/) {
  return std::unexpected("this store keeps no tables of ctx that a query could be asked of");
}

}  // namespace stepwell
