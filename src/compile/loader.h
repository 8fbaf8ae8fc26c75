#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stepwell/compile/canon.h"
#include "stepwell/compile/expressions.h"
#include "stepwell/compile/fields.h"
#include "stepwell/compile/names.h"
#include "stepwell/compile/schemas.h"
#include "stepwell/model/diagnostic.h"
#include "stepwell/model/tool_kinds.h"
#include "stepwell/value/path.h"

namespace stepwell {

// The ends of a run after which an arc can be asked, as bits.
inline constexpr std::uint8_t kDone = 1;
inline constexpr std::uint8_t kFailed = 2;
inline constexpr std::uint8_t kTimedOut = 4;
inline constexpr std::uint8_t kAnyEnd = kDone | kFailed | kTimedOut;

// What later checks need to know of an arc.
struct ReadArc {
  Mark mark;
  std::int64_t target = -1;
  bool guarded = false;
  bool never = false;     // its guard is always false
  bool fans_out = false;  // foreach
  bool has_args = false;
  bool on_failure = false;  // only asked after a failure
  std::uint8_t asked_after = kDone;
};

struct CtxWrite {
  Mark mark;
  Path path;
};

struct BranchRead {
  Mark mark;
  Path path;  // in ctx
};

// What later checks need to know of a step.
struct ReadStep {
  Mark mark;
  std::string type = "task";
  bool inclusive = false;
  std::vector<ReadArc> arcs;
  std::int64_t join_from = -1;
  Mark join_mark;
  bool join_needs_all = false;  // a branch that ends before the join makes it fail
  bool looped = false;
  bool parallel_loop = false;
  std::vector<Mark> body_writes;        // set_ctx in its pipeline
  std::vector<CtxWrite> ctx_writes;     // set ctx.*, set_ctx or merge
  std::vector<BranchRead> guard_reads;  // by `when` of the step and of its arcs
  std::vector<Mark> iter_sets;          // set iter.*
  std::vector<Mark> iter_patches;       // set_iter in its pipeline
  bool has_guard = false;
  bool gated = false;  // its guard is not always true
  bool waits = false;  // something outside decides when it goes on
};

// Puts what a playbook has besides the head of every document into its canonical definition. Goes on after every error,
// so that all are found.
class Loader {
 public:
  Loader(const Yaml& workflow, Diagnostics& diagnostics)
      : names_(collect_names(workflow)), diagnostics_(diagnostics), expressions_(names_, diagnostics) {}

  // Finishes `root`.
  void playbook(Fields& root, Canon& out);

 private:
  // The document, in load_playbook.cc.
  void policy(Fields& root, Canon& out);
  void policy_steps(Fields& spec, Canon& out);
  void schemas(Fields& root, Canon& out);
  std::optional<Value> schema_of(const Yaml& node, std::string_view what) {
    return stepwell::schema_of(node, what, diagnostics_);
  }

  // Steps, in load_step.cc.
  Value step(std::size_t index);
  void check_step_name(const Yaml& node, std::size_t index);
  void guard(const Yaml& node, std::size_t index, Canon& out);
  void spec(Fields& fields, std::size_t index, Canon& out);
  void own_fields(Fields& fields, const std::string& type, std::size_t index, Canon& out);
  void refuse_shared_fields(Fields& fields, const std::string& type);
  void refuse_foreign_fields(Fields& fields, const std::string& type);
  void note_guard(const Yaml& node, const Program& program, std::size_t index);
  void set(Fields& fields, std::size_t index, Canon& out);
  void loop(Fields& fields, std::size_t index, Canon& out);
  Value collection(const Yaml& node, std::string_view what, Where where);
  std::optional<std::string> bound_name(const Yaml& node, std::string_view what);
  void retry(const Yaml& node, const std::string& what, Canon& out);
  void backoff(Fields& fields, Canon& out);

  // What each type has of its own, in load_types.cc.
  void human(Fields& fields, Canon& out);
  void wait(Fields& fields, std::size_t index, Canon& out);
  void call(Fields& fields, Canon& out);
  void continue_with(Fields& fields, Canon& out);
  void check_signal(const std::string& name, const Yaml& node, const Value& schema);
  void callee(Fields& fields, Canon& out);
  void terminate(Fields& fields, Canon& out);
  void timeout_policy(Fields& fields, Canon& out);

  // Arcs and joins, in load_arcs.cc.
  void arcs(Fields& fields, std::size_t index, Canon& out);
  Value arc(const Yaml& node, std::size_t index, ReadArc& read, std::optional<std::int64_t>& priority);
  void foreach (const Yaml& node, const std::string& what, Canon & out);
  void join(Fields& fields, std::size_t index, Canon& out);
  void merge(const Yaml& node, ReadStep& read, Canon& out);
  std::int64_t step_in_list(const Yaml& node, std::size_t index, std::string_view what, DiagnosticCode code);

  // Tools, in load_tools.cc.
  void pipeline(Fields& fields, std::size_t index, Canon& out);
  Value task(const Yaml& node, const std::string& label, std::size_t index, bool in_workbook);
  void check_tool_field(const Yaml& node, const ToolField& field, std::string_view kind);
  void tool_fields(Fields& fields, std::string_view kind, Canon& out);
  Value rule(const Yaml& node, const std::string& what, std::size_t index);
  void note_patch(const Yaml& patch, ReadStep& read);
  std::vector<std::pair<std::string, const Yaml*>> labelled_tasks(const Yaml& list);
  void workbook(Fields& root);
  void check_unused_entries();

  // What only the whole shows, in load_graph.cc.
  void check_graph();
  void check_parallel_writes();
  void check_iteration_writes();
  std::int64_t owner_of(std::size_t step) const;
  bool inside(std::size_t step, std::size_t block) const;
  void check_final_step();
  void warn_unreachable_steps(const std::vector<bool>& reachable);
  void warn_unreachable_arcs();
  void warn_endless_cycles(const std::vector<bool>& reachable);
  std::vector<bool> reachable_steps() const;
  std::vector<bool> reachable_from(std::vector<std::size_t> starts, std::int64_t stop = -1) const;
  std::vector<std::size_t> sure_targets(std::size_t index) const;

  // Fan-outs and their joins, in load_joins.cc.
  void check_joins();
  void warn_branches();
  std::vector<bool> branch_steps(const ReadArc& arc, std::size_t join) const;
  void warn_unjoined_branch(const ReadArc& arc, const std::vector<bool>& branch, std::size_t join);
  void warn_isolated_guards(const std::vector<std::vector<bool>>& branches, std::size_t join);

  Names names_;
  Diagnostics& diagnostics_;
  ExpressionReader expressions_;
  std::vector<ReadStep> steps_;
  std::vector<std::string> kinds_;  // declared in executor.spec.kinds
  std::vector<std::string> used_kinds_;
  std::vector<std::pair<std::string, const Yaml*>> workbook_;
  std::vector<std::string> used_entries_;
  std::vector<std::pair<std::string, Value>> signals_;  // each with the schema of its first wait, or null
  bool failed_arcs_all_ = false;
  std::int64_t entry_ = 0;
  std::int64_t final_step_ = -1;
  Mark final_mark_;
};

}  // namespace stepwell
