#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stepwell/model/definition.h"

namespace stepwell {

// What a step looks like: its type, unless something else about it matters more.
enum class PictureShape : std::uint8_t {
  work,    // a task with tools
  choice,  // a task that only decides
  human,
  wait,
  call,
  continue_with,
  join,  // of any type
  success,
  failure,     // terminate
  final_step,  // of any type
};

struct PictureNode {
  std::string name;
  PictureShape shape = PictureShape::work;
  std::vector<std::string> notes;  // what it does, its guard, its loop ...: a line each, in full
};

enum class PictureLine : std::uint8_t { done, failed, either };

// An arc, between steps by index. Either end may be a block.
struct PictureEdge {
  std::size_t from = 0;
  std::size_t to = 0;
  PictureLine line = PictureLine::done;
  bool for_each = false;           // a token for every item
  bool inclusive = false;          // other arcs of the step may be taken as well
  std::vector<std::string> label;  // why it is taken, in full; empty if it simply follows
};

// A list of steps: the playbook's own, or that of a block.
struct PictureGroup {
  std::vector<std::size_t> steps;
  std::optional<std::size_t> owner;  // the block
  std::size_t entry = 0;             // where it begins
  std::vector<std::size_t> exits;    // steps that lead nowhere else, but for the final step
  std::optional<std::size_t> final_step;
};

// What there is to see of a definition: everything in words, nothing yet of how it is drawn.
struct Picture {
  std::string title;
  std::vector<PictureNode> nodes;  // every step, blocks too
  std::vector<PictureEdge> edges;
  std::vector<PictureGroup> groups;                  // the first is the playbook's own
  std::vector<std::optional<std::size_t>> block_of;  // by step: the group that it holds, if it is a block
};

Picture picture_of(const Definition& definition);

// As input for Graphviz, and as a Mermaid flowchart. Long words are cut; blocks are boxes around their steps. No text
// of the playbook can become anything but text. The first is in colours for a light page; the second leaves most of
// them to the page that shows it.
std::string to_dot(const Picture& picture);
std::string to_mermaid(const Picture& picture);

// The SVG that Graphviz made of to_dot(), with dark colours where the reader prefers them.
std::string follow_color_scheme(std::string svg);

}  // namespace stepwell
