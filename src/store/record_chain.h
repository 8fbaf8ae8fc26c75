#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "stepwell/store/record.h"

namespace stepwell {

// Follows the records of one instance, oldest first, and says where one does not follow from the one before.
class RecordChain {
 public:
  // What is wrong with the next record; nothing if it fits. After a break it goes on from the record that did not fit.
  std::optional<std::string> follow(const Record& record, const RecordHash& hash);

 private:
  bool begun_ = false;
  std::uint64_t version_ = 0;
  RecordHash hash_ = {};
};

}  // namespace stepwell
