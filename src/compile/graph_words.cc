#include "stepwell/compile/graph_words.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "stepwell/base/utf8.h"
#include "stepwell/value/json_write.h"

namespace stepwell {
namespace {

constexpr std::string_view kEllipsis = "…";

std::string words_of(const Mapping& mapping) {
  if (const Value* constant = mapping.constant()) {
    return constant->is_text() ? std::string(constant->as_text()) : to_json(*constant);
  }
  if (const auto* expression = std::get_if<Expression>(&mapping.shape)) return expression->program.source;
  return std::holds_alternative<Mapping::List>(mapping.shape) ? "a list" : "a map";
}

std::string words_of_pipeline(const std::vector<Task>& pipeline) {
  if (pipeline.empty()) return "";
  if (pipeline.size() == 1) return pipeline[0].kind;
  std::vector<std::string> tasks;
  tasks.reserve(pipeline.size());
  for (const Task& task : pipeline) tasks.push_back(fmt::format("{} ({})", task.label, task.kind));
  return fmt::format("{}", fmt::join(tasks, ", "));
}

std::string words_of_wait(const Wait& wait) {
  if (wait.duration) return fmt::format("wait {}", wait.duration->str());
  if (wait.until) return fmt::format("wait until {}", wait.until->program.source);
  return fmt::format("wait for signal {}", wait.signal);
}

std::string words_of_callee(std::string_view verb, const Callee& callee) {
  if (callee.version) return fmt::format("{} {} version {}", verb, callee.playbook, *callee.version);
  return fmt::format("{} {}", verb, callee.playbook);
}

// What is particular to the step's type.
std::string words_of_type(const Step& step) {
  switch (step.type) {
    case StepType::task: return words_of_pipeline(step.pipeline);
    case StepType::human:
      return step.human->roles.empty() ? "human" : fmt::format("human: {}", fmt::join(step.human->roles, ", "));
    case StepType::wait: return words_of_wait(*step.wait);
    case StepType::call: return words_of_callee("call", *step.callee);
    case StepType::continue_with: return words_of_callee("continue with", *step.callee);
    case StepType::block: return "block";
    case StepType::terminate: return step.terminate->success ? "terminate: success" : "terminate: failed";
  }
  CHECK(false);
}

std::string words_of_join(const Join& join, std::string_view from) {
  switch (join.mode) {
    case JoinMode::all: return fmt::format("join all of {}", from);
    case JoinMode::any: return fmt::format("join any of {}", from);
    case JoinMode::m_of_n: return fmt::format("join {} of {}", join.m, from);
  }
  CHECK(false);
}

std::string words_of_loop(const Loop& loop) {
  std::string words = fmt::format("↻ each {} in {}", loop.iterator, words_of(loop.in));
  if (loop.max_in_flight > 1) words += fmt::format(", {} at once", loop.max_in_flight);
  return words;
}

std::string words_of_foreach(const Foreach& foreach) {
  std::string words = foreach.as.empty() ? "each of" : fmt::format("each {} in", foreach.as);
  words += " " + words_of(foreach.in);
  if (foreach.max_in_flight) words += fmt::format(", {} at once", *foreach.max_in_flight);
  return words;
}

std::string_view words_of_outcome(const Arc& arc) {
  switch (arc.on) {
    case ArcOn::done: return "";
    case ArcOn::failed: return "failed";
    case ArcOn::timeout: return "timeout";
    case ArcOn::any: return "done or failed";
  }
  CHECK(false);
}

// Whether the arc is what is left when guarded ones before it were not taken.
bool is_else(const Step& step, std::size_t index) {
  const Arc& arc = step.arcs[index];
  if (step.inclusive || arc.when || arc.on != ArcOn::done) return false;
  const auto before = step.arcs.begin() + static_cast<std::ptrdiff_t>(index);
  return std::any_of(step.arcs.begin(), before, [](const Arc& other) {
    return other.when && (other.on == ArcOn::done || other.on == ArcOn::any);
  });
}

// How many bytes of the text go on a line of this width: up to the last space that fits, else all that fits.
std::size_t line_end(std::string_view text, std::size_t width) {
  const std::size_t fits = utf8::offset_of(text, width);
  if (fits == text.size()) return fits;
  const std::size_t space = text.rfind(' ', fits);
  return space == std::string_view::npos || space == 0 ? fits : space;
}

}  // namespace

std::vector<std::string> words_of_step(const Definition& definition, StepIndex index) {
  const Step& step = definition.steps[index];
  std::vector<std::string> lines;
  if (std::string type = words_of_type(step); !type.empty()) lines.push_back(std::move(type));
  if (step.terminate) lines.push_back(words_of(step.terminate->reason));
  if (step.join) lines.push_back(words_of_join(*step.join, definition.steps[step.join->from].name));
  if (step.loop) lines.push_back(words_of_loop(*step.loop));
  if (step.when) lines.push_back("when " + step.when->program.source);
  if (!step.when_sql.empty()) lines.push_back("when " + step.when_sql);
  if (step.retry) lines.push_back(fmt::format("up to {} attempts", step.retry->max_attempts));
  if (step.timeout) lines.push_back("within " + step.timeout->str());
  if (step.inclusive && step.arcs.size() > 1) lines.emplace_back("takes every arc that matches");
  if (definition.policy.final_step == index) lines.emplace_back("runs last");
  return lines;
}

std::vector<std::string> words_of_arc(const Step& step, std::size_t index) {
  const Arc& arc = step.arcs[index];
  std::vector<std::string> parts;
  if (const std::string_view outcome = words_of_outcome(arc); !outcome.empty()) parts.emplace_back(outcome);
  if (arc.when) parts.push_back(arc.when->program.source);
  if (is_else(step, index)) parts.emplace_back("else");
  if (arc.foreach) parts.push_back(words_of_foreach(*arc.foreach));
  // The order matters where several conditions could be true and the first wins.
  const auto guarded = std::ranges::count_if(step.arcs, [](const Arc& each) { return each.when.has_value(); });
  if (!step.inclusive && guarded > 1 && arc.when) parts[0] = fmt::format("{}. {}", index + 1, parts[0]);
  return parts;
}

std::vector<std::string> fold(std::string_view text, std::size_t width, std::size_t lines) {
  const std::string clean = one_line(text);
  std::string_view rest = clean;
  std::vector<std::string> folded;
  while (!rest.empty()) {
    const std::size_t end = line_end(rest, width);
    folded.emplace_back(rest.substr(0, end));
    rest.remove_prefix(end);
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    if (folded.size() == lines && !rest.empty()) {
      folded.back() += kEllipsis;
      break;
    }
  }
  return folded;
}

bool is_cut(std::string_view text, std::size_t width, std::size_t lines) {
  return fold(text, width, lines + 1).size() > lines;
}

std::string one_line(std::string_view text) {
  std::string line;
  while (!text.empty()) {
    const utf8::Decoded next = utf8::decode(text);
    CHECK(next.size > 0);
    const char32_t c = next.code_point;
    const bool is_bad = c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xFFFE || c == 0xFFFF;
    line += is_bad ? " " : text.substr(0, next.size);
    text.remove_prefix(next.size);
  }
  return line;
}

}  // namespace stepwell
