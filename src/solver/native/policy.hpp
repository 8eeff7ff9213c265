#pragma once

#include "solver/native/cone_pair.hpp"
#include "solver/native/pins.hpp"
#include "solver/native/pyramid_pair.hpp"

namespace footfall::FOOTFALL_ISA {

/// Which stages serve a law, in their order: cheap ones first; each runs only where those before it did not reach the
/// tolerance. docs/contact_solver.md shows what each of them buys.
///     kIfUnique     where impulses follow from velocities
///     kByMotion     with compliant contacts, which the solver knows for the cone and the pyramid
///     kRounds       before the path of kByMotion: rounds of the proximal point method, counted as proximal_path
///     kByImpulses   what is left
///     kPathBeforeInterior   with many contacts the interior point is dear: first a few steps of the proximal path
template <class Law>
struct Policy;

template <>
struct Policy<Cone> {
  using Pair = ConePair;
  using Pins = ConePins;
  static constexpr bool kCompliant = true;
  static constexpr SolverStage kIfUnique[] = {SolverStage::sweeps, SolverStage::newton};
  static constexpr SolverStage kByMotion[] = {SolverStage::compliant, SolverStage::compliant_path};
  static constexpr bool kRounds = true;
  static constexpr SolverStage kByImpulses[] = {SolverStage::newton, SolverStage::interior_point,
                                                SolverStage::proximal_path};
  static constexpr bool kPathBeforeInterior = true;
};

template <>
struct Policy<Pyramid> {
  using Pair = PyramidPair<true>;
  using Pins = PyramidPins;
  static constexpr bool kCompliant = true;
  static constexpr SolverStage kIfUnique[] = {SolverStage::newton};
  static constexpr SolverStage kByMotion[] = {SolverStage::compliant};
  static constexpr bool kRounds = false;
  // The path last: with the corners of the pyramid it is slow.
  static constexpr SolverStage kByImpulses[] = {SolverStage::newton, SolverStage::interior_point,
                                                SolverStage::proximal_path, SolverStage::compliant_path};
  static constexpr bool kPathBeforeInterior = true;
};

template <>
struct Policy<ConvexPyramid> {
  using Pair = PyramidPair<false>;
  using Pins = PyramidPins;
  static constexpr bool kCompliant = false;
  static constexpr bool kRounds = false;
  static constexpr SolverStage kByImpulses[] = {SolverStage::newton, SolverStage::interior_point,
                                                SolverStage::proximal_path};
  static constexpr bool kPathBeforeInterior = false;
};

/// Whether a policy has a stage among those by motion.
template <class PolicyT>
constexpr bool hasByMotion(SolverStage stage) {
  for (const SolverStage one : PolicyT::kByMotion)
    if (one == stage) return true;
  return false;
}

/// Whether a policy has a stage; code of those that it has not is not compiled: it would make the solve of others
/// slower.
template <class PolicyT>
constexpr bool has(SolverStage stage) {
  for (const SolverStage one : PolicyT::kByImpulses)
    if (one == stage) return true;
  if constexpr (PolicyT::kCompliant) {
    for (const SolverStage one : PolicyT::kIfUnique)
      if (one == stage) return true;
  }
  return false;
}

}  // namespace footfall::FOOTFALL_ISA
