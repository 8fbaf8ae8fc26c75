#include "stepwell/compile/load_kinds.h"
#include "stepwell/compile/schemas.h"

namespace stepwell {

void load_artifact_type(Fields& root, Canon& out, Diagnostics& diagnostics) {
  if (const Yaml* schema = root.need("schema")) out.put_if("schema", schema_of(*schema, "schema", diagnostics));
  root.finish();
}

}  // namespace stepwell
