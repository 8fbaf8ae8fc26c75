#include <utility>

#include <fmt/format.h>

#include "stepwell/compile/load.h"
#include "stepwell/server/local_methods.h"
#include "stepwell/server/params.h"

namespace stepwell {

namespace {

Value entry_value(const CatalogEntry& entry) {
  return Value::map({{"kind", kind_word(entry.document.kind)},
                     {"name", entry.document.name},
                     {"version", entry.version},
                     {"hash", entry.document.hash.to_hex()}});
}

std::string lines_of(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!text.empty()) text += '\n';
    text += diagnostic.to_string();
  }
  return text;
}

}  // namespace

Answered<> register_playbook(const Backing& backing, const Value& params) {
  Params read(params);
  const std::string source = read.text("source");
  const std::string file = read.text_or("file", "the document");
  const std::string name = read.text_or("default_name", "playbook");
  if (read.problem()) return std::unexpected(*read.problem());
  Diagnostics diagnostics(file);
  auto document = load_document(source, name, diagnostics);
  if (!document) return std::unexpected(Problem{"invalid_definition", lines_of(diagnostics.sorted())});
  const auto added = backing.runtime.playbooks().add(*std::move(document), source, backing.clock.now());
  if (!added) return std::unexpected(problem_of(added.error()));
  return entry_value(**added).with("warnings", lines_of(diagnostics.sorted()));
}

Answered<> list_playbooks(const Backing& backing, const Value& params) {
  Params read(params);
  const std::string name = read.text_or("name", "");
  if (read.problem()) return std::unexpected(*read.problem());
  std::vector<Value> entries;
  for (const CatalogEntryPtr& entry : backing.runtime.playbooks().list()) {
    if (name.empty() || entry->document.name == name) entries.push_back(entry_value(*entry));
  }
  return Value::list(std::move(entries));
}

}  // namespace stepwell
