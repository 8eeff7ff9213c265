#include "collide/polytope_kernel.hpp"

#include "footfall/simd/internal/registers.hpp"

// Vertices and faces are asked as many at a time as a register holds.

namespace footfall::collide::FOOTFALL_ISA {

using namespace footfall::simd::FOOTFALL_ISA;

namespace {

FOOTFALL_INLINE NativePack alongOf(int count, const double* table, const double* d, int i) {
  return d[0] * load<NativePack>(table + i) + d[1] * load<NativePack>(table + count + i) +
         d[2] * load<NativePack>(table + 2 * count + i);
}

FOOTFALL_INLINE NativePack heightOf(int count, const double* table, const double* p, int i) {
  return alongOf(count, table, p, i) - load<NativePack>(table + 3 * count + i);
}

void along(int count, const double* vertices, const double* d, double* along) {
  for (int i = 0; i < count; i += kNativeLanes) store(along + i, alongOf(count, vertices, d, i));
}

void farther(int count, const double* vertices, const double* d, double offset, double* beyond) {
  for (int i = 0; i < count; i += kNativeLanes)
    store(beyond + i, larger(load<NativePack>(beyond + i), alongOf(count, vertices, d, i) - offset));
}

void above(int count, const double* faces, const double* p, double* height) {
  for (int i = 0; i < count; i += kNativeLanes) store(height + i, heightOf(count, faces, p, i));
}

void lower(int count, const double* faces, const double* p, double* height) {
  for (int i = 0; i < count; i += kNativeLanes)
    store(height + i, smaller(load<NativePack>(height + i), heightOf(count, faces, p, i)));
}

/// Each lane knows its best and where that was; the first of equal ones is the one with the smallest number.
class FirstBest {
 public:
  FOOTFALL_INLINE void look(const NativePack& value, int i) {
    const auto better = value < best_;
    best_ = choose(better, value, best_);
    at_ = choose(better, lanes_ + static_cast<double>(i), at_);
  }

  FOOTFALL_INLINE int first(double* best) const {
    int at = 0;
    *best = infinity();
    for (int lane = 0; lane < kNativeLanes; ++lane) {
      const int number = static_cast<int>(at_[lane]);
      if (best_[lane] > *best || (best_[lane] == *best && number >= at)) continue;
      *best = best_[lane];
      at = number;
    }
    return at;
  }

 private:
  const NativePack lanes_ = laneNumbers<NativePack>();
  NativePack best_ = broadcast<NativePack>(infinity());
  NativePack at_ = NativePack{};
};

int lowest(int count, const double* vertices, const double* d, double* lowest) {
  FirstBest best;
  for (int i = 0; i < count; i += kNativeLanes) best.look(alongOf(count, vertices, d, i), i);
  return best.first(lowest);
}

int highest(int count, const double* height) {
  FirstBest best;
  for (int i = 0; i < count; i += kNativeLanes) best.look(-load<NativePack>(height + i), i);
  double lowest;
  return best.first(&lowest);
}

}  // namespace

extern const PolytopeKernel polytope_kernel{along, lowest, farther, above, lower, highest};

}  // namespace footfall::collide::FOOTFALL_ISA
