#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "stepwell/compile/load.h"
#include "stepwell/compile/names.h"
#include "stepwell/model/tool_kinds.h"
#include "stepwell/value/json_write.h"

#include "editor_schema.h"

// Nothing in the schema can differ from the loader without one of these tests noticing.
namespace stepwell {
namespace {

using Words = std::set<std::string, std::less<>>;

Words words_of(const Value& list) {
  Words words;
  for (const Value& word : list.as_list()) words.emplace(word.as_text());
  return words;
}

// What a property says, at the end of its `$ref` if it is one.
const Value& resolved(const Value& property) {
  const Value* ref = property.find("$ref");
  return ref == nullptr || !ref->as_text().starts_with('#') ? property : editor_schema_at(ref->as_text());
}

// A map that the schema describes, and a playbook in which one more of its members can stand for `%`.
struct MemberPlace {
  std::string_view pointer;
  std::string_view playbook;
  std::string_view only = "";  // the members that can, each with spaces around; all if empty

  bool takes(std::string_view name) const {
    return only.empty() || only.find(fmt::format(" {} ", name)) != std::string_view::npos;
  }
};

constexpr auto kPlaces = std::to_array<MemberPlace>({
    {"#/definitions/playbook", "{% workflow: [{step: a}]}"},
    {"#", "{% workflow: [{step: a}]}", " apiVersion "},
    {"#/definitions/policies", "{executor: {spec: {%}}, workflow: [{step: a}]}"},
    {"#/definitions/step", "{workflow: [{step: a, %}]}"},
    {"#/definitions/task_step", "{workflow: [{step: a, %}]}"},
    {"#/definitions/human_step", "{workflow: [{step: a, type: human, %}]}"},
    {"#/definitions/wait_step", "{workflow: [{step: a, type: wait, signal: s, %}]}"},
    {"#/definitions/call_step", "{workflow: [{step: a, type: call, playbook: p, %}]}"},
    {"#/definitions/continue_with_step", "{workflow: [{step: a, type: continue_with, playbook: p, %}]}"},
    {"#/definitions/block_step", "{workflow: [{step: a, type: block, workflow: [{step: b}], %}]}"},
    {"#/definitions/terminate_step", "{workflow: [{step: a, type: terminate, reason: r, %}]}"},
    {"#/definitions/step_spec", "{workflow: [{step: a, spec: {%}}]}"},
    {"#/definitions/loop", "{workflow: [{step: a, loop: {in: [1], iterator: x, %}}]}"},
    {"#/definitions/retry", "{workflow: [{step: a, retry: {%}}]}"},
    {"#/definitions/arc/else", "{workflow: [{step: a, next: [{step: b, %}]}, {step: b}]}"},
    {"#/definitions/join",
     "{workflow: [{step: a, spec: {next_mode: inclusive}, next: [b, c]}, {step: b, next: d}, {step: c, next: d}, "
     "{step: d, join: {from: a, %}}]}"},
    {"#/definitions/join/properties/merge",
     "{workflow: [{step: a, spec: {next_mode: inclusive}, next: [b, c]}, {step: b, next: d}, {step: c, next: d}, "
     "{step: d, join: {from: a, merge: {target: ctx.x, %}}}]}"},
    {"#/definitions/rule", "{workflow: [{step: a, tool: {kind: noop, eval: [{%}]}}]}", " do "},
    {"#/definitions/rule", "{workflow: [{step: a, tool: {kind: noop, eval: [{do: retry, %}]}}]}",
     " attempts backoff delay max_delay jitter "},
});

// A playbook of the place with this member, and what the loader finds in it.
struct Loaded {
  std::optional<Document> playbook;
  Diagnostics diagnostics{"p"};
};

Loaded load_with(const MemberPlace& place, const std::string& member) {
  std::string text(place.playbook);
  text.replace(text.find('%'), 1, member);
  Loaded loaded;
  loaded.playbook = load_playbook(text, "p", loaded.diagnostics);
  return loaded;
}

TEST(EditorSchema, IsASchemaOfDraft7) {
  EXPECT_EQ(editor_schema().find("$schema")->as_text(), "http://json-schema.org/draft-07/schema#");
  const auto meta = Schema::compile(Value::map({{"$ref", "http://json-schema.org/draft-07/schema#"}}));
  ASSERT_TRUE(meta);
  EXPECT_TRUE(meta->validate(editor_schema()).empty());
  const auto compiled = Schema::compile(editor_schema());
  EXPECT_TRUE(compiled) << compiled.error()[0].pointer << ": " << compiled.error()[0].message;
}

// Looks at every property, but not into conditions and allOf, which only narrow what is described elsewhere.
void expect_descriptions(const Value& schema, const std::string& at) {
  for (const std::string_view key : {"properties", "definitions"}) {
    const Value* parts = schema.find(key);
    if (parts == nullptr) continue;
    for (const auto& [name, part] : parts->as_map()) {
      const std::string place = fmt::format("{}/{}/{}", at, key, name.as_text());
      const bool described = part.kind() == Kind::boolean || resolved(part).find("description") != nullptr;
      EXPECT_TRUE(described || key == "definitions") << place;
      expect_descriptions(part, place);
    }
  }
  for (const std::string_view key : {"items", "else"}) {
    if (const Value* part = schema.find(key)) expect_descriptions(*part, fmt::format("{}/{}", at, key));
  }
}

TEST(EditorSchema, DescribesEveryField) { expect_descriptions(editor_schema(), "#"); }

TEST(EditorSchema, StatesTheDefaultsOfTheLoader) {
  std::size_t count = 0;
  for (const MemberPlace& place : kPlaces) {
    const Loaded without = load_with(place, "");
    for (const auto& [name, property] : editor_schema_at(place.pointer).find("properties")->as_map()) {
      const Value* given = resolved(property).find("default");
      if (given == nullptr || !place.takes(name.as_text()) || !without.playbook) continue;
      ++count;
      const Loaded with = load_with(place, fmt::format("\"{}\": {},", name.as_text(), to_json(*given)));
      ASSERT_TRUE(with.playbook) << with.diagnostics.to_string();
      EXPECT_EQ(with.playbook->hash, without.playbook->hash) << place.pointer << ": " << name.as_text();
    }
  }
  EXPECT_GT(count, 40u);
}

TEST(EditorSchema, OffersTheWordsOfTheLoader) {
  std::size_t count = 0;
  for (const MemberPlace& place : kPlaces) {
    for (const auto& [name, property] : editor_schema_at(place.pointer).find("properties")->as_map()) {
      const Value* words = resolved(property).find("enum");
      if (words == nullptr || !place.takes(name.as_text())) continue;
      ++count;
      const Loaded bad = load_with(place, fmt::format("\"{}\": zzzzzzzz,", name.as_text()));
      // "it is one of", and then the words, if none of them is near.
      std::string hints;
      for (const Diagnostic& each : bad.diagnostics.sorted())
        hints += each.code.word() == "value-word" ? each.hint : "";
      ASSERT_TRUE(hints.starts_with("it is one of ")) << place.pointer << ": " << name.as_text();
      Words loaders;
      for (std::string_view rest = std::string_view(hints).substr(13); !rest.empty();) {
        const std::size_t comma = rest.find(", ");
        loaders.emplace(rest.substr(0, comma));
        rest = comma == std::string_view::npos ? "" : rest.substr(comma + 2);
      }
      EXPECT_EQ(words_of(*words), loaders) << place.pointer << ": " << name.as_text();
    }
  }
  EXPECT_GT(count, 20u);
}

TEST(EditorSchema, KnowsEveryPolicyOfTheDefinition) {
  const Loaded loaded = load_with({"", "{% workflow: [{step: a}]}"}, "");
  ASSERT_TRUE(loaded.playbook);
  const Value& policies = *editor_schema_at("#/definitions/policies").find("properties");
  for (const auto& [name, value] : loaded.playbook->definition.find("policy")->as_map()) {
    if (name.as_text() == "snapshot_every_events") continue;  // authored as {every_events}
    EXPECT_NE(policies.find(name.as_text()), nullptr) << name.as_text();
  }
}

TEST(EditorSchema, KnowsReservedNames) {
  const Value& words = *editor_schema_at("#/definitions/free_name/allOf").as_list()[1].find("not")->find("enum");
  for (const Value& word : words.as_list()) EXPECT_TRUE(is_reserved(word.as_text())) << word.as_text();
  // Every name that is readable without being a step's.
  Names none;
  none.lists.emplace_back();
  for (const Where where : {Where::start, Where::guard, Where::inputs, Where::match, Where::end, Where::tool,
                            Where::record, Where::rule, Where::output}) {
    for (const std::string_view name : readable_names(none, where)) EXPECT_TRUE(words_of(words).contains(name)) << name;
  }
}

TEST(EditorSchema, KnowsTheToolKindsOfTheModel) {
  Words kinds;
  for (const ToolKind& kind : all_tool_kinds()) kinds.emplace(kind.name);
  const Value& offered = *editor_schema_at("#/definitions/tool/properties/kind/anyOf").as_list()[0].find("enum");
  EXPECT_EQ(words_of(offered), kinds);
}

// A tool with every field that it needs.
std::vector<Member> smallest(const ToolKind& kind) {
  std::vector<Member> members = {{"kind", Value(kind.name)}};
  for (const ToolField& field : kind.fields) {
    if (field.required) members.push_back({Value(field.name), field.words.empty() ? "entry" : Value(field.words[0])});
  }
  if (!kind.either.empty() && kind.one_needed) members.push_back({Value(kind.either), "x"});
  return members;
}

void expect_agreement(std::vector<Member> tool) {
  const Value document = Value::map(
      {{"workflow", Value::list({Value::map({{"step", "a"}, {"tool", Value::map(std::move(tool))}})})},
       {"workbook", Value::list({Value::map({{"name", "entry"}, {"tool", Value::map({{"kind", "noop"}})}})})}});
  Diagnostics found("p");
  (void)load_playbook(to_json(document), "p", found);
  // Whether the workbook has the entry is nothing that a schema knows.
  const auto is_known = [](const Diagnostic& each) { return each.code != DiagnosticCode("workbook-name"); };
  EXPECT_EQ(compiled_editor_schema().accepts(document), std::ranges::none_of(found.sorted(), is_known))
      << to_json(document) << "\n"
      << found.to_string() << editor_complaints(document);
}

TEST(EditorSchema, TakesForEveryToolWhatTheLoaderTakes) {
  const std::array<Value, 9> probes = {
      Value("entry"), Value("{{ workload.x }}"), Value("90s"),  Value(true), Value(7), Value(-1),
      Value(),        Value::list({}),           Value::map({})};
  Words fields = {"nonsense"};
  for (const ToolKind& kind : all_tool_kinds()) {
    for (const ToolField& field : kind.fields) fields.emplace(field.name);
  }
  for (const ToolKind& kind : all_tool_kinds()) {
    expect_agreement(smallest(kind));
    for (const std::string& field : fields) {
      std::vector<Member> tool = smallest(kind);
      const auto is_field = [&](const Member& member) { return member.key() == field; };
      std::erase_if(tool, is_field);
      expect_agreement(tool);
      for (const Value& probe : probes) {
        std::vector<Member> probed = tool;
        probed.push_back({Value(field), probe});
        expect_agreement(probed);
      }
    }
  }
}

}  // namespace
}  // namespace stepwell
