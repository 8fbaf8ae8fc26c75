#include "stepwell/store/record_chain.h"

namespace stepwell {

std::optional<std::string> RecordChain::follow(const Record& record, const RecordHash& hash) {
  std::optional<std::string> broken;
  if (begun_ && record.version != version_ + 1) {
    broken = "version " + std::to_string(record.version) + " follows version " + std::to_string(version_);
  } else if (record.previous != hash_) {
    broken = "version " + std::to_string(record.version) + " was written after " +
             (begun_ ? "another record than the one before it" : "a record that is not there");
  }
  begun_ = true;
  version_ = record.version;
  hash_ = hash;
  return broken;
}

}  // namespace stepwell
