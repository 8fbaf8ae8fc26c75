#include "stepwell/base/version.h"

namespace stepwell {

std::string_view version() { return STEPWELL_VERSION; }

}  // namespace stepwell
