#pragma once

#include <memory>
#include <mutex>

#include "stepwell/tools/tool.h"

namespace stepwell {

struct HttpOptions {
  // Link-local addresses are where machines of a cloud keep what only they may know.
  bool allow_link_local = false;
};

// HTTP requests, all of them on one thread. docs/reference/tools/http.md.
class HttpTool final : public AsyncTool {
 public:
  explicit HttpTool(HttpOptions options = {});
  ~HttpTool() override;

  void start(ToolCall call, Done done) override;

 private:
  class Loop;

  const HttpOptions options_;
  std::once_flag once_;
  std::unique_ptr<Loop> loop_;
};

}  // namespace stepwell
