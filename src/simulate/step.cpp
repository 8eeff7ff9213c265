#include "footfall/simulate/step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "footfall/base/error.hpp"
#include "footfall/simulate/stages.hpp"
#include "simulate/joint_forces.hpp"
#include "simulate/report.hpp"
#include "simulate/stage_clock.hpp"
#include "simulate/warm_start.hpp"
#include "simulate/workspace_parts.hpp"

namespace footfall {

const char* nameOf(StepStage stage) {
  switch (stage) {
    case StepStage::dynamics:
      return "dynamics";
    case StepStage::contacts:
      return "contacts";
    case StepStage::impact:
      return "impact";
    case StepStage::free_velocity:
      return "free velocity";
    case StepStage::forces:
      return "forces";
    case StepStage::motion:
      return "motion";
    case StepStage::report:
      return "report";
  }
  return "";
}

namespace {

void checkSizes(const Model& model, const State& state, const Input& input) {
  if (state.q.size() != model.nq() || state.nu.size() != model.nv() || input.tau.size() != model.jointDofs() ||
      state.warm.candidate.size() != model.maxActiveContacts() || state.warm.impulse.size() != warmStartSize(model))
    throw Error("step",
                fmt::format("sizes do not fit the model '{}': q {} (expected {}), nu {} ({}), tau {} ({}), warm "
                            "start {} ({})",
                            model.name, state.q.size(), model.nq(), state.nu.size(), model.nv(), input.tau.size(),
                            model.jointDofs(), state.warm.impulse.size(), warmStartSize(model)),
                "makeState(model) and makeInput(model) have the right sizes");
  if (input.generalized.size() != 0 && input.generalized.size() != model.nv())
    throw Error("step", fmt::format("input.generalized has {} entries, expected {} of the model '{}', or none",
                                    input.generalized.size(), model.nv(), model.name));
  if (model.hasPrescribedJoints() &&
      (input.position.size() != model.jointDofs() || input.velocity.size() != model.jointDofs()))
    throw Error("step",
                fmt::format("input.position has {} entries and input.velocity {}, expected {} of the model '{}', which "
                            "has prescribed joints",
                            input.position.size(), input.velocity.size(), model.jointDofs(), model.name),
                "makeInput(model) has the right sizes");
}

/// ν_free = ν + dt (M + implicit)⁻¹ (S τ + τ_ext − h), prescribed joints with their own acceleration
void freeVelocity(const Input& input, Workspace::Parts& w) {
  w.dynamics->biasForces(w.tau);
  w.tau = -w.tau;
  w.tau.tail(w.model.jointDofs()) += w.torque;
  for (const ExternalWrench& e : input.wrenches) w.dynamics->addWrench(e.link, e.p_LP, e.wrench_W, w.tau);
  if (input.generalized.size() > 0) w.tau += input.generalized;
  w.prescribed.accelerateInTheMean(*w.dynamics, w.tau);
  w.nu_free = w.nu + w.settings.step * w.tau;
}

/// nu ← the velocity after the impulses; w.reaction ← their generalized impulses where drives have to hold them.
void applyImpulses(const ContactSolution& solution, Workspace::Parts& w, VectorXd& nu) {
  w.change = nu;
  w.system.applyImpulses(*w.dynamics, solution.impulse, nu);
  if (!w.prescribed.any()) return;
  for (const DofIndex dof : w.prescribed.dofs()) nu[w.model.baseDofs() + dof] = w.change[w.model.baseDofs() + dof];
  w.reaction.setZero();
  w.system.addReaction(*w.dynamics, solution.impulse, w.reaction);
}

/// Looks for contacts that nothing but prescribed joints can move. They answer to no force: where their motion takes
/// them into the ground the step cannot be made, and elsewhere they must not upset the solver.
void findBlockedContacts(Workspace::Parts& w) {
  constexpr double kImmovable = 1e-50;  // 1/mass of a point, far below that of anything real [1/kg]
  constexpr double kInside = 1e-9;      // rounding of a point that is led along the ground [m]
  if (!w.prescribed.any()) return;
  w.nu_free = w.nu;
  w.prescribed.place(1.0, w.middle, w.nu_free);
  w.system.contactVelocity(*w.dynamics, w.nu_free, w.velocity);
  ContactProblem& problem = w.system.problem();
  const auto contacts = w.system.contacts();
  for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
    if (problem(i, 2, i, 2) > kImmovable) continue;
    const SurfacePoint& surface = contacts[i].surface;
    const double approach = w.velocity[problem.layout.row(i, 2)] - surface.R_WC.col(2).dot(surface.velocity_W);
    if (surface.gap + w.settings.step * approach < -kInside) w.result.blocked_candidate = contacts[i].candidate;
    for (int c = 0; c < 3; ++c) problem(i, c, i, c) = 1.0;
  }
  if (w.result.blocked_candidate >= 0) w.result.status = SolveStatus::failed;
}

ContactQuestion askAbout(Workspace::Parts& w) { return {*w.dynamics, w.system, w.nu, w.nu_free, w.settings.step}; }

void note(const ContactSolution& solution, Workspace::Parts& w) {
  StepResult& result = w.result;
  result.iterations += solution.iterations;
  if (solution.residual >= result.residual || !std::isfinite(solution.residual)) {
    result.residual = solution.residual;
    const auto contacts = w.system.contacts();
    const int worst = solution.worst_contact;
    result.worst_candidate = worst < 0 || worst >= static_cast<int>(contacts.size()) ? -1 : contacts[worst].candidate;
  }
  result.status = std::max(result.status, solution.status);
}

void impactStage(const State& state, const Input& input, const JointSprings* springs, Workspace::Parts& w) {
  w.impacts.impulse.assign(w.system.layout().rows(), 0.0);
  w.result.impact = w.contact_model->hasImpacts() && w.impact_model.needed(w.system, w.settings.step);
  if (!w.result.impact) return;
  w.impacts.minimum_norm = false;
  w.impact_model.solve(askAbout(w), *w.solver, w.impacts);
  note(w.impacts, w);
  if (w.impacts.status == SolveStatus::failed) return;
  applyImpulses(w.impacts, w, w.nu);
  w.system.loopWrenches(w.result.loop_impulses);
  if (w.prescribed.any()) {
    w.change = w.nu - state.nu;
    w.prescribed.driveImpulse(*w.dynamics, w.change, 0.0, w.reaction, w.result.drive_impulse);
  }
  // Bias forces, springs and dampers as they are after the jump.
  const int n = w.model.jointDofs();
  w.dynamics->updateVelocity(w.nu);
  linearizeJointForces(w.model, input, springs, state.q.tail(n), w.nu.tail(n), w.settings.step, w.torque, w.implicit);
}

void forceStage(const State& state, Workspace::Parts& w) {
  loadWarmStart(state.warm, w.model, w.system, w.forces);
  w.contact_model->solve(askAbout(w), *w.solver, w.forces);
  note(w.forces, w);
}

/// Mean torques of the drives, from what the step did to the velocities; the engine still stands at its start.
void reportDriveTorques(const VectorXd& nu_end, Workspace::Parts& w) {
  if (!w.prescribed.any()) return;
  w.change = nu_end - w.nu;
  w.prescribed.driveImpulse(*w.dynamics, w.change, w.settings.step, w.reaction, w.result.drive_torque);
  w.result.drive_torque /= w.settings.step;
}

/// Velocities and configuration at the end of a step with contacts, limits or loops.
void moveConstrained(Workspace::Parts& w, State& next) {
  w.nu_end = w.nu_free;
  applyImpulses(w.forces, w, w.nu_end);
  reportDriveTorques(w.nu_end, w);
  w.system.contactVelocity(*w.dynamics, w.nu_end, w.velocity);
  integrateConfiguration(w.model, w.integrator->movesWithEndVelocity() ? w.nu_end : w.nu, w.settings.step, next.q);
  w.prescribed.place(1.0, next.q, w.nu_end);
  if (w.system.hasLoops()) w.result.loop_gap = w.system.loops().closeConfiguration(*w.dynamics, next.q);
  next.nu = w.nu_end;
  storeWarmStart(w.forces, w.model, w.system, next.warm);
}

/// What an integrator leaves open at its order of accuracy is closed: first the configuration, then the velocity.
void returnToLoops(Workspace::Parts& w, State& next) {
  LoopMotion& loops = w.system.loops();
  loops.wrenches(loops.impulses(), w.result.loop_wrenches);
  w.dynamics->update(next.q, next.nu);
  w.dynamics->prepareLoops();
  w.result.loop_gap = loops.closeConfiguration(*w.dynamics, next.q);
  w.dynamics->update(next.q, next.nu);
  w.dynamics->prepareLoops();
  loops.constrainVelocity(*w.dynamics, next.nu);
}

/// Where an integrator looks at several places within a step, the torques of the drives are those of its middle: the
/// mean to second order.
void reportDriveTorquesInTheMiddle(const State& start, const State& end, FreeMotion& motion, Workspace::Parts& w) {
  w.nu_end = 0.5 * (start.nu + end.nu);
  w.middle = start.q;
  integrateConfiguration(w.model, w.nu_end, 0.5 * w.settings.step, w.middle);
  motion.acceleration(0.5, w.middle, w.nu_end, w.change);
  w.reaction.setZero();
  LoopMotion& loops = w.system.loops();
  if (loops.any()) loops.addForces(*w.dynamics, loops.impulses(), w.reaction);
  w.prescribed.driveImpulse(*w.dynamics, w.change, 1.0, w.reaction, w.result.drive_torque);
}

/// Nothing touches: the integrator has the step to itself.
void moveFreely(const State& start, const Input& input, const JointSprings* springs, Workspace::Parts& w, State& next) {
  FreeMotion motion(*w.dynamics, w.system.loops(), w.prescribed, input, springs, w.tau, w.bare_inertia);
  w.reaction.setZero();
  if (w.integrator->singleStage()) reportDriveTorques(w.nu_free, w);
  w.integrator->advance({motion, w.nu_free, w.settings.step}, next.q, next.nu);
  w.prescribed.place(1.0, next.q, next.nu);
  if (w.prescribed.any() && !w.integrator->singleStage()) reportDriveTorquesInTheMiddle(start, next, motion, w);
  if (w.system.hasLoops()) returnToLoops(w, next);
  forgetWarmStart(next.warm);
}

/// Not-a-number came in, by an input or by numbers too large: the state stays as it was, and the caller is told.
void refuseNonFinite(const State& state, Workspace::Parts& w) {
  w.result.status = SolveStatus::failed;
  w.result.residual = std::numeric_limits<double>::infinity();
  w.result.next = state;
}

/// The prescribed joints cannot move so with the loops closed.
void refuseTornLoops(const State& state, Workspace::Parts& w) {
  constexpr double kTorn = 1e-6;  // loops that are closed are so to 1e-12 [m]
  w.result.torn_loops = w.prescribed.any() && w.result.loop_gap > kTorn;
  if (!w.result.torn_loops) return;
  w.result.status = SolveStatus::failed;
  w.result.next = state;
}

}  // namespace

void beginStep(const StepStart& start, Workspace& workspace) {
  Workspace::Parts& w = workspace.parts();
  checkSizes(w.model, start.state, start.input);
  clearReport(w.result);
  w.result.next = start.state;
  w.nu = start.state.nu;
  w.prescribed.begin(start.state, start.input, w.settings.step);
}

void updateDynamics(const StepStart& start, Workspace& workspace) {
  Workspace::Parts& w = workspace.parts();
  const State& state = start.state;
  const int n = w.model.jointDofs();
  linearizeJointForces(w.model, start.input, start.springs, state.q.tail(n), state.nu.tail(n), w.settings.step,
                       w.torque, w.implicit);
  w.dynamics->setImplicitInertia(w.implicit);
  w.dynamics->update(state.q, state.nu);
}

void findConstraints(const StepStart& start, Workspace& workspace) {
  Workspace::Parts& w = workspace.parts();
  const State& state = start.state;
  w.system.activate(w.terrain, state.time, w.settings.step, state.q, state.nu, *w.dynamics);
  if (!w.system.empty()) w.system.assemble(*w.dynamics);
  findBlockedContacts(w);
}

void resolveImpacts(const StepStart& start, Workspace& workspace) {
  impactStage(start.state, start.input, start.springs, workspace.parts());
}

void computeFreeVelocity(const StepStart& start, Workspace& workspace) { freeVelocity(start.input, workspace.parts()); }

bool movesFreely(Workspace& workspace) {
  const Workspace::Parts& w = workspace.parts();
  return w.system.empty() || (w.system.onlyLoops() && !w.integrator->singleStage());
}

void solveForces(const StepStart& start, Workspace& workspace) {
  if (!movesFreely(workspace)) forceStage(start.state, workspace.parts());
}

void integrateMotion(const StepStart& start, Workspace& workspace) {
  Workspace::Parts& w = workspace.parts();
  if (movesFreely(workspace)) {
    moveFreely(start.state, start.input, start.springs, w, w.result.next);
  } else {
    moveConstrained(w, w.result.next);
  }
  refuseTornLoops(start.state, w);
  if (!w.result.next.q.allFinite() || !w.result.next.nu.allFinite()) refuseNonFinite(start.state, w);
}

const StepResult& finishStep(const StepStart& start, Workspace& workspace) {
  Workspace::Parts& w = workspace.parts();
  w.result.next.time = start.state.time + w.settings.step;
  writeReport({w.model, w.system, w.forces, w.impacts, w.velocity, w.nu, w.torque, w.implicit, w.settings.step,
               movesFreely(workspace)},
              *w.dynamics, w.result);
  return w.result;
}

StageNumbers stageNumbers(Workspace& workspace) {
  Workspace::Parts& w = workspace.parts();
  return {w.model, w.settings, w.system, w.nu, w.nu_free, w.forces, w.impacts, w.result};
}

void loadWarmStart(const WarmStart& warm, Workspace& workspace) {
  Workspace::Parts& w = workspace.parts();
  loadWarmStart(warm, w.model, w.system, w.forces);
}

void noteSolution(const ContactSolution& solution, Workspace& workspace) { note(solution, workspace.parts()); }

const StepResult& step(const State& state, const Input& input, const JointSprings* springs, Workspace& workspace) {
  const StepStart start{state, input, springs};
  const StepResult& result = workspace.parts().result;
  const auto failed = [&] { return result.status == SolveStatus::failed; };
  beginStep(start, workspace);
  StageClock clock(workspace.parts().profile);
  updateDynamics(start, workspace);
  clock.ended(StepStage::dynamics);
  findConstraints(start, workspace);
  if (failed()) return result;
  clock.ended(StepStage::contacts);
  resolveImpacts(start, workspace);
  if (failed()) return result;
  clock.ended(StepStage::impact);
  computeFreeVelocity(start, workspace);
  clock.ended(StepStage::free_velocity);
  solveForces(start, workspace);
  if (failed()) return result;
  clock.ended(StepStage::forces);
  integrateMotion(start, workspace);
  if (failed()) return result;
  clock.ended(StepStage::motion);
  finishStep(start, workspace);
  clock.ended(StepStage::report);
  return result;
}

}  // namespace footfall
