#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace stepwell {

// What kind of no an expression met. The word of each is stable: programs read it.
enum class FaultCode : std::uint8_t {
  syntax,       // the text is not an expression or template of the language
  unsupported,  // a part of Jinja2 that the language leaves out on purpose
  undefined,    // a name or member that is not there
  type,         // an operation that the kind of value does not have
  value,        // the right kind, but a value that does not fit (int('x'), round(1, 'sideways'))
  overflow,     // an integer beyond 64 bits, or a number that is not finite
  division,     // by zero
  index,        // first or last of nothing, and the like
  fuel,         // more operations than one evaluation may take
  size,         // more text or output than allowed
  depth,        // nested too deep
  secret,       // a secret that is not known, or asked for where there are none
  blob_ref,     // a look into a value that is kept elsewhere
};

std::string_view fault_word(FaultCode code);

// A failed operation, before anyone knows where it stood in the source. The evaluator adds the place.
struct Fault {
  FaultCode code;
  std::string message;
  std::string detail = {};  // the values that did not fit, where the message names only their kinds
};

template <typename T>
using OrFault = std::expected<T, Fault>;

inline std::unexpected<Fault> fault(FaultCode code, std::string message, std::string detail = {}) {
  return std::unexpected(Fault{code, std::move(message), std::move(detail)});
}

}  // namespace stepwell
