#pragma once

#include <algorithm>
#include <cstddef>
#include <new>
#include <vector>

namespace footfall {

/// Memory that starts at a cache line, so that kernels may load whole vector registers.
template <class T>
struct CacheAligned {
  using value_type = T;
  CacheAligned() = default;
  template <class U>
  CacheAligned(const CacheAligned<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new (n * sizeof(T), std::align_val_t{64})); }
  void deallocate(T* p, std::size_t) { ::operator delete (p, std::align_val_t{64}); }
  friend bool operator==(const CacheAligned&, const CacheAligned&) { return true; }
};
using AlignedVector = std::vector<double, CacheAligned<double>>;

/// How the three components of many contacts lie in memory: component-major, padded, so that eight
/// contacts fill one vector register. Row of component c (0, 1: tangents, 2: normal) of contact i: c·stride + i.
struct ContactLayout {
  int contacts = 0;
  int stride = 0;  ///< contacts, padded to 4 (up to four) or to a multiple of 8

  int row(int contact, int component) const { return component * stride + contact; }
  int rows() const { return 3 * stride; }

  static ContactLayout of(int contacts) { return {contacts, contacts <= 4 ? 4 : (contacts + 7) / 8 * 8}; }
};

/// Copies a matrix (rows × rows) of contacts into that of more contacts, of which they are the first; padding is not.
inline void copyMatrix(const double* from, ContactLayout layout, double* to, ContactLayout larger) {
  const std::size_t rows = layout.rows(), larger_rows = larger.rows();
  for (int a = 0; a < 3; ++a)
    for (int i = 0; i < layout.contacts; ++i)
      for (int c = 0; c < 3; ++c)
        std::copy_n(from + layout.row(i, a) * rows + layout.row(0, c), layout.contacts,
                    to + larger.row(i, a) * larger_rows + larger.row(0, c));
}

}  // namespace footfall
