#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace stepwell {

using Entropy = std::array<std::uint8_t, 16>;

// Reproducible random values: the `draw`-th value of an entropy is the same on every machine and in every replay, and
// needs no other draw before it. Draws of one entropy differ from each other, and so do equal draws of two entropies,
// because a draw is a permutation of the 128 bits. Who has seen a few draws can compute the others: not for secrets.
struct RandomBits {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
};
RandomBits random_bits(const Entropy& entropy, std::uint64_t draw);

// At least 0 and less than 1.
double random_unit(const Entropy& entropy, std::uint64_t draw);

// At least 0 and less than `bound`, each equally likely up to 2^-64. CHECKs that `bound` is not 0.
std::uint64_t random_below(const Entropy& entropy, std::uint64_t draw, std::uint64_t bound);

// A UUID of version 4 in its lower-case text form.
std::string uuid_from(const Entropy& entropy, std::uint64_t draw);

}  // namespace stepwell
