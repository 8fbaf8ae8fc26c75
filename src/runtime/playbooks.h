#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stepwell/compile/catalog.h"
#include "stepwell/model/definition.h"
#include "stepwell/store/store.h"

namespace stepwell {

// A playbook as executions run it. It never changes; whoever holds it keeps it.
struct Playbook {
  Definition definition;
  std::int64_t version = 1;
};
using PlaybookPtr = std::shared_ptr<const Playbook>;

// The catalog of documents, kept in a store. Definitions are compiled when they are first asked for. Safe for any
// thread.
class Playbooks {
 public:
  // Borrows the store.
  explicit Playbooks(Store& store) : store_(store) {}

  // Reads what is registered.
  Stored<> load();

  // Registers a document (compile/catalog.h says under which version) and makes it durable. `invalid` if its version is
  // taken by another definition.
  Stored<CatalogEntryPtr> add(Document document, std::string source, Instant now);
  // The latest version if none is given. Says why if there is none.
  std::expected<PlaybookPtr, std::string> find(std::string_view name, std::optional<std::int64_t> version);
  // The latest version of a document of any kind. Says why if there is none.
  std::expected<CatalogEntryPtr, std::string> latest(DocumentKind kind, std::string_view name) const;
  // Sorted by kind, name and version.
  std::vector<CatalogEntryPtr> list() const;

 private:
  Store& store_;
  mutable std::mutex mutex_;
  Catalog catalog_;
  std::map<std::pair<std::string, std::int64_t>, PlaybookPtr> compiled_;
};

}  // namespace stepwell
