#pragma once

#include <vector>

#include "stepwell/value/schema.h"
#include "stepwell/value/schema/program.h"

namespace stepwell::schema {

// Makes every edge lead past `$ref` to the schema that is meant, and marks the nodes that several edges lead to. A
// reference that comes back to itself without going deeper into the instance would never end; it is a diagnostic.
void link(Schema::Program& program, std::vector<SchemaDiagnostic>& diagnostics);

}  // namespace stepwell::schema
