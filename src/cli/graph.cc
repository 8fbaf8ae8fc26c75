#include "stepwell/compile/graph.h"

#include <ostream>

#include "stepwell/base/check.h"
#include "stepwell/cli/commands.h"
#include "stepwell/cli/document_file.h"
#include "stepwell/cli/graphviz.h"
#include "stepwell/cli/options.h"
#include "stepwell/model/definition.h"

namespace stepwell::cli {
namespace {

ExitCode run_graph(const Command& command, Call& call) {
  std::string file;
  bool dot = false, mermaid = false, svg = false;
  Options options(command);
  options.argument("FILE", file, "a playbook; - is the standard input");
  options.flag("--dot", dot, "as Graphviz reads it; the default");
  options.flag("--mermaid", mermaid, "as a Mermaid flowchart, which many places that show Markdown draw");
  options.flag("--svg", svg, "as a drawing that follows the reader's light or dark mode; needs Graphviz");
  if (auto ended = options.parse(call)) return *ended;
  if (dot + mermaid + svg > 1) return refuse(call, "give one of --dot, --mermaid and --svg");

  const DocumentFile read = read_playbook_file(file, call.in);
  call.err << read.to_string();
  if (!read.document) return ExitCode::usage;
  const auto definition = read_definition(read.document->definition);
  CHECK(definition.has_value());  // what the loader makes is always accepted

  const Picture picture = picture_of(*definition);
  if (!svg) {
    call.out << (mermaid ? to_mermaid(picture) : to_dot(picture));
    return ExitCode::ok;
  }
  auto drawing = draw_svg(to_dot(picture));
  if (!drawing) {
    report(call, drawing.error());
    return ExitCode::failed;
  }
  call.out << follow_color_scheme(*std::move(drawing));
  return ExitCode::ok;
}

}  // namespace

const Command kGraph = {"graph", "draw a playbook", "stepwell graph --svg examples/hello/playbook.yaml >hello.svg",
                        run_graph};

}  // namespace stepwell::cli
