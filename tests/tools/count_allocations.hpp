#pragma once

// Counts every allocation of a test program, by the thread that asks, and of all threads together. To be included by
// one file of it.

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

thread_local long allocations = 0;
[[maybe_unused]] thread_local std::size_t allocated_bytes = 0;
std::atomic<long> allocations_of_all_threads = 0;

void count(std::size_t size) {
  ++allocations;
  allocated_bytes += size;
  ++allocations_of_all_threads;
}

}  // namespace

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

// A sanitizer brings its own malloc, and calls us.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void*, std::size_t),
                                                         void (*on_free)(const volatile void*));
namespace {
const int counts_from_now_on = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t size) { count(size); }, [](const volatile void*) {});
}  // namespace

#else

namespace {

void* counted(std::size_t size, std::size_t alignment) {
  count(size);
  if (void* p = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)) return p;
  throw std::bad_alloc();
}

}  // namespace

// NOLINTBEGIN(misc-definitions-in-headers, bugprone-reserved-identifier): that is what this header is for

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
  count(size);
  return __libc_malloc(size);
}

// NOLINTEND(misc-definitions-in-headers, bugprone-reserved-identifier)

#endif
