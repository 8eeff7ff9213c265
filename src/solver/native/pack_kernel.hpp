#pragma once

#include "footfall/simd/internal/pack.hpp"

namespace footfall {

/// Lane i of every number belongs to problem i.
using ProblemPack = simd::Pack<8>;

/// States of the contacts of eight problems (contacts), as ContactPackStates has them.
template <class Pack>
struct StatesOf {
  Pack *presses, *sticks, *x, *y, *drag, *give;
};
using ProblemPackStates = StatesOf<const ProblemPack>;
using ProblemPackStatesOut = StatesOf<ProblemPack>;

/// What is known about eight problems when their states are guessed, as ContactPackNumbers has it.
struct ProblemPackNumbers {
  int contacts;
  const int* foot;
  const ProblemPack *active, *scale, *friction, *compliance, *p, *v;
};

/// What ContactPack does, compiled for one instruction set. Matrices are row by row; L holds the rows of the lower
/// triangle one behind the other.
struct PackKernel {
  /// L Lᵀ = P (G + compliance) P + (1 − P) with P the diagonal matrix of `part`; `inverse` is one over L's diagonal.
  void (*factorise)(int rows, const ProblemPack* G, const ProblemPack* part, const ProblemPack& compliance,
                    ProblemPack* L, ProblemPack* inverse);
  /// p ← − P (L Lᵀ)⁻¹ P b
  void (*solve)(int rows, const ProblemPack* L, const ProblemPack* inverse, const ProblemPack* part,
                const ProblemPack* b, ProblemPack* p);
  /// The same with contacts that slide. A (rows × rows) and inverse (rows) are scratch.
  void (*solveSliding)(int contacts, const ProblemPack* G, const ProblemPack* b, const ProblemPackStates& states,
                       const ProblemPack& compliance, ProblemPack* A, ProblemPack* inverse, ProblemPack* p);
  /// v ← b + G p
  void (*velocity)(int rows, const ProblemPack* G, const ProblemPack* b, const ProblemPack* p, ProblemPack* v);
  /// As the functions of ContactPack; problems with 0 in `asked` keep their states.
  void (*statesOf)(const ProblemPackNumbers& known, double nearly, const ProblemPack& asked,
                   const ProblemPackStatesOut& states);
  void (*likelyStates)(const ProblemPackNumbers& known, const ProblemPack& asked, const ProblemPackStatesOut& states);
  /// `farthest` (contacts) is scratch.
  void (*guessStates)(const ProblemPackNumbers& known, const ProblemPack& asked, ProblemPack* farthest,
                      const ProblemPackStatesOut& states);
  void (*residuals)(int contacts, const ProblemPack* scale, const ProblemPack* active, const double* friction,
                    const ProblemPack* p, const ProblemPack* v, double* residual);
};

namespace baseline {
extern const PackKernel pack_kernel;
}
#if defined(__x86_64__)
namespace avx2 {
extern const PackKernel pack_kernel;
}
namespace avx512 {
extern const PackKernel pack_kernel;
}
#endif

}  // namespace footfall
