// kernel_scripts [--rewrite] [--restart | --snapshot] FILE...: runs scripts of the kernel (kernel_runner.h).
// --restart rebuilds the state from the journal after every command, --snapshot from a snapshot.
#include "kernel_runner.h"

int main(int count, char** arguments) {
  stepwell::KernelRun how;
  int failed = 0;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    if (argument == "--rewrite") {
      how.rewrite = true;
    } else if (argument == "--restart") {
      how.rerun = stepwell::Rerun::restart;
    } else if (argument == "--snapshot") {
      how.rerun = stepwell::Rerun::snapshot;
    } else {
      failed |= stepwell::run_kernel_script(argument, how);
    }
  }
  return failed;
}
