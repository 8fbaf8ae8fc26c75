#include "stepwell/model/tool_kinds.h"

#include <algorithm>
#include <array>

namespace stepwell {
namespace {

using enum FieldShape;

constexpr auto kActions = std::to_array<std::string_view>({"get", "put"});
constexpr auto kMethods = std::to_array<std::string_view>({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"});

constexpr std::array kArtifact = {ToolField{"action", word, true, kActions}, ToolField{"name", text, true},
                                  ToolField{"type", text}, ToolField{"value", any}};
constexpr std::array kEmit = {ToolField{"event", text, true}, ToolField{"value", any}, ToolField{"key", any}};
constexpr std::array kHttp = {ToolField{"url", text, true}, ToolField{"method", word, false, kMethods},
                              ToolField{"headers", map},    ToolField{"query", map},
                              ToolField{"body", text},      ToolField{"json", any},
                              ToolField{"auth", text},      ToolField{"timeout", duration},
                              ToolField{"follow", boolean}};
constexpr std::array kLlm = {ToolField{"profile", text, true}, ToolField{"prompt", text, true},
                             ToolField{"system", text}, ToolField{"output", schema}};
constexpr std::array kLua = {ToolField{"script", text, true}, ToolField{"args", map}};
constexpr std::array kChildProcess = {ToolField{"code", text}, ToolField{"file", text}, ToolField{"args", map}};
constexpr std::array kShell = {ToolField{"cmd", command, true}, ToolField{"env", map}, ToolField{"cwd", text},
                               ToolField{"stdin", text}, ToolField{"timeout", duration}};
constexpr std::array kSql = {ToolField{"connection", text, true}, ToolField{"query", text, true},
                             ToolField{"params", list}};
constexpr std::array kWorkbook = {ToolField{"name", text, true}, ToolField{"args", map}};

constexpr std::array kKinds = {
    ToolKind{"artifact", kArtifact},
    ToolKind{.name = "emit", .fields = kEmit, .recorded = true},
    ToolKind{"http", kHttp, "body", "json", false},
    ToolKind{"llm", kLlm},
    ToolKind{"lua", kLua},
    ToolKind{"node", kChildProcess, "code", "file"},
    ToolKind{"noop", {}},
    ToolKind{"postgres", kSql},
    ToolKind{"python", kChildProcess, "code", "file"},
    ToolKind{"shell", kShell},
    ToolKind{"sqlite", kSql},
    ToolKind{"workbook", kWorkbook},
};
static_assert(std::ranges::is_sorted(kKinds, {}, &ToolKind::name));

}  // namespace

const ToolKind* find_tool_kind(std::string_view name) {
  const auto found = std::ranges::lower_bound(kKinds, name, {}, &ToolKind::name);
  return found != kKinds.end() && found->name == name ? &*found : nullptr;
}

std::span<const ToolKind> all_tool_kinds() { return kKinds; }

bool is_command(std::string_view kind, std::string_view field) {
  const ToolKind* known = find_tool_kind(kind);
  if (known == nullptr) return false;
  const auto found = std::ranges::find(known->fields, field, &ToolField::name);
  return found != known->fields.end() && found->shape == command;
}

}  // namespace stepwell
