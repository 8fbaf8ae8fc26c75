#pragma once

#include <cstddef>

// Every bound that input from outside can meet, in one place. A bound that is met is an error with a name, never a
// crash or a hang.
namespace stepwell::limits {

// How deep a value may nest. Code that walks a value may therefore recurse.
inline constexpr std::size_t kValueDepth = 256;

// How deep data may nest that an execution takes from outside or that an expression gives. Half of what a value may, so
// that there is always room to put it inside something: a mapping of a playbook, a result, a message.
inline constexpr std::size_t kDataDepth = 128;

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

// The longest regular expression, and the memory that its program and its search may take.
inline constexpr std::size_t kExprPatternBytes = 2'000;
inline constexpr std::size_t kExprPatternMemory = 1u << 20;

// A YAML document: its length, how deep it may nest (less than a value, since a definition nests what it holds), and
// how many values and bytes of text it may become once its aliases are expanded.
inline constexpr std::size_t kYamlBytes = 4u << 20;
inline constexpr std::size_t kYamlDepth = 128;
inline constexpr std::size_t kYamlNodes = 1'000'000;
inline constexpr std::size_t kYamlTextBytes = 16u << 20;

// How many diagnostics of one file are listed; the others are counted.
inline constexpr std::size_t kDiagnostics = 1'000;

// The longest word that "did you mean" compares.
inline constexpr std::size_t kNearestBytes = 64;

// A JSON Schema: how many subschemas it may have, and how long all their pointers and URIs may be together.
inline constexpr std::size_t kSchemaNodes = 100'000;
inline constexpr std::size_t kSchemaPlaceBytes = 32u << 20;

// One validation: the steps it may take (about one per rule and value), how deep schemas may apply one another, and how
// many violations are listed, and in how many bytes.
inline constexpr unsigned long long kSchemaSteps = 100'000'000;
inline constexpr std::size_t kSchemaDepth = 2'000;
inline constexpr std::size_t kSchemaViolations = 1'000;
inline constexpr std::size_t kSchemaReportBytes = 4u << 20;

}  // namespace stepwell::limits
