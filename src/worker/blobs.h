#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "stepwell/value/externalize.h"
#include "stepwell/value/value.h"

namespace stepwell {

// Where large parts of values are kept. Called by many threads at once; may wait. Errors are told to people.
class Blobs {
 public:
  Blobs() = default;
  Blobs(const Blobs&) = delete;
  Blobs& operator=(const Blobs&) = delete;
  virtual ~Blobs() = default;

  // The bytes under a name ("sha256:...").
  virtual std::expected<std::string, std::string> load(std::string_view name) = 0;
  // Durable when it returns: only then anyone is told the names.
  virtual std::expected<void, std::string> put(std::span<const Blob> blobs) = 0;
};

// The value with all references resolved.
std::expected<Value, std::string> load_blobs_of(const Value& value, Blobs& blobs);
// The value with its large parts put away.
std::expected<Value, std::string> put_large_parts(const Value& value, std::size_t inline_max, Blobs& blobs);

}  // namespace stepwell
