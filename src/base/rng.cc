#include "stepwell/base/rng.h"

#include "stepwell/base/check.h"

namespace stepwell {
namespace {

constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;

// SplitMix64's finaliser: every bit of the result depends on every bit of the input.
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  return x ^ x >> 31;
}

// Big-endian by arithmetic, so that every machine reads the same number.
std::uint64_t read_eight(const Entropy& entropy, std::size_t from) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < 8; ++i) word = word << 8 | entropy[from + i];
  return word;
}

}  // namespace

// A Feistel network: whatever the mixing function, it can be undone, so no two inputs meet.
RandomBits random_bits(const Entropy& entropy, std::uint64_t draw) {
  std::uint64_t high = read_eight(entropy, 0);
  std::uint64_t low = read_eight(entropy, 8) + draw;
  for (std::uint64_t round = 1; round <= 3; ++round) {
    high ^= mixed(low + round * kGolden);
    low ^= mixed(high - round * kGolden);
  }
  return {high, low};
}

double random_unit(const Entropy& entropy, std::uint64_t draw) {
  return static_cast<double>(random_bits(entropy, draw).high >> 11) * 0x1p-53;
}

std::uint64_t random_below(const Entropy& entropy, std::uint64_t draw, std::uint64_t bound) {
  CHECK(bound != 0);
  using Product = unsigned __int128;
  return static_cast<std::uint64_t>(Product{random_bits(entropy, draw).high} * bound >> 64);
}

std::string uuid_from(const Entropy& entropy, std::uint64_t draw) {
  constexpr char kHex[] = "0123456789abcdef";
  RandomBits bits = random_bits(entropy, draw);
  bits.high = (bits.high & ~std::uint64_t{0xF000}) | 0x4000;  // version 4
  bits.low = bits.low >> 2 | std::uint64_t{1} << 63;          // variant 10
  std::string out;
  for (int digit = 0; digit < 32; ++digit) {
    if (digit == 8 || digit == 12 || digit == 16 || digit == 20) out += '-';
    const std::uint64_t word = digit < 16 ? bits.high : bits.low;
    out += kHex[word >> (60 - digit % 16 * 4) & 15];
  }
  return out;
}

}  // namespace stepwell
