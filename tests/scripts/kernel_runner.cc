#include "kernel_runner.h"

#include <fstream>
#include <iostream>
#include <sstream>

#include <fmt/format.h>

#include "stepwell/compile/load.h"
#include "stepwell/value/json_read.h"
#include "stepwell/value/json_write.h"

#include "kernel_world.h"
#include "script.h"

namespace stepwell {
namespace {

// The words of a command after its name, and whatever is left as JSON.
class Arguments {
 public:
  explicit Arguments(const ScriptCommand& command) : words_(command.words) {}

  std::string word() { return at_ < words_.size() ? words_[at_++] : ""; }
  // name=value, wherever it stands.
  std::string option(std::string_view name) {
    for (std::size_t i = 1; i < words_.size(); ++i) {
      if (words_[i].starts_with(std::string(name) + "=")) {
        std::string value = words_[i].substr(name.size() + 1);
        words_.erase(words_.begin() + static_cast<std::ptrdiff_t>(i));
        return value;
      }
    }
    return "";
  }
  std::string rest() {
    std::string text;
    while (at_ < words_.size()) text += (text.empty() ? "" : " ") + words_[at_++];
    return text;
  }
  Value json() {
    const std::string text = rest();
    if (text.empty()) return {};
    auto value = parse_json(text);
    if (!value) throw std::runtime_error("not JSON: " + text);
    return *value;
  }

 private:
  std::vector<std::string> words_;
  std::size_t at_ = 1;
};

class Runner {
 public:
  explicit Runner(const KernelRun& how) : world_(how.rerun, how.witness) {}

  std::string run(const ScriptCommand& command) {
    try {
      world_.set_brief(false);
      std::string out = dispatch(command);
      if (!world_.complaint().empty()) out += "BROKEN " + world_.complaint();
      return out;
    } catch (const std::exception& error) {
      return fmt::format("? {}\n", error.what());
    }
  }

 private:
  std::string dispatch(const ScriptCommand& command) {
    Arguments args(command);
    const std::string& name = command.words.front();
    if (name == "playbook") return load(command.body);
    if (!world_.loaded()) throw std::runtime_error("there is no playbook");
    if (name == "repeat") return repeat(command);
    if (name == "brief") return brief(command);
    if (name == "crash") return world_.crash();
    if (name == "advance") return world_.advance(*Duration::parse(args.word()));
    if (name == "show") return show(args.word());
    if (name == "sql") return world_.lookups().define_query(command.body);
    if (name == "blob") {
      const std::string reference = args.word();
      world_.lookups().define_blob(reference, args.json());
      return "ok\n";
    }
    Command built;
    built.id = args.option("id");
    if (const std::string version = args.option("version"); !version.empty())
      built.expected_version = std::stoull(version);
    const Person person{.name = or_else(args.option("by"), "ann"),
                        .roles = split(args.option("roles")),
                        .operator_rights = args.option("operator") == "yes"};
    built.body = body(name, args, person);
    return world_.decide_all(built);
  }

  // repeat 1000 signal go: what the last of them did.
  std::string repeat(const ScriptCommand& command) {
    const int times = std::stoi(command.words.at(1));
    const ScriptCommand repeated = without_words(command, 2);
    std::string out;
    for (int i = 0; i < times; ++i) out = dispatch(repeated);
    return out;
  }

  std::string brief(const ScriptCommand& command) {
    world_.set_brief(true);
    return dispatch(without_words(command, 1));
  }

  static ScriptCommand without_words(ScriptCommand command, std::ptrdiff_t count) {
    command.words.erase(command.words.begin(), command.words.begin() + count);
    return command;
  }

  CommandBody body(const std::string& name, Arguments& args, const Person& person) {
    if (name == "start") return start(args);
    if (name == "done") {
      ReportAttempt report{.waiting_token = attempt(args.word())};
      report.patches.ctx = patch(args.option("ctx"));
      report.patches.vars = patch(args.option("vars"));
      report.patches.iter = patch(args.option("iter"));
      report.patches.emitted = patch(args.option("emitted"));
      report.output = EncodedValue(args.json());
      return report;
    }
    if (name == "fail") return failed(args);
    if (name == "defer") {
      const WaitingToken token = attempt(args.word());
      const Duration delay = *Duration::parse(args.word());
      const Value cursor = args.json();
      return ReportAttempt{.waiting_token = token,
                           .outcome = Outcome::deferred,
                           .cursor = cursor.is_null() ? Value::map({{"task", 0}}) : cursor,
                           .delay = delay};
    }
    if (name == "loaded") return BlobsLoaded{attempt(args.word())};
    if (name == "reoffer") return Reoffer{attempt(args.word())};
    if (name == "signal") {
      const std::string signal = args.word();
      return Signal{.name = signal, .payload = EncodedValue(args.json())};
    }
    if (name == "patch") return PatchCtx{args.json()};
    if (name == "cancel") return Cancel{args.rest()};
    if (name == "suspend") return Suspend{args.rest()};
    if (name == "unsuspend") return Unsuspend{};
    if (name == "delete") return Delete{};
    if (name == "retry") return RetryRun{run(args.word())};
    if (name == "skip") {
      const RunId id = run(args.word());
      return SkipRun{.run = id, .output = EncodedValue(args.json())};
    }
    if (name == "claim") return ClaimTask{.run = run(args.word()), .person = person};
    if (name == "release") return ReleaseTask{.run = run(args.word()), .person = person};
    if (name == "assign") {
      const RunId id = run(args.word());
      return AssignTask{.run = id, .assignee = args.word(), .person = person};
    }
    if (name == "complete") {
      const Value option = patch(args.option("option"));
      const WaitingToken token = attempt(args.word());
      return CompleteTask{.waiting_token = token, .answer = args.json(), .option = option, .person = person};
    }
    if (name == "child") return child(args);
    if (name == "delivered") return Delivered{{std::stoull(args.word().substr(1))}};
    throw std::runtime_error("no command '" + name + "'");
  }

  static CommandBody start(Arguments& args) {
    const std::string caller = args.option("caller");
    const std::string depth = args.option("depth");
    Start start{.version = 1, .reference = patch(args.option("reference"))};
    if (!caller.empty()) start.caller = Caller{.execution = caller, .waiting_token = {{7}, 1, 1}};
    if (!depth.empty()) start.depth = static_cast<std::uint32_t>(std::stoul(depth));
    start.execution = args.word();
    start.workload = args.json();
    return start;
  }

  // fail charge#1.1 transport:http_503 retryable card declined details={"retry_after":7}
  CommandBody failed(Arguments& args) {
    const std::string details = args.option("details");
    const WaitingToken token = attempt(args.word());
    const std::string what = args.word();
    RunError error;
    const std::string cls = what.substr(0, what.find(':'));
    for (int i = 1; i <= 6; ++i) {
      if (class_word(static_cast<ErrorClass>(i)) == cls) error.error_class = static_cast<ErrorClass>(i);
    }
    error.kind = what.contains(':') ? what.substr(what.find(':') + 1) : "tool";
    error.message = args.rest();
    error.retryable = error.message.starts_with("retryable ");
    if (error.retryable) error.message = error.message.substr(10);
    error.details = patch(details);
    return ReportAttempt{.waiting_token = token, .outcome = Outcome::failed, .error = error};
  }

  // child fetch#1.1 completed {"output": 1}
  CommandBody child(Arguments& args) {
    const WaitingToken token = attempt(args.word());
    const std::string status = args.word();
    const std::string by = args.option("terminated_by");
    return ReportChild{.waiting_token = token,
                       .output = EncodedValue(args.json()),
                       .child = Value::map({{"execution", "child"},
                                            {"version", 1},
                                            {"status", Value(status)},
                                            {"reason", by.empty() ? Value() : Value("because")},
                                            {"terminated_by", by.empty() ? Value() : Value(by)},
                                            {"error", Value()}})};
  }

  RunId run(const std::string& name) {
    const RunId id = world_.printer().find_run(name);
    if (!id) throw std::runtime_error("no run '" + name + "'");
    return id;
  }

  // fetch#1 (as it stands now) or fetch#1.2 (that attempt)
  WaitingToken attempt(const std::string& name) {
    const std::size_t dot = name.find('.');
    const RunId id = run(name.substr(0, dot));
    const Run* open = world_.state().runs.find(id);
    WaitingToken token = open == nullptr ? WaitingToken{id, 1, 1} : open->waiting_token();
    if (dot != std::string::npos) {
      const auto number = static_cast<std::uint32_t>(std::stoul(name.substr(dot + 1)));
      if (number != token.attempt) token = {id, number, 1};
    }
    return token;
  }

  std::string load(const std::string& text) {
    world_.unload();
    Diagnostics diagnostics("");
    auto loaded = load_document(text, "test", diagnostics);
    std::string out;
    for (const Diagnostic& each : diagnostics.sorted()) out += each.to_string().substr(1) + "\n";
    if (!loaded) return out.empty() ? "not loaded\n" : out;
    auto definition = read_definition(loaded->definition);
    if (!definition) return definition.error() + "\n";
    world_.load(std::move(*definition));
    return out + "ok\n";
  }

  std::string show(const std::string& what) {
    const State& state = world_.state();
    if (what == "ctx") return to_json(state.ctx) + "\n";
    if (what == "reference") return to_json(state.reference) + "\n";
    if (what == "version") return fmt::format("{}\n", state.version);
    throw std::runtime_error("show ctx, reference or version");
  }

  static std::string or_else(const std::string& text, std::string_view otherwise) {
    return text.empty() ? std::string(otherwise) : text;
  }
  static Value patch(const std::string& text) {
    if (text.empty()) return {};
    auto value = parse_json(text);
    return value ? *value : Value(text);
  }
  static std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
    return parts;
  }

  KernelWorld world_;
};

}  // namespace

int run_kernel_script(const std::string& file, const KernelRun& how) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  auto script = Script::parse(text.str());
  if (!script) {
    std::cerr << file << ": " << script.error() << "\n";
    return 1;
  }
  Runner runner(how);
  const std::string differences =
      run_script(*script, file, [&](const ScriptCommand& command) { return runner.run(command); });
  const bool broken = script->to_string().find("BROKEN ") != std::string::npos;
  if (how.rewrite) std::ofstream(file) << script->to_string();
  if (!how.rewrite) std::cout << differences;
  return (differences.empty() || how.rewrite) && !broken ? 0 : 1;
}

}  // namespace stepwell
