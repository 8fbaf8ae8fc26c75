#include <filesystem>
#include <ostream>

#include <fmt/format.h>

#include "stepwell/cli/commands.h"
#include "stepwell/cli/members.h"
#include "stepwell/cli/options.h"
#include "stepwell/cli/problem.h"
#include "stepwell/cli/session.h"
#include "stepwell/runtime/playbooks.h"
#include "stepwell/runtime/runtime.h"
#include "stepwell/server/backing.h"
#include "stepwell/server/rebuild.h"
#include "stepwell/store/embedded/embedded_store.h"

// gc, backup and rebuild: keeping a store in order.
namespace stepwell::cli {
namespace {

ExitCode run_gc(const Command& command, Call& call) {
  Options options(command);
  if (auto ended = options.parse(call)) return *ended;
  const Asked asked = ask(call, Use::look, "store.gc", Value::map({}));
  if (!asked.answer) return asked.code;
  if (call.flags.json) {
    call.out << to_json_pretty(*asked.answer) << '\n';
  } else if (!call.flags.quiet) {
    call.out << fmt::format("{} blobs deleted, {} bytes\n", number_at(*asked.answer, "blobs"),
                            number_at(*asked.answer, "bytes"));
  }
  return ExitCode::ok;
}

ExitCode run_backup(const Command& command, Call& call) {
  std::string directory;
  Options options(command);
  options.argument("DIR", directory, "a directory that does not exist yet");
  if (auto ended = options.parse(call)) return *ended;
  // The holder of the store may be in another directory.
  const std::string absolute = std::filesystem::absolute(directory).lexically_normal().string();
  const Asked asked = ask(call, Use::look, "store.backup", Value::map({{"directory", absolute}}));
  if (!asked.answer) return asked.code;
  if (!call.flags.quiet) call.out << fmt::format("a store of its own: stepwell --store {} ls\n", absolute);
  return ExitCode::ok;
}

// Nobody may run the store meanwhile, so this is never asked of a holder.
Stored<std::uint64_t> rebuild_directory(const std::string& directory) {
  auto store = open_embedded_store(directory, {.create = false});
  if (!store) return std::unexpected(store.error());
  Playbooks playbooks(**store);
  if (auto loaded = playbooks.load(); !loaded) return std::unexpected(loaded.error());
  return rebuild(**store, playbooks);
}

ExitCode run_rebuild(const Command& command, Call& call) {
  Options options(command);
  if (auto ended = options.parse(call)) return *ended;
  const auto choice = choose_store(call);
  if (!choice) return refuse(call, choice.error());
  if (choice->directory.empty()) return refuse(call, "a store in memory has nothing that could be rebuilt");
  const auto rebuilt = rebuild_directory(choice->directory);
  if (!rebuilt) return report(call, problem_of(rebuilt.error()));
  if (!call.flags.quiet) call.out << fmt::format("{} executions rebuilt from their records\n", *rebuilt);
  return ExitCode::ok;
}

}  // namespace

const Command kGc = {"gc", "delete stored values that nothing refers to any more", "stepwell gc", run_gc};
const Command kBackup = {"backup", "copy the store, as of now, while others go on", "stepwell backup /mnt/monday",
                         run_backup};
const Command kRebuild = {"rebuild", "derive lists and snapshots again from what was recorded", "stepwell rebuild",
                          run_rebuild};

}  // namespace stepwell::cli
