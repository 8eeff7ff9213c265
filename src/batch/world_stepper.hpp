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
  /// The world must outlive it.
  explicit WorldStepper(const World& world);

  Simulation& simulation() { return simulation_; }

  /// Takes the memory that inputs and parameters need, so that no step does.
  void reserve(Worlds& worlds, const BatchCommon& common);

  /// Steps a world, and writes its status.
  void step(Worlds& worlds, int world, int steps, const BatchCommon& common) noexcept;

  /// Why the next step of a world fails; the world stays as it is.
  std::string describeFailure(Worlds& worlds, int world, const BatchCommon& common);

 private:
  /// A step from a state with what a world is told now. The world stays as it is; the simulation has the result.
  void tryOut(Worlds& worlds, int world, const State& from, const BatchCommon& common);
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
