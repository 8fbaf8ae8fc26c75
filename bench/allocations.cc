#include "allocations.h"

#include <cstdlib>
#include <new>

#include <malloc.h>

namespace {

// Of one thread: atomic counts would take more time than what is counted.
thread_local std::size_t counted = 0;
thread_local std::size_t held = 0;

// What the allocator keeps before each piece.
constexpr std::size_t kHeader = sizeof(std::size_t);

void release(void* memory) noexcept {
  if (memory != nullptr) held -= malloc_usable_size(memory) + kHeader;
  std::free(memory);
}

}  // namespace

std::size_t stepwell::allocations() { return counted; }
std::size_t stepwell::held_bytes() { return held; }

void* operator new(std::size_t size) {
  ++counted;
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  held += malloc_usable_size(memory) + kHeader;
  return memory;
}

void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
