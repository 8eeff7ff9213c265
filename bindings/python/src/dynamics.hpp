#pragma once

#include <memory>

#include "footfall/dynamics/dynamics.hpp"
#include "footfall/run/simulation.hpp"

namespace footfall::python {

/// An engine that cannot be read before it was updated: one of its own, or that of a simulation, which is at the
/// simulation's present state whenever it is read.
class Engine {
 public:
  explicit Engine(std::unique_ptr<Dynamics> own) : own_(std::move(own)) {}
  explicit Engine(Simulation& simulation) : simulation_(&simulation) {}

  const Model& model() const { return simulation_ != nullptr ? simulation_->model() : own_->model(); }
  void update(const VectorXd& q, const VectorXd& nu);
  /// Throws Error before the first update().
  const Dynamics& read();

  /// Of a simulation: whatever it was updated at, it is at the present state now.
  void updateToSimulation();
  /// Of a simulation: a step follows, which uses the engine for itself.
  void simulationMoves() { updated_ = nullptr; }

 private:
  bool stateHasChanged() const;

  std::unique_ptr<Dynamics> own_;
  Simulation* simulation_ = nullptr;  ///< null: it has one of its own
  Dynamics* updated_ = nullptr;       ///< null: nothing has been computed yet
  VectorXd seen_q_, seen_nu_;         ///< of the simulation, when it was updated
};

}  // namespace footfall::python
