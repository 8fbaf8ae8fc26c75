#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "stepwell/model/diagnostic.h"
#include "stepwell/model/document.h"

namespace stepwell {

// A document of the catalog. It never changes; whoever holds it keeps it.
struct CatalogEntry {
  Document document;
  std::int64_t version = 1;  // the one it is registered by
};
using CatalogEntryPtr = std::shared_ptr<const CatalogEntry>;

// A text to load, and what to call it in messages.
struct DocumentSource {
  std::string file;
  std::string default_name;
  std::string text;
};

enum class StartMode : std::uint8_t {
  strict,  // an invalid document: refuse to start
  warn,    // an invalid document: go on without it, and say so when it is asked for
};

// Documents of all kinds by kind, name and version, in memory. What is registered is never changed or removed.
// Not safe for use by several threads at once; entries are.
class Catalog {
 public:
  // Gives the document its version: the one it says; else that of the same definition, if it is there, the latest of
  // several; else one more than the highest. Refuses, and changes nothing, if there is another definition with the same
  // name and version.
  std::expected<CatalogEntryPtr, std::string> register_document(Document document);

  // Says why if there is none: an unknown name with the nearest one, a version with those there are, an unavailable
  // document with what is wrong with it.
  std::expected<CatalogEntryPtr, std::string> latest(DocumentKind kind, std::string_view name) const;
  std::expected<CatalogEntryPtr, std::string> exact(DocumentKind kind, std::string_view name,
                                                    std::int64_t version) const;

  // Sorted by kind, name and version.
  std::vector<CatalogEntryPtr> list() const;

  // Loads documents, in their order, and answers all that is found in any of them. In strict mode an error among it
  // leaves the catalog as it was. In warn mode the valid ones are registered, and the names of the others are marked:
  // latest() answers why, until a valid document of that kind and name is registered.
  std::vector<Diagnostic> load(const std::vector<DocumentSource>& sources, StartMode mode);

 private:
  struct Named {
    std::map<std::int64_t, CatalogEntryPtr> versions;
    std::string unavailable;  // why a document of this name could not be loaded; empty if all could
  };
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  using ByName = std::unordered_map<std::string, Named, Hash, std::equal_to<>>;

  Named& named(DocumentKind kind, const std::string& name) { return kinds_[static_cast<std::size_t>(kind)][name]; }
  std::expected<const Named*, std::string> find(DocumentKind kind, std::string_view name) const;

  std::array<ByName, kDocumentKinds> kinds_;
};

}  // namespace stepwell
