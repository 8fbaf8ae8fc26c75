#include <ostream>

#include <fmt/format.h>

#include "stepwell/cli/commands.h"
#include "stepwell/cli/options.h"
#include "stepwell/cli/playbook_file.h"
#include "stepwell/value/cbor_write.h"
#include "stepwell/value/json_write.h"

namespace stepwell::cli {
namespace {

ExitCode run_canonical(const Command& command, Call& call) {
  std::string file;
  bool cbor = false;
  Options options(command);
  options.argument("FILE", file, "a playbook; - is the standard input");
  options.flag("--cbor", cbor, "the canonical bytes themselves");
  if (auto ended = options.parse(call)) return *ended;
  const PlaybookFile read = read_playbook_file(file, call.in);
  for (const Diagnostic& diagnostic : read.diagnostics) call.err << diagnostic.to_string() << '\n';
  if (!read.playbook) return ExitCode::usage;
  const Value& definition = read.playbook->definition;
  if (cbor) {
    call.out << encode_cbor(definition);
  } else if (call.flags.json) {
    call.out << to_json(definition) << '\n';
  } else {
    call.out << fmt::format("name: {}\nhash: sha256:{}\n", read.playbook->name, read.playbook->hash.to_hex())
             << to_json_pretty(definition) << '\n';
  }
  return ExitCode::ok;
}

}  // namespace

const Command kCanonical = {"canonical", "show what a playbook compiles to, and its hash",
                            "stepwell canonical examples/hello/playbook.yaml", run_canonical};

}  // namespace stepwell::cli
