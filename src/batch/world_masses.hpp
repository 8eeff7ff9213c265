#pragma once

#include <vector>

#include "batch/worlds.hpp"
#include "footfall/step/internal/pack_step.hpp"

namespace footfall {

/// What the robots of worlds weigh that have masses of their own: the scratch of one thread.
class WorldMasses {
 public:
  /// Throws Error where the engine knows no such robots.
  WorldMasses(const Model& model, const Settings& settings);

  /// Those of a world, until the next call; what follows from them is worked out where they have changed. Throws Error
  /// where they are none.
  OwnMasses of(Worlds& worlds, int world);

 private:
  void read(const Worlds& worlds, int world);

  const Model& model_;
  OwnMassTraits finder_;
  VectorXd masses_;  ///< as Worlds::Weighed::masses
  std::vector<LinkMass> links_;
};

}  // namespace footfall
