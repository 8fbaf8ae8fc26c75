#include "stepwell/value/schema/link.h"

#include <cstdint>
#include <string>

namespace stepwell::schema {

namespace {

enum class Mark : std::uint8_t { fresh, open, done };

class Linker {
 public:
  Linker(Schema::Program& program, std::vector<SchemaDiagnostic>& diagnostics)
      : nodes_(program.nodes), diagnostics_(diagnostics), marks_(nodes_.size(), Mark::fresh) {}

  NodeId target_of(NodeId id) const { return targets_[id]; }

  // Where each node's chain of references ends.
  void follow_references() {
    targets_.resize(nodes_.size());
    std::vector<NodeId> chain;
    for (NodeId start = 0; start < nodes_.size(); ++start) {
      NodeId id = start;
      while (marks_[id] == Mark::fresh && nodes_[id].reference) {
        marks_[id] = Mark::open;
        chain.push_back(id);
        id = *nodes_[id].reference;
      }
      if (marks_[id] == Mark::open) complain(nodes_[id].place + "/$ref");
      if (marks_[id] == Mark::fresh) {
        marks_[id] = Mark::done;
        targets_[id] = id;
      }
      for (; !chain.empty(); chain.pop_back()) {
        marks_[chain.back()] = Mark::done;
        targets_[chain.back()] = targets_[id];
      }
    }
  }

  void redirect_edges() {
    for (Node& node : nodes_) {
      for_each_edge(node, [&](NodeId& edge, bool) { edge = target_of(edge); });
    }
  }

  // A depth-first search along the edges that stay at the same instance; on its own stack, since a chain of references
  // may be as long as the schema.
  void refuse_cycles() {
    marks_.assign(nodes_.size(), Mark::fresh);
    for (NodeId start = 0; start < nodes_.size(); ++start) {
      if (marks_[start] == Mark::fresh) search_from(start);
    }
  }

  void mark_shared(NodeId root) {
    std::vector<std::uint8_t> entered(nodes_.size(), 0);
    auto enter = [&](NodeId id) { entered[id] = entered[id] == 0 ? 1 : 2; };
    enter(root);
    for (Node& node : nodes_) {
      for_each_edge(node, [&](NodeId& edge, bool) { enter(edge); });
    }
    for (NodeId id = 0; id < nodes_.size(); ++id) nodes_[id].shared = entered[id] == 2;
  }

 private:
  struct Visit {
    NodeId id;
    std::vector<NodeId> left;  // edges still to follow
  };

  Visit visit(NodeId id) {
    Visit visit{id, {}};
    marks_[id] = Mark::open;
    for_each_edge(nodes_[id], [&](NodeId& edge, bool in_place) {
      if (in_place) visit.left.push_back(edge);
    });
    return visit;
  }

  void search_from(NodeId start) {
    std::vector<Visit> stack = {visit(start)};
    while (!stack.empty()) {
      Visit& top = stack.back();
      if (top.left.empty()) {
        marks_[top.id] = Mark::done;
        stack.pop_back();
        continue;
      }
      const NodeId next = top.left.back();
      top.left.pop_back();
      if (marks_[next] == Mark::open) complain(nodes_[next].place);
      if (marks_[next] == Mark::fresh) stack.push_back(visit(next));
    }
  }

  void complain(const std::string& place) {
    diagnostics_.push_back({place, "refers back to itself for the same instance, so a check would never end",
                            "refer from inside properties or items, which go one level deeper"});
  }

  std::vector<Node>& nodes_;
  std::vector<SchemaDiagnostic>& diagnostics_;
  std::vector<Mark> marks_;
  std::vector<NodeId> targets_;
};

}  // namespace

void link(Schema::Program& program, std::vector<SchemaDiagnostic>& diagnostics) {
  if (program.nodes.empty()) return;
  Linker linker(program, diagnostics);
  linker.follow_references();
  linker.redirect_edges();
  program.root = linker.target_of(program.root);
  linker.refuse_cycles();
  linker.mark_shared(program.root);
}

}  // namespace stepwell::schema
