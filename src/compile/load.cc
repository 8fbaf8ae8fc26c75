#include "stepwell/compile/load.h"

#include "stepwell/compile/loader.h"
#include "stepwell/compile/yaml_read.h"
#include "stepwell/value/cbor_write.h"

namespace stepwell {

namespace {

std::optional<std::int64_t> authored_version(const Yaml& root) {
  const Yaml* metadata = root.find("metadata");
  const Yaml* version = metadata == nullptr ? nullptr : metadata->find("version");
  if (version == nullptr || version->kind != Kind::integer) return std::nullopt;
  return version->scalar.as_int();
}

}  // namespace

std::optional<LoadedPlaybook> load_playbook(std::string_view text, std::string_view default_name,
                                            Diagnostics& diagnostics) {
  const std::optional<Yaml> root = read_yaml(text, diagnostics);
  if (!root) return std::nullopt;
  static const Yaml kNothing;
  const Yaml* workflow = root->find("workflow");
  Value definition = Loader(workflow != nullptr ? *workflow : kNothing, diagnostics).playbook(*root, default_name);
  if (diagnostics.has_errors()) return std::nullopt;
  return LoadedPlaybook{.name = std::string(definition.find("name")->as_text()),
                        .version = authored_version(*root),
                        .definition = definition,
                        .hash = sha256(encode_cbor(definition))};
}

}  // namespace stepwell
