#pragma once

#include <cstddef>

// Every bound that input from outside can meet, in one place. A bound that is met is an error with a name, never a
// crash or a hang.
namespace stepwell::limits {

// How deep a value may nest. Code that walks a value may therefore recurse.
inline constexpr std::size_t kValueDepth = 256;

// The longest JSON text and the longest CBOR document that are read.
inline constexpr std::size_t kDocumentBytes = 64u << 20;

// Operations one evaluation of an expression or template may take, and the longest text it may make.
inline constexpr unsigned long long kExprFuel = 1'000'000;
inline constexpr std::size_t kExprTextBytes = 16u << 20;

// The longest text of an expression or template, how deep its brackets and blocks may nest, and how deep its tree may
// become by chains of operators.
inline constexpr std::size_t kExprSourceBytes = 1u << 20;
inline constexpr std::size_t kExprNesting = 200;
inline constexpr std::size_t kExprTreeDepth = 1000;

// The longest word that "did you mean" compares.
inline constexpr std::size_t kNearestBytes = 64;

}  // namespace stepwell::limits
