#include "stepwell/server/playback.h"

#include <utility>

#include <fmt/format.h>

#include "stepwell/runtime/load_instance.h"
#include "stepwell/server/event_value.h"

namespace stepwell {

std::expected<void, std::string> Playback::take(const Record& record, const RecordHash& hash, const HearEvent& hear) {
  return bring_on(instance_, playbooks_, record, hash, [&](const Event& event) {
    for (ToldEvent& told : tell(instance_, event)) {
      ++seq_;
      if (!hear) continue;
      told.members.push_back({"type", told.type});
      told.members.push_back({"ts", instance_.last_time.str()});
      told.members.push_back({"execution", execution_});
      told.members.push_back({"seq", seq_});
      told.members.push_back({"version", static_cast<std::int64_t>(record.version)});
      hear(Value::map(std::move(told.members)));
    }
  });
}

Stored<> Playback::read(Store& store, const HearEvent& hear, std::uint64_t up_to) {
  std::string problem;
  const Stored<> read = store.read_records(execution_, version(), [&](const Record& record, const RecordHash& hash) {
    if (!problem.empty() || record.version > up_to) return;
    if (auto taken = take(record, hash, hear); !taken) problem = taken.error();
  });
  if (!read || problem.empty()) return read;
  return std::unexpected(StoreError{StoreError::Kind::corrupt, fmt::format("execution '{}': {}", execution_, problem)});
}

}  // namespace stepwell
