#include <algorithm>

#include "stepwell/kernel/playbook/applier.h"
#include "stepwell/value/merge.h"

namespace stepwell {

namespace {

// A later write to a place, or to a place around it, makes an earlier one invisible.
void write_over(std::vector<Write>& overlay, const Write& write) {
  std::erase_if(overlay, [&](const Write& earlier) { return earlier.path.lies_under(write.path); });
  overlay.push_back(write);
}

}  // namespace

void Applier::operator()(const CtxSet& event) {
  const ScopeId home = state_.scopes.at(event.scope).home;
  Scope& at = state_.scopes.at(home);
  for (const Write& write : event.writes) {
    if (home == kRootScope) {
      auto written = set(state_.ctx, write.path, write.value);
      CHECK(written.has_value());
      state_.ctx = std::move(*written);
    } else {
      write_over(at.inner.write().overlay, write);
      at.wrote = true;
    }
    ctx_changed(home, write.path);
  }
}

// `root_ctx` is what the writes make of the ctx of the root.
void Applier::operator()(const CtxSet& event, Value&& root_ctx) {
  state_.ctx = std::move(root_ctx);
  for (const Write& write : event.writes) ctx_changed(kRootScope, write.path);
}

void Applier::operator()(const CtxPatched& event) {
  state_.ctx = merge_patch(state_.ctx, event.patch);
  for (const Member& member : event.patch.as_map()) ctx_changed(kRootScope, Path{Segment(member.key())});
}

void Applier::operator()(const IterSet& event) {
  Scope& scope = state_.scopes.at(event.scope);
  CHECK(scope.kind == ScopeKind::iteration);
  scope.wrote = true;
  Value& iter = scope.inner.write().iter;
  if (!iter.is_map()) iter = Value::map({});
  for (const Write& write : event.writes) {
    auto written = set(iter, write.path, write.value);
    CHECK(written.has_value());
    iter = std::move(*written);
  }
  iter_changed(event.scope);
}

void Applier::operator()(const ReferenceSet& event) { state_.reference = event.reference; }

}  // namespace stepwell
