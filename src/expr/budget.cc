#include "stepwell/expr/budget.h"

#include <fmt/format.h>

#include "stepwell/base/check.h"

namespace stepwell {

std::string_view fault_word(FaultCode code) {
  switch (code) {
    case FaultCode::syntax: return "syntax";
    case FaultCode::unsupported: return "unsupported";
    case FaultCode::undefined: return "undefined";
    case FaultCode::type: return "type";
    case FaultCode::value: return "value";
    case FaultCode::overflow: return "overflow";
    case FaultCode::division: return "division";
    case FaultCode::index: return "index";
    case FaultCode::fuel: return "fuel";
    case FaultCode::size: return "size";
    case FaultCode::depth: return "depth";
    case FaultCode::secret: return "secret";
    case FaultCode::blob_ref: return "blob_ref";
  }
  CHECK(false);
}

std::unexpected<Fault> Budget::out_of_fuel() {
  return fault(FaultCode::fuel, "this takes more operations than one evaluation may use");
}

std::unexpected<Fault> Budget::too_long(std::size_t bytes) const {
  return fault(FaultCode::size,
               fmt::format("this would make a text of {} bytes; at most {} are allowed", bytes, text_bytes_));
}

}  // namespace stepwell
