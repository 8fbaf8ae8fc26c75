#include "allocations.h"

#include <cstdlib>
#include <new>

#include <malloc.h>

namespace {

// Of one thread: an atomic count would take more time than what is counted.
thread_local std::size_t counted = 0;

}  // namespace

std::size_t stepwell::allocations() { return counted; }

std::size_t stepwell::held_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

void* operator new(std::size_t size) {
  ++counted;
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
