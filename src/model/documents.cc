#include "stepwell/model/documents.h"

#include <array>

#include "stepwell/model/document_part.h"

namespace stepwell {
namespace {

ModelLimits read_limits(Part part) {
  ModelLimits limits;
  limits.timeout = part.optional_duration("timeout");
  limits.input_tokens = part.optional_integer("input_tokens");
  limits.output_tokens = part.optional_integer("output_tokens");
  limits.requests_per_minute = part.optional_integer("requests_per_minute");
  limits.tokens_per_minute = part.optional_integer("tokens_per_minute");
  limits.max_in_flight = part.optional_integer("max_in_flight");
  part.finish();
  return limits;
}

ModelPrices read_prices(Part part) {
  ModelPrices prices{.input = part.real("input"), .output = part.real("output"), .currency = part.text("currency")};
  part.finish();
  return prices;
}

}  // namespace

std::expected<Schedule, std::string> read_schedule(const Value& canonical) {
  static constexpr auto kCatchUp = std::to_array<std::string_view>({"skip", "latest", "all"});
  std::optional<std::string> error;
  Part root(canonical, "", error);
  read_document_head(root, DocumentKind::schedule);
  const std::string text = root.text("cron");
  const auto cron = Cron::parse(text);
  if (!cron || cron->str() != text) root.refuse("cron", "is not in its canonical form");
  std::string time_zone = root.text("time_zone");
  const auto catch_up = static_cast<CatchUp>(root.word("catch_up", kCatchUp));
  std::string playbook = root.text("playbook");
  const auto version = root.optional_integer("version");
  auto input = root.optional_mapping("input");
  root.finish();
  if (error) return std::unexpected(std::move(*error));
  return Schedule{.cron = *cron,
                  .time_zone = std::move(time_zone),
                  .catch_up = catch_up,
                  .playbook = std::move(playbook),
                  .version = version,
                  .input = std::move(input)};
}

std::expected<Prompt, std::string> read_prompt(const Value& canonical) {
  std::optional<std::string> error;
  Part root(canonical, "", error);
  read_document_head(root, DocumentKind::prompt);
  Prompt prompt;
  prompt.text = root.mapping("template");
  if (auto inputs = root.part("inputs")) {
    for (const std::string_view name : inputs->keys()) {
      if (auto schema = inputs->schema(name)) prompt.inputs.emplace_back(name, *std::move(schema));
    }
  } else {
    root.refuse("inputs", "is missing");
  }
  prompt.output = root.schema("output");
  root.finish();
  if (error) return std::unexpected(std::move(*error));
  return prompt;
}

std::expected<ModelProfile, std::string> read_model_profile(const Value& canonical) {
  static constexpr auto kWires = std::to_array<std::string_view>({"openai", "anthropic"});
  std::optional<std::string> error;
  Part root(canonical, "", error);
  read_document_head(root, DocumentKind::model_profile);
  ModelProfile profile;
  profile.wire = static_cast<WireFormat>(root.word("wire", kWires));
  profile.url = root.optional_text("url");
  profile.auth = root.optional_text("auth");
  profile.model = root.text("model");
  if (const Value* parameters = root.need("parameters")) profile.parameters = *parameters;
  if (!profile.parameters.is_map()) root.refuse("parameters", "must be a map");
  if (auto limits = root.part("limits")) profile.limits = read_limits(std::move(*limits));
  if (auto prices = root.part("prices")) profile.prices = read_prices(std::move(*prices));
  root.finish();
  if (error) return std::unexpected(std::move(*error));
  return profile;
}

std::expected<ArtifactType, std::string> read_artifact_type(const Value& canonical) {
  std::optional<std::string> error;
  Part root(canonical, "", error);
  read_document_head(root, DocumentKind::artifact_type);
  root.need("schema");
  auto schema = root.schema("schema");
  root.finish();
  if (error) return std::unexpected(std::move(*error));
  return ArtifactType{*std::move(schema)};
}

}  // namespace stepwell
