#include "world.h"

namespace stepwell::reference {

Value Error::to_value() const {
  return Value::map({{"class", Value(error_class)},
                     {"kind", Value(kind)},
                     {"message", ""},
                     {"retryable", retryable},
                     {"step", Value(step)},
                     {"run", Value(run)},
                     {"attempt", attempt},
                     {"details", Value()}});
}

int FanOut::total() const {
  int total = 0;
  for (const Leg& leg : legs) total += static_cast<int>(leg.items.size());
  return total;
}

std::pair<const Leg*, int> FanOut::place(int index) const {
  for (const Leg& leg : legs) {
    const int size = static_cast<int>(leg.items.size());
    if (index < size) return {&leg, index};
    index -= size;
  }
  return {nullptr, 0};
}

}  // namespace stepwell::reference
