#pragma once

// Counts every allocation of a test program, by the thread that asks, and of all threads together. To be included by
// one file of it.

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

thread_local long allocations = 0;
std::atomic<long> allocations_of_all_threads = 0;

void count() {
  ++allocations;
  ++allocations_of_all_threads;
}

void* counted(std::size_t size, std::size_t alignment) {
  count();
  if (void* p = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)) return p;
  throw std::bad_alloc();
}

}  // namespace

// Every form of new in this program counts; malloc by other means (Eigen) is counted through its hook below.
void* operator new(std::size_t size) { return counted(size, alignof(std::max_align_t)); }
void* operator new[](std::size_t size) { return counted(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t a) { return counted(size, static_cast<std::size_t>(a)); }
void* operator new[](std::size_t size, std::align_val_t a) { return counted(size, static_cast<std::size_t>(a)); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

// Eigen calls malloc directly: count that too.
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* malloc(std::size_t size) {
  count();
  return __libc_malloc(size);
}
