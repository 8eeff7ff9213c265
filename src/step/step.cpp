#include "footfall/step/step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "footfall/base/error.hpp"
#include "footfall/model/internal/copy_state.hpp"
#include "footfall/step/internal/applied_forces.hpp"
#include "footfall/step/internal/check_gains.hpp"
#include "footfall/step/internal/joint_forces.hpp"
#include "footfall/step/stages.hpp"
#include "step/report.hpp"
#include "step/second_order.hpp"
#include "step/stage_clock.hpp"
#include "step/step_parts.hpp"
#include "step/warm_start.hpp"
#include "step/workspace_parts.hpp"

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

/// Rotations move by products that keep a quaternion's norm: what is far from one was never a rotation.
void checkQuaternions(const Model& model, const State& state) {
  constexpr double kFarFromOne = 1e-2;
  const auto check = [&](int position) {
    const double norm = state.q.segment<4>(position + 3).norm();
    if (std::abs(norm - 1.0) > kFarFromOne)
      throw Error("step",
                  fmt::format("the quaternion of the base, q[{}] to q[{}] as (x, y, z, w), has the norm {:.3g}, "
                              "expected 1",
                              position + 3, position + 6, norm),
                  "no rotation is (0, 0, 0, 1)");
  };
  check(0);
  for (int body = 0; body < model.free_bodies; ++body) check(model.freePosition(body));
}

/// @param is_driven  the model has prescribed joints
void checkSizes(const Model& model, const State& state, const Input& input, bool is_driven) {
  if (state.q.size() != model.nq() || state.nu.size() != model.nv() || input.tau.size() != model.jointDofs() ||
      !warmStartFits(model, state.warm))
    throw Error("step",
                fmt::format("sizes do not fit the model '{}': q {} (expected {}), nu {} ({}), tau {} ({}), warm "
                            "start {} ({})",
                            model.name, state.q.size(), model.nq(), state.nu.size(), model.nv(), input.tau.size(),
                            model.jointDofs(), state.warm.impulse.size(), warmStartSize(model)),
                "makeState(model) and makeInput(model) have the right sizes");
  if (input.generalized.size() != 0 && input.generalized.size() != model.nv())
    throw Error("step", fmt::format("input.generalized has {} entries, expected {} of the model '{}', or none",
                                    input.generalized.size(), model.nv(), model.name));
  if (is_driven && (input.position.size() != model.jointDofs() || input.velocity.size() != model.jointDofs()))
    throw Error("step",
                fmt::format("input.position has {} entries and input.velocity {}, expected {} of the model '{}', which "
                            "has prescribed joints",
                            input.position.size(), input.velocity.size(), model.jointDofs(), model.name),
                "makeInput(model) has the right sizes");
}

void impactStage(const State& state, const Input& input, const JointSprings* springs, Workspace::Parts& w) {
  w.impacts.impulse.assign(w.system.layout().rows(), 0.0);
  w.result.impact = w.contact_model->hasImpacts() && w.impact_model.needed(w.system, w.settings.step);
  if (!w.result.impact) return;
  solveImpact(Bounces::together, nullptr, w);
  if (w.impacts.status == SolveStatus::failed) return;
  // Bias forces, springs and dampers as they are after the jump.
  w.dynamics->updateVelocity(w.nu);
  linearizeJointForces(w.model, input, springs, w.model.jointPositions(state.q), w.model.jointVelocities(w.nu),
                       w.settings.step, w.torque, w.implicit);
}

void forceStage(const State& state, Workspace::Parts& w) {
  loadWarmStart(state.warm, w.model, w.system, w.forces);
  w.contact_model->solve({*w.dynamics, w.system, w.nu, w.nu_free, w.settings.step}, *w.solver, w.forces);
  recordSolution(w.forces, w);
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
  const AppliedForces applied{input, w.force_field, start.time, w.settings.step};
  FreeMotion motion(*w.dynamics, w.system.loops(), w.prescribed, applied, springs, w.tau, w.bare_inertia);
  w.reaction.setZero();
  const bool single_stage = w.integrator->singleStage() || w.isStiff();
  if (single_stage) reportDriveTorques(w.nu_free, w);
  if (w.isStiff()) {  // springs are implicit in ν_free
    next.nu = w.nu_free;
    integrateConfiguration(w.model, next.nu, w.settings.step, next.q);
  } else {
    w.integrator->advance({motion, w.nu_free, w.settings.step}, next.q, next.nu);
  }
  w.prescribed.place(1.0, next.q, next.nu);
  if (w.prescribed.any() && !single_stage) reportDriveTorquesInTheMiddle(start, next, motion, w);
  if (w.system.hasLoops()) returnToLoops(w, next);
  forgetWarmStart(next.warm);
}

/// Zero times what is not finite is not a number: no number needs a question of its own.
bool isFinite(const VectorXd& values) { return (0.0 * values).sum() == 0.0; }

/// Not-a-number came in, by an input or by numbers too large: the state stays as it was, and the caller is told.
void refuseNonFinite(const State& state, Workspace::Parts& w) {
  fail(StepFailure::Reason::not_finite, w.result);
  w.result.residual = std::numeric_limits<double>::infinity();
  w.result.next = state;
}

/// The prescribed joints cannot move so with the loops closed.
void refuseTornLoops(const State& state, Workspace::Parts& w) {
  constexpr double kTorn = 1e-6;  // loops that are closed are so to 1e-12 [m]
  if (!w.prescribed.any() || w.result.loop_gap <= kTorn) return;
  fail(StepFailure::Reason::torn_loops, w.result);
  w.result.next = state;
}

}  // namespace

void beginStep(const StepStart& start, Workspace& workspace) {
  workspace.setTies(start.state.ties);
  Workspace::Parts& w = workspace.parts();
  checkSizes(w.model, start.state, start.input, w.prescribed.any());
  if (start.springs) checkGains(w.model, *start.springs);
  checkQuaternions(w.model, start.state);
  clearReport(w.model, w.result);
  if (w.second_order) w.second_order->lookFarther(0.0);
  copyState(start.state, w.result.next);
  w.nu = start.state.nu;
  w.end_known = false;
  if (w.system.hasLoops()) w.system.loops().forgetRank();
  w.prescribed.begin(start.state, start.input, w.settings.step);
}

void updateDynamics(const StepStart& start, Workspace& workspace) {
  Workspace::Parts& w = workspace.parts();
  if (w.second_order) return w.second_order->updateDynamics(start);
  const State& state = start.state;
  linearizeJointForces(w.model, start.input, start.springs, w.model.jointPositions(state.q),
                       w.model.jointVelocities(state.nu), w.settings.step, w.torque, w.implicit);
  w.dynamics->setImplicitInertia(w.implicit);
  w.dynamics->update(state.q, state.nu);
}

void findConstraints(const StepStart& start, Workspace& workspace) {
  Workspace::Parts& w = workspace.parts();
  if (w.second_order) return w.second_order->findConstraints(start);
  const State& state = start.state;
  w.system.find(w.terrain, state.time, {.step = w.settings.step}, state.q, state.nu, *w.dynamics);
  w.makeRoom();  // before the engine is told of contacts that it has no room for yet
  w.system.handTo(*w.dynamics);
  if (!w.system.empty()) w.system.computeDelassus(*w.dynamics);
  findBlockedContacts(w);
}

void resolveImpacts(const StepStart& start, Workspace& workspace) {
  Workspace::Parts& w = workspace.parts();
  if (w.second_order) return w.second_order->resolveImpacts(start);
  impactStage(start.state, start.input, start.springs, w);
}

void computeFreeVelocity(const StepStart& start, Workspace& workspace) {
  Workspace::Parts& w = workspace.parts();
  const bool in_the_middle = w.second_order != nullptr;
  biasAndField({start.input, w.force_field, start.state.time, w.settings.step}, in_the_middle ? 0.5 : 0.0,
               in_the_middle ? w.middle : start.state.q, w.nu, w, w.change);
  freeVelocity(w.change, start.input, w);
  if (in_the_middle) w.second_order->dampTautLinks();
}

bool movesFreely(Workspace& workspace) {
  const Workspace::Parts& w = workspace.parts();
  if (w.system.empty()) return true;
  if (w.second_order) return w.second_order->swings();
  return w.system.onlyLoops() && !w.integrator->singleStage() && !w.isStiff();
}

void solveForces(const StepStart& start, Workspace& workspace) {
  Workspace::Parts& w = workspace.parts();
  if (movesFreely(workspace)) return;
  if (w.second_order) return w.second_order->solveForces(start);
  forceStage(start.state, w);
}

void integrateMotion(const StepStart& start, Workspace& workspace) {
  Workspace::Parts& w = workspace.parts();
  w.result.order = movesFreely(workspace) && !w.isStiff() ? w.integrator->order() : 1;
  if (w.second_order) {
    w.second_order->integrateMotion(start);
  } else if (movesFreely(workspace)) {
    moveFreely(start.state, start.input, start.springs, w, w.result.next);
  } else {
    moveConstrained(w, w.result.next);
  }
  refuseTornLoops(start.state, w);
  if (!isFinite(w.result.next.q) || !isFinite(w.result.next.nu)) refuseNonFinite(start.state, w);
}

const StepResult& finishStep(const StepStart& start, Workspace& workspace) {
  Workspace::Parts& w = workspace.parts();
  w.result.next.time = w.result.next.count.next(start.state.time, w.settings.step);
  const bool moved = w.second_order != nullptr && w.result.impact;
  const Dynamics& at_impact = moved ? w.second_order->returnToStart(start) : *w.dynamics;
  const VectorXd& q_forces = w.second_order ? w.middle : start.state.q;
  const VectorXd& nu_forces = w.second_order ? w.second_order->forceVelocity() : w.nu;
  writeReport({w.model, w.system, w.forces, w.impacts, w.velocity, w.nu, q_forces, nu_forces, w.torque, w.implicit,
               w.settings.step, at_impact, movesFreely(workspace), w.prescribed.dofs()},
              *w.dynamics, w.result);
  return w.result;
}

StageNumbers stageNumbers(Workspace& workspace) {
  Workspace::Parts& w = workspace.parts();
  w.end_known = false;  // who asks may change them
  return {w.model, w.settings, w.system, w.nu, w.nu_free, w.forces, w.impacts, w.result};
}

void loadWarmStart(const WarmStart& warm, Workspace& workspace) {
  Workspace::Parts& w = workspace.parts();
  loadWarmStart(warm, w.model, w.system, w.forces);
}

void recordSolution(const ContactSolution& solution, Workspace& workspace) {
  recordSolution(solution, workspace.parts());
}

namespace {

/// All stages up to the forces. Returns whether they succeed.
bool findForces(const StepStart& start, Workspace& workspace, StageClock& clock) {
  const StepResult& result = workspace.parts().result;
  const auto failed = [&] { return result.status == SolveStatus::failed; };
  updateDynamics(start, workspace);
  clock.ended(StepStage::dynamics);
  findConstraints(start, workspace);
  if (failed()) return false;
  clock.ended(StepStage::contacts);
  resolveImpacts(start, workspace);
  if (failed()) return false;
  clock.ended(StepStage::impact);
  computeFreeVelocity(start, workspace);
  clock.ended(StepStage::free_velocity);
  solveForces(start, workspace);
  if (failed()) return false;
  clock.ended(StepStage::forces);
  return true;
}

/// Once more, with what those forces have thrown into the ground; without it, where that has no solution.
void findForcesAgain(double farther, const StepStart& start, Workspace& workspace, StageClock& clock) {
  beginStep(start, workspace);
  workspace.parts().second_order->lookFarther(farther);
  if (findForces(start, workspace, clock)) return;
  beginStep(start, workspace);
  findForces(start, workspace, clock);
}

}  // namespace

const StepResult& step(const State& state, const Input& input, const JointSprings* springs, Workspace& workspace) {
  const StepStart start{state, input, springs};
  beginStep(start, workspace);
  Workspace::Parts& w = workspace.parts();
  const auto failed = [&] { return w.result.status == SolveStatus::failed; };
  StageClock clock(w.profile);
  if (!findForces(start, workspace, clock)) return w.result;
  const double farther = w.second_order ? w.second_order->comesIn(start) : 0.0;
  if (farther > 0.0) findForcesAgain(farther, start, workspace, clock);
  if (failed()) return w.result;
  integrateMotion(start, workspace);
  if (failed()) return w.result;
  clock.ended(StepStage::motion);
  finishStep(start, workspace);
  clock.ended(StepStage::report);
  return w.result;
}

}  // namespace footfall
