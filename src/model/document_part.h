#pragma once

#include "stepwell/model/document.h"
#include "stepwell/model/part.h"

namespace stepwell {

// What the canonical form of every document but a playbook begins with.
inline void read_document_head(Part& root, DocumentKind kind) {
  if (root.integer("format") != kDefinitionFormat) root.refuse("format", "is not one that this version can read");
  if (root.text("kind") != kind_word(kind)) root.refuse("kind", "is another one");
  root.text("name");
  root.take("description");
  root.take("labels");
}

}  // namespace stepwell
