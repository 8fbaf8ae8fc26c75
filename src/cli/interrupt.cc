#include "stepwell/cli/interrupt.h"

#include <csignal>
#include <cstdlib>
#include <string_view>

#include <unistd.h>

#include "stepwell/tools/child_groups.h"

namespace stepwell::cli {

namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
constexpr int kInterrupted = 130;  // as shells say it
constexpr std::string_view kShowCursor = "\033[?25h";

volatile std::sig_atomic_t times_asked = 0;
struct sigaction before[std::size(kSignals)];

void on_signal(int) {
  times_asked = times_asked + 1;
  if (times_asked < 2) return;
  if (isatty(STDERR_FILENO) == 1) (void)!write(STDERR_FILENO, kShowCursor.data(), kShowCursor.size());
  kill_known_groups();
  _exit(kInterrupted);
}

}  // namespace

Interrupt::Interrupt() {
  times_asked = 0;
  struct sigaction action = {};
  action.sa_handler = on_signal;
  for (std::size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &action, &before[i]);
}

Interrupt::~Interrupt() {
  for (std::size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &before[i], nullptr);
}

bool Interrupt::asked() { return times_asked != 0; }

}  // namespace stepwell::cli
