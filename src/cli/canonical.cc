#include <ostream>

#include <fmt/format.h>

#include "stepwell/cli/commands.h"
#include "stepwell/cli/document_file.h"
#include "stepwell/cli/options.h"
#include "stepwell/value/cbor_write.h"
#include "stepwell/value/json_write.h"

namespace stepwell::cli {
namespace {

ExitCode run_canonical(const Command& command, Call& call) {
  std::string file;
  bool cbor = false;
  Options options(command);
  options.argument("FILE", file, "a document; - is the standard input");
  options.flag("--cbor", cbor, "the canonical bytes themselves");
  if (auto ended = options.parse(call)) return *ended;
  const DocumentFile read = read_document_file(file, call.in);
  call.err << read.to_string();
  if (!read.document) return ExitCode::usage;
  const Value& definition = read.document->definition;
  if (cbor) {
    call.out << encode_cbor(definition);
  } else if (call.flags.json) {
    call.out << to_json(definition) << '\n';
  } else {
    call.out << fmt::format("name: {}\nhash: sha256:{}\n", read.document->name, read.document->hash.to_hex())
             << to_json_pretty(definition) << '\n';
  }
  return ExitCode::ok;
}

}  // namespace

const Command kCanonical = {"canonical", "show what a document compiles to, and its hash",
                            "stepwell canonical examples/hello/playbook.yaml", run_canonical};

}  // namespace stepwell::cli
