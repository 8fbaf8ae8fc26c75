#pragma once

namespace stepwell::cli {

// While it lives, Ctrl-C (and SIGTERM, SIGHUP) is a question, asked of who holds this; the second one ends the process
// at once, with the cursor restored and the children of tools killed. One at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  static bool asked();
};

}  // namespace stepwell::cli
