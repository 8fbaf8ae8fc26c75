#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "stepwell/runtime/instance.h"
#include "stepwell/runtime/playbooks.h"
#include "stepwell/store/store.h"

// How an execution comes out of a store. Any thread; waits for the disk.
namespace stepwell {

// As its latest durable record leaves it; none: there is no such execution, or it was deleted.
Stored<std::unique_ptr<Instance>> load_instance(Store& store, Playbooks& playbooks, const std::string& execution);

// As its snapshot has it, or as nothing yet if there is none. It has its playbook if there is a row.
Stored<std::unique_ptr<Instance>> load_snapshot(Store& store, Playbooks& playbooks, const std::string& execution);

// As it was before a record that the journal still has. Of one that ended the store may have no snapshot, and of one
// that waits an older one: what lies between is read. None: the execution was deleted, and the record leads nowhere.
Stored<std::unique_ptr<Instance>> load_before(Store& store, Playbooks& playbooks, const Record& record);

// That what is stored of an execution cannot be right.
StoreError corrupt_execution(std::string_view execution, std::string_view why);

// Brings an instance on by a record, which may be its first: then it gets its playbook. `before` as of replay().
std::expected<void, std::string> bring_on(Instance& instance, Playbooks& playbooks, const Record& record,
                                          const RecordHash& hash, const BeforeEvent& before = {});

}  // namespace stepwell
