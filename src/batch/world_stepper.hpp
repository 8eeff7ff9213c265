#pragma once

#include <array>
#include <cstdint>

#include "batch/world_ground.hpp"
#include "batch/world_masses.hpp"
#include "footfall/run/simulation.hpp"
#include "footfall/step/internal/pack_step.hpp"

namespace footfall {

/// What all worlds have in common.
struct BatchCommon {
  State initial;
  LinkIndex push_link;
  bool auto_reset = false;
};

/// Steps worlds, in packs where their steps are for packs, else one after the other: the scratch of one thread.
class WorldStepper {
 public:
  /// The world must outlive it.
  explicit WorldStepper(const World& world);

  Simulation& simulation() { return simulation_; }

  /// Takes the memory that inputs and parameters need, so that no step does.
  void reserve(Worlds& worlds, const BatchCommon& common);

  /// Worlds that are stepped at once, at most: more would not stay in the caches.
  static constexpr int kMostWorlds = 64;
  /// Steps the worlds from `begin` up to `end`, and writes their status.
  void step(Worlds& worlds, int begin, int end, int steps, const BatchCommon& common) noexcept;

  /// Why the next step of a world fails; the world stays as it is.
  std::string describeFailure(Worlds& worlds, int world, const BatchCommon& common);

 private:
  /// A step from a state with what a world is told now. The world stays as it is; the simulation has the result.
  void tryOut(Worlds& worlds, int world, const State& from, const BatchCommon& common);
  /// A world that is in the pack.
  struct Member {
    int world = 0;
    std::int64_t commanded = 0;  ///< before the step
    VectorXd motors;             ///< after it
  };

  /// Worlds that step together.
  struct Pack {
    std::unique_ptr<PackStep> step;  ///< null: worlds of this scene step one by one
    std::array<Member, PackStep::kRobots> members;
  };

  Pack* addToPack(Worlds& worlds, int world, const BatchCommon& common) noexcept;
  Pack* addTo(Pack& pack, Worlds& worlds, int world, const BatchCommon& common) noexcept;
  void advance(Worlds& worlds, int world, const BatchCommon& common) noexcept;
  void stepWhatWaits(Worlds& worlds, const BatchCommon& common) noexcept;
  void step(Pack& pack, Worlds& worlds, const BatchCommon& common) noexcept;
  void store(const Pack& pack, int robot, Worlds& worlds);
  void stepAlone(Worlds& worlds, int world, const BatchCommon& common) noexcept;
  SolveStatus tryStep(Worlds& worlds, int world, const BatchCommon& common) noexcept;
  SolveStatus stepOnce(Worlds& worlds, int world, const BatchCommon& common);
  void setInputs(Worlds& worlds, int world, const BatchCommon& common);
  void setParameters(Worlds& worlds, int world);
  void setMasses(Worlds& worlds, int world);
  void report(Worlds& worlds, int world);

  std::shared_ptr<WorldGround> ground_;
  Simulation simulation_;
  std::unique_ptr<WorldMasses> masses_;  ///< null: all worlds weigh what the model says
  State state_;
  Pack sticking_, sliding_;  ///< robots that slide take longer, and their neighbours with them

  int first_ = 0;                          ///< of the worlds at hand
  std::array<int, kMostWorlds> left_{};    ///< steps of each that are still to be made
  std::array<bool, kMostWorlds> waits_{};  ///< of each: it is in a pack that is not full yet
};

}  // namespace footfall
