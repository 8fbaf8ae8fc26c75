#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stepwell/tools/tool.h"

// What the http tool asks and gets, apart from how it travels.
namespace stepwell {

struct HttpRequest {
  std::string method = {};
  std::string url = {};  // with the query
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::optional<std::string> body = {};
  bool follow = true;
  std::optional<ToolTime> deadline = {};
  std::size_t response_bytes = 0;  // the most that is taken
};

struct HttpResponse {
  enum class Failure : std::uint8_t {
    none,
    connection,
    tls,
    timeout,
    refused_address,
    too_large,
    stopped,
    bad_request
  };
  Failure failure = Failure::none;
  std::string reason = {};  // of a failure, for people
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers = {};  // names in lower case, in the order they came
  std::string body = {};
};

// The request that a call asks for, or the outcome of a call that asks for none.
std::expected<HttpRequest, TaskOutcome> http_request(const ToolCall& call);

TaskOutcome http_outcome(const HttpRequest& request, HttpResponse response);

}  // namespace stepwell
