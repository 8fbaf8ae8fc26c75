#pragma once

#include <cstddef>
#include <expected>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "stepwell/compile/load.h"
#include "stepwell/model/diagnostic.h"

namespace stepwell::cli {

// A document read from a file, or why there is none. A file that cannot be read is a diagnostic too.
struct DocumentFile {
  std::optional<Document> document;
  std::vector<Diagnostic> diagnostics;
  std::size_t left_out = 0;  // diagnostics that are too many to be listed

  // A line for each diagnostic.
  std::string to_string() const;
};

// What a document without a name of its own is called: after its file, or after the folder of a playbook.yaml.
std::string default_name(const std::string& path);

// "-" is `in`.
DocumentFile read_document_file(const std::string& path, std::istream& in);
// The same for commands that can only take a playbook: another kind is an error.
DocumentFile read_playbook_file(const std::string& path, std::istream& in);

// What is to be read for an argument: the path itself or, of a directory, all *.yaml, *.yml and *.json in it and below,
// sorted. Hidden ones are left out. Says why if a directory cannot be read or has none.
std::expected<std::vector<std::string>, std::string> document_paths(const std::string& path);

}  // namespace stepwell::cli
