#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "stepwell/compile/expressions.h"
#include "stepwell/compile/load_kinds.h"
#include "stepwell/compile/scalars.h"
#include "stepwell/compile/schemas.h"

namespace stepwell {
namespace {

// acme/order.step@1
bool is_versioned_name(std::string_view text) {
  auto is_word = [](std::string_view word) {
    auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    auto fits = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-'; };
    return !word.empty() && letter(word[0]) && std::ranges::all_of(word, fits);
  };
  auto is_version = [](std::string_view digits) {
    constexpr std::size_t kMostDigits = 9;
    return !digits.empty() && digits.size() <= kMostDigits && digits[0] != '0' &&
           std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
  };
  const std::size_t slash = text.find('/');
  const std::size_t at = text.find('@');
  if (slash == std::string_view::npos || at == std::string_view::npos || at < slash) return false;
  return is_word(text.substr(0, slash)) && is_word(text.substr(slash + 1, at - slash - 1)) &&
         is_version(text.substr(at + 1));
}

// order_id, customer.id, $value.note_id
bool is_key_field(std::string_view text) {
  if (text.starts_with("$value.")) text.remove_prefix(std::string_view("$value.").size());
  while (true) {
    const std::string_view segment = text.substr(0, text.find('.'));
    if (!is_plain_name(segment)) return false;
    if (segment.size() == text.size()) return true;
    text.remove_prefix(segment.size() + 1);
  }
}

class ManifestLoader {
 public:
  explicit ManifestLoader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void load(Fields& root, Canon& out) {
    section(root, "schemas", true, out, [&](const Yaml& node, const std::string& name) { return schema(node, name); });
    section(root, "effects", true, out, [&](const Yaml& node, const std::string& name) { return effect(node, name); });
    section(root, "modules", false, out, [&](const Yaml& node, const std::string& name) { return module(node, name); });
    section(root, "workflows", true, out,
            [&](const Yaml& node, const std::string& name) { return workflow(node, name); });
    std::vector<Value> subscriptions;
    if (const Yaml* routing = root.take("routing")) {
      Fields fields(*routing, "routing", diagnostics_);
      const Yaml* list = fields.take("subscriptions");
      if (list != nullptr && !list->is_list()) wrong_kind(*list, "subscriptions", "a list", diagnostics_);
      if (list != nullptr) {
        for (const Yaml& each : list->items) subscriptions.push_back(subscription(each));
      }
      fields.finish();
    }
    out.put("subscriptions", Value::list(std::move(subscriptions)));
    root.finish();
  }

 private:
  void check_versioned(const std::string& name, Mark mark) {
    if (is_versioned_name(name)) return;
    diagnostics_.error(mark, "name-form", fmt::format("'{}' is not a name with group and version", name),
                       "write it as group/name@1");
  }

  // A map from names to what is declared by them.
  template <typename Read>
  void section(Fields& root, std::string_view key, bool versioned, Canon& out, Read read) {
    const Yaml* node = root.take(key);
    Canon entries;
    if (node != nullptr && !node->is_map()) wrong_kind(*node, key, "a map", diagnostics_);
    for (const YamlMember& member : node == nullptr ? std::vector<YamlMember>() : node->members) {
      if (versioned) check_versioned(member.key, member.key_mark);
      if (versioned && member.key.starts_with("sys/")) {
        diagnostics_.error(member.key_mark, "name-reserved",
                           fmt::format("'{}' cannot be declared: names with sys/ are built in", member.key));
      }
      entries.put(member.key, read(member.value, fmt::format("{}.{}", key, member.key)));
    }
    out.put(key, entries.finish());
  }

  // The name of something that is declared here or built in.
  std::optional<std::string> reference(const Yaml& node, std::string_view what) {
    auto name = text_of(node, what, diagnostics_);
    if (name) check_versioned(*name, node.mark);
    return name;
  }
  void put_reference(Fields& fields, std::string_view key, bool needed, Canon& out) {
    const Yaml* node = needed ? fields.need(key) : fields.take(key);
    if (node != nullptr) out.put_if(key, reference(*node, key));
  }

  // A JSON Schema, or {variant: {Arm: schema}}.
  Value schema(const Yaml& node, const std::string& what) {
    Canon out;
    const Yaml* variant = node.find("variant");
    if (variant == nullptr) {
      out.put_if("schema", schema_of(node, what, diagnostics_));
      return out.finish();
    }
    Fields fields(node, what, diagnostics_);
    fields.take("variant");
    fields.finish();
    Canon arms;
    if (!variant->is_map()) wrong_kind(*variant, "variant", "a map from arms to schemas", diagnostics_);
    for (const YamlMember& arm : variant->members) arms.put_if(arm.key, reference(arm.value, "the schema of an arm"));
    out.put("variant", arms.finish());
    return out.finish();
  }

  Value effect(const Yaml& node, const std::string& what) {
    Canon out;
    Fields fields(node, what, diagnostics_);
    put_reference(fields, "params", true, out);
    put_reference(fields, "receipt", true, out);
    if (const Yaml* tool = fields.take("tool")) {
      Fields tool_fields(*tool, "the tool", diagnostics_);
      if (const Yaml* kind = tool_fields.need("kind")) name_of(*kind, "kind", diagnostics_);
      tool_fields.finish_open();
      out.put("tool", mapping(*tool, "tool", {"params", "intent"}));
    }
    if (const Yaml* timeout = fields.take("timeout")) {
      if (const auto duration = duration_of(*timeout, "timeout", diagnostics_)) out.put("timeout", duration->micros());
    }
    fields.finish();
    return out.finish();
  }

  Value module(const Yaml& node, const std::string& what) {
    static constexpr auto kRuntimes = std::to_array<std::string_view>({"lua", "native"});
    Canon out;
    Fields fields(node, what, diagnostics_);
    const Yaml* runtime = fields.need("runtime");
    const auto word = runtime == nullptr ? std::nullopt : word_of(*runtime, "runtime", kRuntimes, diagnostics_);
    out.put_if("runtime", word);
    // A native module may be linked in.
    const Yaml* file = word == "lua" ? fields.need("file") : fields.take("file");
    if (file != nullptr) out.put_if("file", text_of(*file, "file", diagnostics_));
    fields.finish();
    return out.finish();
  }

  Value workflow(const Yaml& node, const std::string& what) {
    Canon out;
    Fields fields(node, what, diagnostics_);
    put_reference(fields, "state", true, out);
    put_reference(fields, "event", true, out);
    put_reference(fields, "context", false, out);
    put_reference(fields, "annotations", false, out);
    if (const Yaml* key = fields.take("key_schema"))
      out.put_if("key_schema", schema_of(*key, "key_schema", diagnostics_));
    std::vector<std::string> effects;
    if (const Yaml* list = fields.need("effects_emitted")) {
      if (!list->is_list()) wrong_kind(*list, "effects_emitted", "a list of effects", diagnostics_);
      for (const Yaml& each : list->items) {
        if (auto name = reference(each, "an effect")) effects.push_back(*std::move(name));
      }
    }
    out.put("effects_emitted", set_of(std::move(effects)));
    if (const Yaml* given = fields.need("impl")) {
      Fields impl(*given, "impl", diagnostics_);
      for (const std::string_view key : {"module", "entrypoint"}) {
        if (const Yaml* name = impl.need(key)) out.put_if(key, text_of(*name, key, diagnostics_));
      }
      impl.finish();
    }
    fields.finish();
    return out.finish();
  }

  Value subscription(const Yaml& node) {
    Canon out;
    Fields fields(node, "a subscription", diagnostics_);
    put_reference(fields, "event", true, out);
    const Yaml* workflow = fields.take("workflow");
    const Yaml* op = fields.take("op");  // the same by another name
    const Yaml* playbook = fields.take("playbook");
    const int targets = (workflow != nullptr) + (op != nullptr) + (playbook != nullptr);
    if (node.is_map() && targets != 1) {
      diagnostics_.error(node.mark, "subscription",
                         "a subscription must have exactly one of 'workflow' and 'playbook'");
    }
    if (workflow == nullptr) workflow = op;
    if (workflow != nullptr) out.put_if("workflow", reference(*workflow, "workflow"));
    if (playbook != nullptr) out.put_if("playbook", catalog_name_of(*playbook, "playbook", diagnostics_));
    if (const Yaml* key = fields.take("key_field")) {
      const auto path = text_of(*key, "key_field", diagnostics_);
      if (path && !is_key_field(*path)) {
        diagnostics_.error(key->mark, "path", fmt::format("key_field cannot be '{}'", *path),
                           "write it as order_id, customer.id or $value.order_id");
      }
      out.put_if("key_field", path);
    }
    const Yaml* signal = fields.take("signal");
    if (signal != nullptr) out.put_if("signal", name_of(*signal, "signal", diagnostics_));
    const Yaml* sought = signal != nullptr ? fields.need("reference") : fields.take("reference");
    if (sought != nullptr) out.put("reference", mapping(*sought, "reference", {"event"}));
    if (const Yaml* input = fields.take("input")) out.put("input", mapping(*input, "input", {"event"}));
    fields.finish();
    if (targets == 1) refuse_others(fields, playbook != nullptr, signal != nullptr);
    return out.finish();
  }

  // Fields that only another kind of target takes.
  void refuse_others(const Fields& fields, bool playbook, bool signal) {
    auto refuse = [&](std::string_view key, std::string_view who) {
      if (!fields.has(key)) return;
      diagnostics_.error(fields.key_mark(key), "subscription",
                         fmt::format("only a subscription {} takes '{}'", who, key));
    };
    if (playbook) refuse("key_field", "of a workflow");
    if (!playbook) refuse("signal", "of a playbook");
    if (!signal) refuse("reference", "with 'signal'");
    if (!playbook || signal) refuse("input", "that starts a playbook");
  }

  Value mapping(const Yaml& node, std::string_view what, std::vector<std::string> given) {
    Names names;
    names.given = std::move(given);
    return ExpressionReader(names, diagnostics_).mapping(node, what, Where::given);
  }

  Diagnostics& diagnostics_;
};

}  // namespace

void load_manifest(Fields& root, Canon& out, Diagnostics& diagnostics) { ManifestLoader(diagnostics).load(root, out); }

}  // namespace stepwell
