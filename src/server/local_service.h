#pragma once

#include <atomic>
#include <string_view>

#include "stepwell/server/backing.h"
#include "stepwell/server/service.h"

namespace stepwell {

// The service of the process that holds the store.
class LocalService final : public Service {
 public:
  explicit LocalService(const Backing& backing) : backing_(backing) {}

  Answered<> call(std::string_view method, const Value& params) override;
  Answered<> follow(std::string_view method, const Value& params, const Hear& hear) override;

  // Ends every follow() soon. To be called before the runtime stops.
  void stop() { stopped_ = true; }

 private:
  const Backing backing_;
  std::atomic<bool> stopped_ = false;
};

}  // namespace stepwell
