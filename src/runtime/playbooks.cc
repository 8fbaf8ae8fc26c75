#include "stepwell/runtime/playbooks.h"

#include <fmt/format.h>

#include "stepwell/value/cbor_read.h"
#include "stepwell/value/cbor_write.h"

namespace stepwell {

namespace {

StoreError corrupt(const DefinitionRow& row, std::string_view why) {
  return {StoreError::Kind::corrupt,
          fmt::format("the stored {} '{}' version {} cannot be read: {}", row.kind, row.name, row.version, why)};
}

}  // namespace

Stored<> Playbooks::load() {
  const auto rows = store_.definitions();
  if (!rows) return std::unexpected(rows.error());
  const std::scoped_lock lock(mutex_);
  for (const DefinitionRow& row : *rows) {
    const auto kind = kind_of_word(row.kind);
    auto canonical = decode_cbor(row.canonical);
    if (!kind || !canonical)
      return std::unexpected(corrupt(row, kind ? canonical.error().to_string() : "unknown kind"));
    Document document = document_of(*kind, row.version, *canonical);
    if (document.hash.to_hex() != row.hash) return std::unexpected(corrupt(row, "it does not have its hash"));
    auto entry = catalog_.register_document(std::move(document));
    if (!entry) return std::unexpected(corrupt(row, entry.error()));
  }
  return {};
}

Stored<CatalogEntryPtr> Playbooks::add(Document document, std::string source, Instant now) {
  const std::scoped_lock lock(mutex_);
  auto entry = catalog_.register_document(std::move(document));
  if (!entry) return std::unexpected(StoreError{StoreError::Kind::invalid, std::move(entry.error())});
  const Document& added = (*entry)->document;
  const Stored<> put = store_.put_definition({.kind = std::string(kind_word(added.kind)),
                                              .name = added.name,
                                              .version = (*entry)->version,
                                              .hash = added.hash.to_hex(),
                                              .canonical = encode_cbor(added.definition),
                                              .source = std::move(source),
                                              .registered_at = now});
  if (!put) return std::unexpected(put.error());
  return *entry;
}

std::expected<PlaybookPtr, std::string> Playbooks::find(std::string_view name, std::optional<std::int64_t> version) {
  const std::scoped_lock lock(mutex_);
  auto entry =
      version ? catalog_.exact(DocumentKind::playbook, name, *version) : catalog_.latest(DocumentKind::playbook, name);
  if (!entry) return std::unexpected(std::move(entry.error()));
  PlaybookPtr& compiled = compiled_[{std::string(name), (*entry)->version}];
  if (compiled == nullptr) {
    auto definition = read_definition((*entry)->document.definition);
    if (!definition) return std::unexpected(std::move(definition.error()));
    compiled = std::make_shared<const Playbook>(std::move(*definition), (*entry)->version);
  }
  return compiled;
}

std::expected<CatalogEntryPtr, std::string> Playbooks::latest(DocumentKind kind, std::string_view name) const {
  const std::scoped_lock lock(mutex_);
  return catalog_.latest(kind, name);
}

std::vector<CatalogEntryPtr> Playbooks::list() const {
  const std::scoped_lock lock(mutex_);
  return catalog_.list();
}

}  // namespace stepwell
