#include "stepwell/tools/builtin_tools.h"

#include "stepwell/tools/interpreter.h"
#include "stepwell/tools/lua.h"
#include "stepwell/tools/postgres.h"
#include "stepwell/tools/shell.h"
#include "stepwell/tools/sqlite.h"

namespace stepwell {

void add_builtin_tools(Toolbox& tools, const BuiltinOptions& options) {
  if (options.artifacts) tools.add("artifact", std::make_shared<ArtifactTool>(options.artifacts));
  tools.add("http", std::make_shared<HttpTool>(options.http));
  tools.add("lua", std::make_shared<LuaTool>());
  tools.add("node", make_node_tool());
  tools.add("postgres", std::make_shared<PostgresTool>());
  tools.add("python", make_python_tool());
  tools.add("shell", std::make_shared<ShellTool>());
  tools.add("sqlite", std::make_shared<SqliteTool>());
}

}  // namespace stepwell
