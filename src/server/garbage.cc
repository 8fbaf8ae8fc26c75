#include "stepwell/server/garbage.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace stepwell {

namespace {

constexpr std::string_view kScheme = "sha256:";
constexpr std::size_t kHexDigits = 64;
constexpr Duration kGrace = Duration::micros(3'600'000'000);

// What is referred to. References stand in bytes as they are: the encodings keep texts whole.
class Marks {
 public:
  explicit Marks(Store& store) : store_(store) {}

  void in(std::string_view bytes) {
    for (std::size_t at = bytes.find(kScheme); at != std::string_view::npos; at = bytes.find(kScheme, at + 1)) {
      const std::string_view hash = bytes.substr(at + kScheme.size(), kHexDigits);
      if (hash.size() == kHexDigits && marked_.insert(std::string(hash)).second) to_read_.emplace_back(hash);
    }
  }

  Stored<> in_blobs() {
    while (!to_read_.empty()) {
      const std::string hash = std::move(to_read_.back());
      to_read_.pop_back();
      const auto bytes = store_.find_blob(hash);
      if (!bytes) return std::unexpected(bytes.error());
      if (*bytes) in(**bytes);
    }
    return {};
  }

  bool has(std::string_view hash) const { return marked_.contains(hash); }

 private:
  Store& store_;
  std::set<std::string, std::less<>> marked_;
  std::vector<std::string> to_read_;
};

Stored<> mark_execution(Store& store, const std::string& execution, Marks& marks) {
  const auto snapshot = store.find_snapshot(execution);
  if (!snapshot) return std::unexpected(snapshot.error());
  if (*snapshot) marks.in((*snapshot)->bytes);
  return store.read_records(execution, 0, [&](const Record& record, const RecordHash&) { marks.in(record.body); });
}

}  // namespace

Stored<Store::Swept> sweep_garbage(Store& store, Instant now) {
  const auto before = checked_sub(now, kGrace);
  if (!before) return Store::Swept{};
  std::vector<std::string> executions;
  const Stored<> listed = store.each_instance([&](std::string_view name) { executions.emplace_back(name); });
  if (!listed) return std::unexpected(listed.error());
  Marks marks(store);
  for (const std::string& execution : executions) {
    if (auto marked = mark_execution(store, execution, marks); !marked) return std::unexpected(marked.error());
  }
  if (auto marked = store.each_artifact([&](const ArtifactRow& artifact) { marks.in(artifact.blob); }); !marked) {
    return std::unexpected(marked.error());
  }
  if (auto marked = marks.in_blobs(); !marked) return std::unexpected(marked.error());
  return store.sweep_blobs(*before, [&](std::string_view hash) { return marks.has(hash); });
}

}  // namespace stepwell
