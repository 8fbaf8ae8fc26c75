#pragma once

#include "stepwell/base/instant.h"
#include "stepwell/base/rng.h"

// How time and chance come into the runtime: it asks these, and nothing else, so that a test can be both.
namespace stepwell {

// Safe for any thread.
class Clock {
 public:
  virtual Instant now() const = 0;

 protected:
  ~Clock() = default;
};

// Safe for any thread.
class Dice {
 public:
  virtual Entropy roll() = 0;

 protected:
  ~Dice() = default;
};

// The machine's own.
Clock& system_clock();
Dice& system_dice();

}  // namespace stepwell
