#include "stepwell/tools/builtin_tools.h"

#include <memory>

#include "stepwell/tools/lua.h"
#include "stepwell/tools/shell.h"

namespace stepwell {

void add_builtin_tools(Toolbox& tools, const BuiltinOptions& options) {
  tools.add("http", std::make_shared<HttpTool>(options.http));
  tools.add("lua", std::make_shared<LuaTool>());
  tools.add("shell", std::make_shared<ShellTool>());
}

}  // namespace stepwell
