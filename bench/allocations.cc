#include "allocations.h"

#include <atomic>
#include <cstdlib>
#include <new>

#include <malloc.h>

namespace {

std::atomic<std::size_t> counted = 0;
std::atomic<std::size_t> held = 0;

// What the allocator keeps before each piece.
constexpr std::size_t kHeader = sizeof(std::size_t);

void release(void* memory) noexcept {
  if (memory != nullptr) held.fetch_sub(malloc_usable_size(memory) + kHeader, std::memory_order_relaxed);
  std::free(memory);
}

}  // namespace

std::size_t stepwell::allocations() { return counted.load(std::memory_order_relaxed); }
std::size_t stepwell::held_bytes() { return held.load(std::memory_order_relaxed); }

void* operator new(std::size_t size) {
  counted.fetch_add(1, std::memory_order_relaxed);
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  held.fetch_add(malloc_usable_size(memory) + kHeader, std::memory_order_relaxed);
  return memory;
}

void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
