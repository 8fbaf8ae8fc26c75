#pragma once

#include <cstddef>
#include <cstdint>

// Every bound that an execution can meet. One that is met is an error or a refusal with a name.
namespace stepwell::limits {

// Command ids that are remembered with their answers, failures that are listed, signals of one name that wait to be
// taken, and how deep calls may nest.
inline constexpr std::size_t kAcceptedCommands = 1'000;
inline constexpr std::size_t kListedFailures = 1'000;
inline constexpr std::size_t kBufferedSignals = 1'000;
inline constexpr std::uint32_t kCallDepth = 64;

// How many of the values that a guard read are told when it gates a token, and how heavy one may be.
inline constexpr std::size_t kGuardReads = 8;
inline constexpr std::uint64_t kGuardValue = 64;

// How deep ctx and iter may nest: data in them, at a path.
inline constexpr std::size_t kCtxDepth = 192;

// How deep what `parent` shows of the branches or iterations around may nest; what lies further out is left out.
inline constexpr std::size_t kParentDepth = 224;

// How deep the details of an error may nest where another value holds it.
inline constexpr std::size_t kErrorDepth = 64;

// How many tokens one decision may look at, and how many operations its expressions may take together, before it
// yields.
inline constexpr std::size_t kFirings = 1'000;
inline constexpr std::uint64_t kDecisionOperations = 10'000'000;

}  // namespace stepwell::limits
