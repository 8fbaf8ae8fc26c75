#pragma once

#include <string>

#include "kernel_world.h"

// Runs scripts of the kernel (tests/scripts/kernel). Each command prints its events (numbered), effects (!) and refusal
// (x); after each, everything is checked that must always hold.
//
//   playbook                          its text is the body; what follows is about it, in a world of its own
//   start E {workload}                caller=P depth=N reference=R: called by the execution P, N calls deep
//   done RUN output                   RUN is fetch#1, or fetch#1.2 for an attempt; ctx={...} vars={...} iter={...}
//   fail RUN class:kind message       "retryable" before the message, if it is
//   defer RUN delay, reoffer RUN      a pipeline waits inside its attempt; its worker is lost
//   child RUN status output           what became of a call; terminated_by=STEP
//   signal NAME payload, patch {...}, cancel, suspend, unsuspend, retry RUN, skip RUN output, delivered m1, delete
//   claim RUN, assign RUN who, release RUN, complete RUN answer       by=ann roles=a,b operator=yes option=yes
//   advance 10s                       lets time pass, and wakes
//   crash                             only the journal survives
//   show ctx | reference | version
//   repeat N command                  N times; prints what the last one did
//   brief command                     of each decision, only the first and last lines
//
// Any command may have id=X and version=N, which it then expects.
namespace stepwell {

struct KernelRun {
  bool rewrite = false;  // the file gets what was printed
  Rerun rerun = Rerun::plain;
  KernelWitness* witness = nullptr;
};

// Prints what is different from what the file says. Answers the exit code.
int run_kernel_script(const std::string& file, const KernelRun& how);

}  // namespace stepwell
