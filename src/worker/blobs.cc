#include "stepwell/worker/blobs.h"

#include "stepwell/base/limits.h"

namespace stepwell {

std::expected<Value, std::string> load_blobs_of(const Value& value, Blobs& blobs) {
  return internalize(value, limits::kDocumentBytes, [&](std::string_view name) { return blobs.load(name); });
}

std::expected<Value, std::string> put_large_parts(const Value& value, std::size_t inline_max, Blobs& blobs) {
  Externalized made = externalize(value, inline_max);
  if (!made.blobs.empty()) {
    if (auto put = blobs.put(made.blobs); !put) return std::unexpected(std::move(put.error()));
  }
  return std::move(made.value);
}

}  // namespace stepwell
