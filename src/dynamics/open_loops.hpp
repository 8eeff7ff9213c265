#pragma once

namespace footfall {

/// What open loops may leave of a row that depends on others where they are closed, as a share of its own entry of
/// J M⁻¹ Jᵀ. Wider open than links are large: these are no loops that a simulation has closed, and nothing is in doubt.
/// Always inline: kernels of all instruction sets use it.
/// @param share_of_open  shareOfOpenLoops() [1/m²]
/// @param gap  the largest [m]
__attribute__((always_inline)) inline double shareOfGap(double share_of_open, double gap) {
  const double share = share_of_open * gap * gap;
  return share < 1.0 ? share : 0.0;
}

}  // namespace footfall
