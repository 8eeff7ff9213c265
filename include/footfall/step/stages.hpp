#pragma once

#include "footfall/step/step.hpp"

namespace footfall {

// The stages of a step, for those who want to put their own in place of one. step() is these, one after the other; each
// works on what the stages before it have left in the workspace. Where a stage has failed (StageNumbers::result.status)
// the ones behind it must not be called.

/// What a step starts from and what acts during it.
struct StepStart {
  const State& state;
  const Input& input;
  const JointSprings* springs;  ///< may be null
};

/// Checks sizes, and forgets the last step.
void beginStep(const StepStart& start, Workspace& workspace);
/// M, h and kinematics at the start of the step.
void updateDynamics(const StepStart& start, Workspace& workspace);
/// Finds contacts, joint limits, joint friction and loops, and how they answer to impulses.
void findConstraints(const StepStart& start, Workspace& workspace);
/// Lets velocities jump where contacts or limits close: numbers.nu.
void resolveImpacts(const StepStart& start, Workspace& workspace);
/// The velocity at the end of the step if nothing touched: numbers.nu_free.
void computeFreeVelocity(const StepStart& start, Workspace& workspace);
/// The impulses of contacts, limits and joint friction: numbers.forces. Does nothing where nothing is active.
void solveForces(const StepStart& start, Workspace& workspace);
/// The state at the end of the step: numbers.result.next.
void integrateMotion(const StepStart& start, Workspace& workspace);
/// Contacts, soles, torques and accelerations of the step, for its report.
const StepResult& finishStep(const StepStart& start, Workspace& workspace);

/// The numbers that pass from stage to stage. A stage of one's own writes what the one that it replaces would write.
struct StageNumbers {
  const Model& model;
  const Settings& settings;
  ConstraintSystem& system;        ///< by findConstraints()
  VectorXd& nu;                    ///< after impacts, by resolveImpacts() (nv)
  VectorXd& nu_free;               ///< by computeFreeVelocity() (nv)
  ContactSolution& forces;         ///< by solveForces(), impulses in the order of the system's problem [N s]
  const ContactSolution& impacts;  ///< by resolveImpacts(), in the same order [N s]
  StepResult& result;
};
StageNumbers stageNumbers(Workspace& workspace);

/// Nothing but loops is active, and the integrator keeps them closed by itself: there is nothing to solve.
bool movesFreely(Workspace& workspace);

/// The warm start of the step's problem from the state, into numbers.forces: where a solver may begin.
void loadWarmStart(const WarmStart& warm, Workspace& workspace);

/// A solution of the step's problem enters its report: status, residual, iterations.
void recordSolution(const ContactSolution& solution, Workspace& workspace);

}  // namespace footfall
