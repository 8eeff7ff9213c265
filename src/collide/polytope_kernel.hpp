#pragma once

namespace footfall::collide {

/// What is asked of all vertices or all faces of a polytope at once, compiled for one instruction set. Tables are those
/// of Polytope: `count` is with padding.
struct PolytopeKernel {
  /// along[i] ← d · vertex i
  void (*along)(int count, const double* vertices, const double* d, double* along);
  /// The first of those vertices that are lowest along d; `lowest` is how far that is.
  int (*lowest)(int count, const double* vertices, const double* d, double* lowest);
  /// beyond[i] ← d · vertex i − offset, where that is more than what is there
  void (*farther)(int count, const double* vertices, const double* d, double offset, double* beyond);
  /// height[i] ← height of p above face i
  void (*above)(int count, const double* faces, const double* p, double* height);
  /// The same where that is lower than what is there.
  void (*lower)(int count, const double* faces, const double* p, double* height);
  /// The first of the largest.
  int (*highest)(int count, const double* height);
};

namespace baseline {
extern const PolytopeKernel polytope_kernel;
}
#if defined(__x86_64__)
namespace avx2 {
extern const PolytopeKernel polytope_kernel;
}
namespace avx512 {
extern const PolytopeKernel polytope_kernel;
}
#endif

/// That of the instruction set that is used.
const PolytopeKernel& polytopeKernel();

}  // namespace footfall::collide
