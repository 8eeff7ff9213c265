#pragma once

#include <memory>

#include "footfall/dynamics/dynamics.hpp"

namespace footfall::python {

/// An engine that cannot be read before it was updated. Its own, or that of a simulation.
class Engine {
 public:
  explicit Engine(std::unique_ptr<Dynamics> own) : own_(std::move(own)), dynamics_(own_.get()) {}
  explicit Engine(Dynamics* updated) : dynamics_(updated), updated_(true) {}

  const Model& model() const { return dynamics_->model(); }
  void update(const VectorXd& q, const VectorXd& nu);
  /// Throws Error before the first update().
  const Dynamics& read() const;

 private:
  std::unique_ptr<Dynamics> own_;
  Dynamics* dynamics_;
  bool updated_ = false;
};

}  // namespace footfall::python
