#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stepwell/base/duration.h"
#include "stepwell/model/cron.h"
#include "stepwell/model/mapping.h"
#include "stepwell/value/schema.h"
#include "stepwell/value/value.h"

// The small kinds of documents, as they are used. Each is read from its canonical value (docs/formats/documents.md);
// anything malformed is refused with the place (a JSON pointer) and the reason.
namespace stepwell {

// What happens to times that passed while nobody was there to see them.
enum class CatchUp : std::uint8_t { skip, latest, all };

struct Schedule {
  Cron cron;
  std::string time_zone;
  CatchUp catch_up = CatchUp::skip;
  std::string playbook;
  std::optional<std::int64_t> version;  // none: the latest at that time
  std::optional<Mapping> input;         // reads `schedule`
};
std::expected<Schedule, std::string> read_schedule(const Value& canonical);

struct Prompt {
  Mapping text;                                        // reads the inputs by their names
  std::vector<std::pair<std::string, Schema>> inputs;  // all of them are required
  std::optional<Schema> output;
};
std::expected<Prompt, std::string> read_prompt(const Value& canonical);

enum class WireFormat : std::uint8_t { openai, anthropic };

struct ModelLimits {
  std::optional<Duration> timeout;
  std::optional<std::int64_t> input_tokens;
  std::optional<std::int64_t> output_tokens;
  std::optional<std::int64_t> requests_per_minute;
  std::optional<std::int64_t> tokens_per_minute;
  std::optional<std::int64_t> max_in_flight;
};

// Of a million tokens.
struct ModelPrices {
  double input = 0;
  double output = 0;
  std::string currency;
};

struct ModelProfile {
  WireFormat wire = WireFormat::openai;
  std::string url;   // empty: the provider's own
  std::string auth;  // the name of a secret; empty: none
  std::string model;
  Value parameters;
  ModelLimits limits;
  std::optional<ModelPrices> prices;
};
std::expected<ModelProfile, std::string> read_model_profile(const Value& canonical);

struct ArtifactType {
  Schema schema;
};
std::expected<ArtifactType, std::string> read_artifact_type(const Value& canonical);

}  // namespace stepwell
