#pragma once

#include "footfall/step/internal/applied_forces.hpp"
#include "step/taut_links.hpp"

namespace footfall {

/// Steps of robots whose light links are pulled straight, where bias forces change too much within a step to be
/// found: in as many pieces as it takes. For robots that touch nothing, without springs and dampers in their joints.
class TautFlight {
 public:
  TautFlight(const Model& model, TautLinks& links);

  /// Moves q and nu on by applied.dt. False: in some piece bias forces were not found either.
  bool advance(const AppliedForces& applied, Dynamics& dynamics, VectorXd& q, VectorXd& nu);

 private:
  struct Piece {
    const Input& input;
    const ForceField& field;
    double time, dt;
    int depth;  ///< how often the step was divided
  };

  bool advance(const Piece& piece, Dynamics& dynamics, VectorXd& q, VectorXd& nu);
  bool findEnd(const Piece& piece, Dynamics& dynamics, const VectorXd& q, const VectorXd& nu);
  void findForces(const Piece& piece, const Dynamics& dynamics, const VectorXd& nu);

  const Model& model_;
  TautLinks& links_;
  VectorXd middle_;                                          ///< (nq)
  VectorXd nu_mean_, nu_end_, force_, next_force_, change_;  ///< (nv)
};

}  // namespace footfall
