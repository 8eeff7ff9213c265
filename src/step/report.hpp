#pragma once

#include "footfall/step/step.hpp"

namespace footfall {

/// What a step leaves behind for its report.
struct StepEvidence {
  const Model& model;
  const ConstraintSystem& system;
  const ContactSolution& forces;
  const ContactSolution& impacts;
  const AlignedVector& velocity;  ///< of the contacts at the end [m/s]
  const VectorXd& nu;             ///< after impacts
  const VectorXd& q_forces;       ///< where the engine stands for the forces of the step
  const VectorXd& nu_forces;      ///< velocity of their bias forces
  const VectorXd& torque;         ///< of the joints, as seen from the start of the step
  const VectorXd& implicit;       ///< inertia that springs and dampers add
  double dt;
  const Dynamics& at_impact;  ///< stands at the start of the step
  bool moved_freely;          ///< by the integrator, which has reported its loops itself
  const std::vector<DofIndex>& prescribed;
};

void reserveReport(const Model& model, StepResult& result);
/// What a step starts with; its loops are those of the model with ties.
void clearReport(const Model& model, StepResult& result);
/// Fills contacts, soles, torques and accelerations; the engine still stands where the forces of the step belong, if
/// contacts were active.
void writeReport(const StepEvidence& evidence, const Dynamics& dynamics, StepResult& result);

}  // namespace footfall
