#include "stepwell/compile/catalog.h"

#include <algorithm>
#include <limits>
#include <ranges>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "stepwell/compile/load.h"

namespace stepwell {

std::expected<CatalogEntryPtr, std::string> Catalog::register_document(Document document) {
  Named& named = this->named(document.kind, document.name);
  auto& versions = named.versions;
  constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
  const auto same = [&](const auto& each) { return each.second->document.hash == document.hash; };
  CatalogEntryPtr known;
  if (document.version) {
    const auto found = versions.find(*document.version);
    if (found != versions.end() && !same(*found)) {
      return std::unexpected(fmt::format(
          "version {} of {} '{}' is registered with another definition; give this one another version, or none",
          *document.version, kind_noun(document.kind), document.name));
    }
    if (found != versions.end()) known = found->second;
  } else {
    const auto found = std::ranges::find_if(versions.rbegin(), versions.rend(), same);
    if (found != versions.rend()) known = found->second;
  }
  if (known == nullptr && !document.version && !versions.empty() && versions.rbegin()->first == kLast) {
    return std::unexpected(
        fmt::format("{} '{}' has no version left after {}", kind_noun(document.kind), document.name, kLast));
  }
  named.unavailable.clear();
  if (known != nullptr) return known;
  const std::int64_t next = versions.empty() ? 1 : versions.rbegin()->first + 1;
  const std::int64_t version = document.version.value_or(next);
  auto entry = std::make_shared<const CatalogEntry>(CatalogEntry{.document = std::move(document), .version = version});
  versions.emplace(version, entry);
  return entry;
}

std::expected<const Catalog::Named*, std::string> Catalog::find(DocumentKind kind, std::string_view name) const {
  const ByName& names = kinds_[static_cast<std::size_t>(kind)];
  const auto found = names.find(name);
  if (found != names.end()) return &found->second;
  std::vector<std::string_view> known;
  for (const auto& [each, named] : names) known.push_back(each);
  std::ranges::sort(known);
  const std::string near = did_you_mean(name, known);
  return std::unexpected(fmt::format("there is no {} '{}'{}{}", kind_noun(kind), name, near.empty() ? "" : "; ", near));
}

std::expected<CatalogEntryPtr, std::string> Catalog::latest(DocumentKind kind, std::string_view name) const {
  const auto named = find(kind, name);
  if (!named) return std::unexpected(named.error());
  if (!(*named)->unavailable.empty()) {
    return std::unexpected(fmt::format("{} '{}' is unavailable: {}", kind_noun(kind), name, (*named)->unavailable));
  }
  return (*named)->versions.rbegin()->second;
}

std::expected<CatalogEntryPtr, std::string> Catalog::exact(DocumentKind kind, std::string_view name,
                                                           std::int64_t version) const {
  const auto named = find(kind, name);
  if (!named) return std::unexpected(named.error());
  const auto& versions = (*named)->versions;
  const auto found = versions.find(version);
  if (found != versions.end()) return found->second;
  if (!(*named)->unavailable.empty()) return latest(kind, name);
  return std::unexpected(fmt::format("there is no version {} of {} '{}'; there is {}", version, kind_noun(kind), name,
                                     fmt::join(versions | std::views::keys, ", ")));
}

std::vector<CatalogEntryPtr> Catalog::list() const {
  std::vector<CatalogEntryPtr> all;
  for (const ByName& names : kinds_) {
    for (const auto& [name, named] : names) {
      for (const auto& [version, entry] : named.versions) all.push_back(entry);
    }
  }
  std::ranges::sort(all, {}, [](const CatalogEntryPtr& entry) {
    return std::tuple(entry->document.kind, std::string_view(entry->document.name), entry->version);
  });
  return all;
}

std::vector<Diagnostic> Catalog::load(const std::vector<DocumentSource>& sources, StartMode mode) {
  Catalog next = *this;
  std::vector<Diagnostic> found;
  std::vector<std::pair<DocumentId, std::string>> unavailable;
  for (const DocumentSource& source : sources) {
    Diagnostics diagnostics(source.file);
    if (auto document = load_document(source.text, source.default_name, diagnostics)) {
      const auto entry = next.register_document(*std::move(document));
      if (!entry) diagnostics.error({}, "version-taken", entry.error());
    }
    const std::vector<Diagnostic> all = diagnostics.sorted();
    if (diagnostics.has_errors()) {
      const auto first = std::ranges::find(all, Severity::error, &Diagnostic::severity);
      unavailable.emplace_back(identify_document(source.text, source.default_name), first->to_string());
    }
    found.insert(found.end(), all.begin(), all.end());
  }
  // After all are registered, so that their order does not matter.
  for (auto& [id, why] : unavailable) next.named(id.kind, id.name).unavailable = std::move(why);
  if (unavailable.empty() || mode == StartMode::warn) *this = std::move(next);
  return found;
}

}  // namespace stepwell
