#pragma once

#include "stepwell/runtime/instance.h"

namespace stepwell {

// The executions of a shard in the order in which they were touched, linked through themselves: no memory of its own.
class Residents {
 public:
  void add(Instance& instance) {
    instance.before = last_;
    instance.after = nullptr;
    (last_ == nullptr ? first_ : last_->after) = &instance;
    last_ = &instance;
  }
  void remove(Instance& instance) {
    (instance.before == nullptr ? first_ : instance.before->after) = instance.after;
    (instance.after == nullptr ? last_ : instance.after->before) = instance.before;
  }
  void touch(Instance& instance) {
    if (last_ == &instance) return;
    remove(instance);
    add(instance);
  }
  // The one that was touched longest ago; none if there is none.
  Instance* first() const { return first_; }
  void clear() { first_ = last_ = nullptr; }

 private:
  Instance* first_ = nullptr;
  Instance* last_ = nullptr;
};

}  // namespace stepwell
