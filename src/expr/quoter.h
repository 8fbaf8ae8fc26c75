#pragma once

#include <string>
#include <string_view>

#include "stepwell/expr/fault.h"

namespace stepwell {

// Writes values into a template whose text is code for somebody else, in a way that they stay data there. Handed to one
// evaluation in its Ambient.
class Quoter {
 public:
  Quoter() = default;
  Quoter(const Quoter&) = delete;
  Quoter& operator=(const Quoter&) = delete;
  virtual ~Quoter() = default;

  // Appends the text of a value to all that the template has written so far, or refuses to put it there.
  virtual OrFault<void> append(std::string& written, std::string_view text) = 0;
};

}  // namespace stepwell
