#include "stepwell/compile/graph.h"

#include <algorithm>

#include "stepwell/compile/graph_words.h"

namespace stepwell {
namespace {

bool only_decides(const Step& step) {
  return std::ranges::all_of(step.pipeline, [](const Task& task) { return task.kind == "noop"; });
}

PictureShape shape_of(const Definition& definition, StepIndex index) {
  const Step& step = definition.steps[index];
  if (definition.policy.final_step == index) return PictureShape::final_step;
  if (step.join) return PictureShape::join;
  switch (step.type) {
    case StepType::task: return only_decides(step) ? PictureShape::choice : PictureShape::work;
    case StepType::human: return PictureShape::human;
    case StepType::wait: return PictureShape::wait;
    case StepType::call: return PictureShape::call;
    case StepType::continue_with: return PictureShape::continue_with;
    case StepType::block: return PictureShape::work;
    case StepType::terminate: return step.terminate->success ? PictureShape::success : PictureShape::failure;
  }
  CHECK(false);
}

PictureLine line_of(const Arc& arc) {
  switch (arc.on) {
    case ArcOn::done: return PictureLine::done;
    case ArcOn::failed:
    case ArcOn::timeout: return PictureLine::failed;
    case ArcOn::any: return PictureLine::either;
  }
  CHECK(false);
}

PictureGroup group_of(const Definition& definition, const StepList& list) {
  PictureGroup group;
  group.steps = {list.steps.begin(), list.steps.end()};
  if (list.owner) group.owner = *list.owner;
  group.entry = list.owner ? list.steps.front() : definition.policy.entry_step;
  for (const StepIndex index : list.steps) {
    if (index == definition.policy.final_step) {
      group.final_step = index;
    } else if (definition.steps[index].arcs.empty()) {
      group.exits.push_back(index);
    }
  }
  return group;
}

}  // namespace

Picture picture_of(const Definition& definition) {
  Picture picture;
  picture.title = definition.name;
  for (StepIndex index = 0; index < definition.steps.size(); ++index) {
    const Step& step = definition.steps[index];
    picture.nodes.push_back({step.name, shape_of(definition, index), words_of_step(definition, index)});
    picture.block_of.emplace_back(step.block);
    for (std::size_t i = 0; i < step.arcs.size(); ++i) {
      const Arc& arc = step.arcs[i];
      picture.edges.push_back({.from = index,
                               .to = arc.target,
                               .line = line_of(arc),
                               .for_each = arc.foreach.has_value(),
                               .inclusive = step.inclusive && step.arcs.size() > 1,
                               .label = words_of_arc(step, i)});
    }
  }
  for (const StepList& list : definition.lists) picture.groups.push_back(group_of(definition, list));
  return picture;
}

}  // namespace stepwell
