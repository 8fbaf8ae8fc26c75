#include "stepwell/value/blob_ref.h"

#include <algorithm>

#include "stepwell/base/check.h"

namespace stepwell {

bool is_blob_ref(const Value& value) {
  if (!value.is_map() || value.as_map().size() != 3) return false;
  // In canonical order.
  const std::span<const Member> members = value.as_map();
  return members[0].key() == "$ref" && members[0].value.is_text() &&
         members[0].value.as_text().starts_with("sha256:") && members[1].key() == "size" && members[1].value.is_int() &&
         members[2].key() == "type" && members[2].value.is_text();
}

bool holds_blob_ref(const Value& value) {
  if (value.is_list()) return std::ranges::any_of(value.as_list(), holds_blob_ref);
  if (!value.is_map()) return false;
  return is_blob_ref(value) || std::ranges::any_of(value.as_map(), holds_blob_ref, &Member::value);
}

std::string_view blob_of(const Value& reference) {
  CHECK(is_blob_ref(reference));
  return reference.as_map()[0].value.as_text();
}

}  // namespace stepwell
