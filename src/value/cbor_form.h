#pragma once

#include <cstddef>
#include <cstdint>

// The parts of a CBOR item's first byte (RFC 8949 section 3), for the writer, the reader and the view.
namespace stepwell::cbor {

// The high three bits: the major type.
inline constexpr unsigned kUnsigned = 0;
inline constexpr unsigned kNegative = 1;
inline constexpr unsigned kBytes = 2;
inline constexpr unsigned kText = 3;
inline constexpr unsigned kList = 4;
inline constexpr unsigned kMap = 5;
inline constexpr unsigned kTag = 6;
inline constexpr unsigned kOther = 7;

// The low five bits: an argument below kOneByte itself, or how many bytes of it follow.
inline constexpr unsigned kOneByte = 24;
inline constexpr unsigned kTwoBytes = 25;
inline constexpr unsigned kFourBytes = 26;
inline constexpr unsigned kEightBytes = 27;
inline constexpr unsigned kIndefinite = 31;

// The low five bits under kOther.
inline constexpr unsigned kFalse = 20;
inline constexpr unsigned kTrue = 21;
inline constexpr unsigned kNull = 22;
inline constexpr unsigned kHalf = 25;
inline constexpr unsigned kSingle = 26;
inline constexpr unsigned kDouble = 27;

constexpr unsigned major_of(unsigned char first) { return first >> 5; }
constexpr unsigned info_of(unsigned char first) { return first & 0x1Fu; }
constexpr char first_byte(unsigned major, unsigned info) { return static_cast<char>(major << 5 | info); }

// Heads written in place. Each takes where to write, with room for kLongestHead bytes, and returns where to go on.
inline constexpr std::size_t kLongestHead = 9;
// Of an argument that does not fit into the first byte, in the shortest form.
char* put_long_head(char* at, unsigned major, std::uint64_t argument);
inline char* put_head(char* at, unsigned major, std::uint64_t argument) {
  if (argument >= kOneByte) return put_long_head(at, major, argument);
  *at = first_byte(major, static_cast<unsigned>(argument));
  return at + 1;
}
inline char* put_integer(char* at, std::int64_t integer) {
  const auto bits = static_cast<std::uint64_t>(integer);
  return integer < 0 ? put_head(at, kNegative, ~bits) : put_head(at, kUnsigned, bits);
}

}  // namespace stepwell::cbor
