#pragma once

#include <cstddef>

// Every bound that input from outside can meet, in one place. A bound that is met is an error with a name, never a
// crash or a hang.
namespace stepwell::limits {

// How deep a value may nest. Code that walks a value may therefore recurse.
inline constexpr std::size_t kValueDepth = 256;

// The longest JSON text and the longest CBOR document that are read.
inline constexpr std::size_t kDocumentBytes = 64u << 20;

}  // namespace stepwell::limits
