// store_scripts FILE...: runs scripts of the kernel (kernel_runner.h) while a shard over an embedded store lives
// through the same, with a restart after every command.
#include <iostream>

#include "kernel_runner.h"
#include "store_witness.h"

int main(int count, char** arguments) {
  stepwell::StoreWitness witness;
  int failed = 0;
  for (int i = 1; i < count; ++i) failed |= stepwell::run_kernel_script(arguments[i], {.witness = &witness});
  std::cout << witness.restarts() << " restarts\n";
  // Without one nothing was proven.
  return witness.restarts() == 0 ? 1 : failed;
}
