#pragma once

#include "batch/world_ground.hpp"
#include "batch/worlds.hpp"
#include "footfall/run/simulation.hpp"

namespace footfall {

/// What all worlds have in common.
struct BatchCommon {
  State initial;
  LinkIndex push_link;
  bool auto_reset = false;
};

/// Steps one world after the other: the scratch of one thread.
class WorldStepper {
 public:
  /// The ground must outlive it. Throws Error where the scene is wrong.
  WorldStepper(const Scene& scene, const Terrain& ground);

  Simulation& simulation() { return simulation_; }

  /// Takes the memory that inputs and parameters need, so that no step does.
  void reserve(Worlds& worlds, const BatchCommon& common);

  /// Steps a world, and writes its status.
  void step(Worlds& worlds, int world, int steps, const BatchCommon& common) noexcept;

  /// Why the next step of a world fails; the world stays as it is.
  std::string describeFailure(Worlds& worlds, int world, const BatchCommon& common);

 private:
  SolveStatus tryStep(Worlds& worlds, int world, const BatchCommon& common) noexcept;
  SolveStatus stepOnce(Worlds& worlds, int world, const BatchCommon& common);
  void setInputs(Worlds& worlds, int world, const BatchCommon& common);
  void setParameters(const Worlds& worlds, int world);
  void report(Worlds& worlds, int world);

  std::shared_ptr<WorldGround> ground_;
  Simulation simulation_;
  State state_;
};

}  // namespace footfall
