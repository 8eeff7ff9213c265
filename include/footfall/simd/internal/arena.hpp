#pragma once

#include <cstddef>
#include <new>

// Kernels have one of their own for each instruction set, as of everything that is inline.
#if defined(FOOTFALL_ISA)
namespace footfall::simd::FOOTFALL_ISA {
#else
namespace footfall::simd {
#endif

/// Hands out pieces of one memory, each from a cache line on, and counts them. Made without memory it counts alone: lay
/// pieces out once to learn how much they take, and once more in memory of that size.
class Arena {
 public:
  Arena() = default;
  Arena(double* begin, std::size_t size) : begin_(begin), size_(size) {}

  /// Room for `count` things; what is in it does not matter. Throws std::bad_alloc where the memory is too small.
  template <class T>
  T* take(std::size_t count) {
    constexpr std::size_t kLine = 64;
    const std::size_t first = used_;
    used_ += (count * sizeof(T) + kLine - 1) / kLine * (kLine / sizeof(double));
    if (begin_ == nullptr) return nullptr;
    if (used_ > size_) throw std::bad_alloc();
    return reinterpret_cast<T*>(begin_ + first);
  }

  /// Of everything that was taken [doubles].
  std::size_t used() const { return used_; }

 private:
  double* begin_ = nullptr;
  std::size_t size_ = 0, used_ = 0;
};

/// Makes `memory` as large as layOut(arena) needs it, all zero, and lays it out.
template <class Memory, class LayOut>
void layOutIn(Memory& memory, LayOut layOut) {
  Arena counted;
  layOut(counted);
  memory.assign(counted.used(), 0.0);
  Arena arena(memory.data(), memory.size());
  layOut(arena);
}

#if defined(FOOTFALL_ISA)
}  // namespace footfall::simd::FOOTFALL_ISA
#else
}  // namespace footfall::simd
#endif
