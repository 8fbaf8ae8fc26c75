#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "stepwell/base/rng.h"

namespace stepwell::testing {

// Choices by a seed, for texts that are too large to be drawn and shrunk choice by choice.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) {
    for (std::size_t i = 0; i < sizeof(seed); ++i) entropy_[i] = static_cast<std::uint8_t>(seed >> (8 * i));
  }

  std::size_t below(std::size_t bound) { return random_below(entropy_, draw_++, bound); }
  bool flip() { return below(2) == 0; }
  bool one_in(std::size_t times) { return below(times) == 0; }

  template <typename T>
  const T& of(const std::vector<T>& all) {
    return all[below(all.size())];
  }
  std::string word(std::initializer_list<const char*> words) { return words.begin()[below(words.size())]; }

  template <typename T>
  void shuffle(std::vector<T>& all) {
    for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[below(i)]);
  }

 private:
  Entropy entropy_ = {};
  std::uint64_t draw_ = 0;
};

}  // namespace stepwell::testing
