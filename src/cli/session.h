#pragma once

#include <expected>
#include <memory>
#include <string>

#include "stepwell/cli/command.h"
#include "stepwell/cli/store_choice.h"
#include "stepwell/server/service.h"

namespace stepwell::cli {

// What a command does with the store, if it is the one that holds it.
enum class Use {
  look,   // reads or steers what is there: starts no attempts, and makes no store
  make,   // the same, but makes the store if there is none
  drive,  // runs whatever is open in it, and answers others on the control socket meanwhile
};

// The store of a command: held by this process if nobody else does, else asked through the control socket of who does.
class Session {
 public:
  // Waits a moment for a holder that is about to end or to listen. Says why if there is no way.
  static std::expected<std::unique_ptr<Session>, Problem> open(Call& call, Use use);
  ~Session();

  Service& service();
  bool holds() const { return held_ != nullptr; }

  // Lets go of the store in order: what was decided is durable, what is open can be resumed. Nothing can be asked
  // afterwards.
  void close();

 private:
  struct Held;  // everything that a holder runs
  Session();
  static std::expected<std::unique_ptr<Session>, Problem> hold(Call& call, const StoreChoice& choice, Use use);

  std::unique_ptr<Held> held_;
  std::unique_ptr<Service> remote_;
};

// For commands that ask one thing: opens the store, asks, and prints why if there is no answer. `code` is what to exit
// with then.
struct Asked {
  Answered<> answer;
  ExitCode code = ExitCode::ok;
};
Asked ask(Call& call, Use use, std::string_view method, const Value& params);

}  // namespace stepwell::cli
