#pragma once

#include "footfall/step/internal/applied_forces.hpp"
#include "footfall/step/stages.hpp"
#include "step/workspace_parts.hpp"

namespace footfall {

// What the stages of all schemes are made of.

/// h ← bias forces less springs between points and the field of forces at (q, nu), where the engine is, after this
/// fraction of the step: all that depends on the state.
void biasAndField(const AppliedForces& applied, double fraction, const VectorXd& q, const VectorXd& nu,
                  Workspace::Parts& w, VectorXd& h);

/// ν_free = ν + dt (M + implicit)⁻¹ (S τ + τ_ext − h), prescribed joints with their own acceleration
void freeVelocity(const VectorXd& h, const Input& input, Workspace::Parts& w);

/// nu ← the velocity after the impulses; w.reaction ← their generalized impulses where drives have to hold them.
void applyImpulses(const ContactSolution& solution, Workspace::Parts& w, VectorXd& nu);

/// Contacts that nothing but prescribed joints can move answer to no force: where their motion takes them into the
/// ground the step cannot be made.
void findBlockedContacts(Workspace::Parts& w);

/// A solution enters the report of the step.
void recordSolution(const ContactSolution& solution, Workspace::Parts& w);

/// The step has failed.
void fail(StepFailure::Reason reason, StepResult& result);
/// At this one of the system's contacts; other numbers are those of joint rows, or of nothing.
void failAt(int contact, StepFailure::Reason reason, Workspace::Parts& w);

/// The impact of the contacts at hand: w.nu jumps. The engine stands at the start of the step, the system is assembled.
/// @param shift of the rows that take no part, or null [m/s]
void solveImpact(Bounces order, const AlignedVector* shift, Workspace::Parts& w);

/// What an integrator leaves open at its order of accuracy is closed: first the configuration, then the velocity. The
/// wrenches of the loops are those of the last constraint.
void returnToLoops(Workspace::Parts& w, State& next);

/// Mean torques of the drives, from what the step did to the velocities.
void reportDriveTorques(const VectorXd& nu_end, Workspace::Parts& w);

}  // namespace footfall
