#pragma once

#include <expected>
#include <memory>
#include <string>

#include "stepwell/server/service.h"

namespace stepwell {

// The service of the process that holds a store, asked through its control socket. Each call is a connection of its
// own.
class RemoteService final : public Service {
 public:
  // Nobody may be there by the time it is asked; this only says whether somebody answers now, and why not.
  static std::expected<std::unique_ptr<RemoteService>, std::string> find(const std::string& directory);

  Answered<> call(std::string_view method, const Value& params) override;
  Answered<> follow(std::string_view method, const Value& params, const Hear& hear) override;

 private:
  explicit RemoteService(std::string directory) : directory_(std::move(directory)) {}
  Answered<> ask(std::string_view method, const Value& params, const Hear* hear);

  const std::string directory_;
};

}  // namespace stepwell
