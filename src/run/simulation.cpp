#include "footfall/run/simulation.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "footfall/base/error.hpp"
#include "footfall/model/limits.hpp"
#include "footfall/scene/internal/prescribed_setup.hpp"
#include "footfall/scene/internal/scene_setup.hpp"
#include "footfall/scene/internal/terrain_setup.hpp"
#include "footfall/scene/push.hpp"
#include "footfall/step/integrator.hpp"
#include "scene/actuator_setup.hpp"
#include "scene/at_place.hpp"
#include "scene/posture.hpp"
#include "scene/spring_setup.hpp"

namespace footfall {
namespace {

const char* const kFailedAgain =
    "the step before failed from the same state: time stands still; look at the status of each step, and go on from "
    "another state (setState) or with other inputs";

}  // namespace

struct Simulation::Parts {
  /// @param ground null: that of the scene
  Parts(const Scene& s, std::shared_ptr<const Terrain> ground)
      : scene(placePrescribedJoints(s)),
        model(buildModel(scene, warnings)),
        terrain(ground ? std::move(ground) : buildTerrain(scene)),
        settings(buildSettings(scene.physics)),
        workspace(model, *terrain, settings),
        actuators(model, settings.step),
        prescribed(scene, model),
        held_by_motors(jointsWithRealMotors(model)),
        input(makeInput(model)),
        pushes(resolvePushes(scene, model)) {}

  Scene scene;
  std::vector<std::string> warnings;
  Model model;
  std::shared_ptr<const Terrain> terrain;
  Settings settings;
  Workspace workspace;
  Actuators actuators;
  PrescribedJoints prescribed;
  std::vector<DofIndex> held_by_motors;
  State state;
  Input input;    ///< what the user adds
  Input applied;  ///< that, and what the scene asks for
  VectorXd feedforward;
  JointSprings springs;        ///< that hold the posture
  JointSprings joint_springs;  ///< those of them that act at the joint, not through a motor
  VectorXd command;            ///< joint torques that the motors are asked for (n)
  VectorXd motors_before;      ///< State::motors at the start of the step
  VectorXd motor_strength;     ///< share of the torques that reaches the joints (n) [-]; empty: all
  std::vector<Push> pushes;
  const StepResult* result = nullptr;
  bool has_failed = false;  ///< the last step, from the present state
  StepResult nothing;

  void startPrescribedJoints();
  void warnOfStart();
  void holdPosture();
  void holdWithSprings();
  void gatherInput();
  void holdThroughMotors();
};

/// Those that code moves stay where they are until it does.
void Simulation::Parts::startPrescribedJoints() {
  if (!model.hasPrescribedJoints()) return;
  prescribed.start(state, workspace.dynamics());
  input.position = state.joints();
}

/// What is odd about where the robot starts.
void Simulation::Parts::warnOfStart() {
  const std::string outside = jointsOutsideLimits(model, state);
  if (!outside.empty())
    warnings.push_back(
        fmt::format("{}: at the start {}: they may come back, but nothing pushes them; set robot.initial",
                    scene.robot.where, outside));
  if (scene.springs.empty()) return;
  Dynamics& dynamics = workspace.dynamics();
  dynamics.update(state.q, state.nu);
  for (std::string& warning : springsTooStiff(scene, model, dynamics)) warnings.push_back(std::move(warning));
}

/// The torques that act all the time, and what holds the posture.
void Simulation::Parts::holdPosture() {
  feedforward = VectorXd::Zero(model.jointDofs());
  holdWithSprings();
  for (const auto& [name, torque] : scene.torques.joints)
    feedforward[atPlace(scene.torques.where, [&, &joint = name] { return model.dof(joint); })] += torque;
}

void Simulation::Parts::holdWithSprings() {
  if (!scene.hold.enabled) return;
  Dynamics& dynamics = workspace.dynamics();
  dynamics.update(state.q, state.nu);
  springs = holdingSprings(scene.hold, model, state, dynamics);
  lowerGainsToMotors(scene.hold, model, settings.step, dynamics, springs);
  if (!scene.hold.gravity_compensation) return;
  std::vector<ContactFrame> frames;
  std::vector<ActiveContact> active;
  ContactDetector(model).detect(*terrain, state.time, {.step = settings.step}, state.q, state.nu, dynamics, frames,
                                active);
  dynamics.setContacts(frames);
  feedforward = footfall::holdingTorque(scene.hold, model, static_cast<int>(active.size()), dynamics);
}

/// tau = k (s* − s) − d ṡ as it is now: a controller that runs once in each step.
void Simulation::Parts::holdThroughMotors() {
  joint_springs = springs;
  if (!scene.hold.enabled) return;
  for (const DofIndex dof : held_by_motors) {
    command[dof] += springs.stiffness[dof] * (springs.target[dof] - state.joints()[dof]) -
                    springs.damping[dof] * state.nu[model.baseDofs() + dof];
    joint_springs.stiffness[dof] = joint_springs.damping[dof] = 0.0;
  }
}

void Simulation::Parts::gatherInput() {
  command = input.tau + feedforward;
  holdThroughMotors();
  motors_before = state.motors;
  actuators.advance(command, state, applied.tau);
  if (motor_strength.size() > 0) applied.tau.array() *= motor_strength.array();
  applied.position = input.position;
  applied.velocity = input.velocity;
  prescribed.moveTo(state.timeAfter(settings.step), applied);
  applied.wrenches = input.wrenches;
  applied.generalized = input.generalized;
  for (const Push& push : pushes)
    if (push.acts(state.time, settings.step)) applied.wrenches.push_back(push.wrench);
}

namespace {

/// What a robot does without its controller is not what the scene says.
const Scene& sceneWithoutDiagram(const Scene& scene) {
  if (scene.diagram.given())
    throw Error(
        scene.diagram.where, "the scene has a diagram, and a Simulation would run without it",
        "run it as a diagram: footfall run SCENE, Diagram.load(SCENE) in Python, footfall.Diagram(SCENE) in MATLAB and "
        "Octave, loadDiagramSource() in C++; or take the section `diagram` out of the scene");
  return scene;
}

}  // namespace

Simulation::Simulation(const Scene& scene) : Simulation(scene, nullptr) {}
Simulation::Simulation(const Scene& scene, std::shared_ptr<const Terrain> ground)
    : parts_(std::make_unique<Parts>(sceneWithoutDiagram(scene), std::move(ground))) {
  Parts& p = *parts_;
  p.state = buildState(p.scene, p.model, *p.terrain, p.workspace.dynamics());
  p.startPrescribedJoints();
  p.warnOfStart();
  p.holdPosture();
  p.actuators.settle(p.feedforward, p.state);
  p.applied = makeInput(p.model);
  constexpr std::size_t kWrenchesOfInputs = 8;  // that need no memory of their own when they come to those of the scene
  p.applied.wrenches.reserve(p.pushes.size() + kWrenchesOfInputs);
}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

const Model& Simulation::model() const { return parts_->model; }
const Settings& Simulation::settings() const { return parts_->settings; }
const Scene& Simulation::scene() const { return parts_->scene; }
const std::vector<std::string>& Simulation::warnings() const { return parts_->warnings; }
const Terrain& Simulation::terrain() const { return *parts_->terrain; }
const std::vector<DofIndex>& Simulation::heldByMotors() const { return parts_->held_by_motors; }
const VectorXd& Simulation::holdingTorque() const { return parts_->feedforward; }
const State& Simulation::state() const { return parts_->state; }
Input& Simulation::input() { return parts_->input; }
VectorXd& Simulation::motorStrength() { return parts_->motor_strength; }
const Input& Simulation::applied() const { return parts_->applied; }
JointSprings* Simulation::springs() { return parts_->scene.hold.enabled ? &parts_->springs : nullptr; }
const std::vector<MotorReport>& Simulation::motors() const { return parts_->actuators.reports(); }
const StepResult& Simulation::result() const { return parts_->result ? *parts_->result : parts_->nothing; }

void Simulation::setState(const State& state) {
  const Model& m = model();
  if (state.q.size() != m.nq() || state.nu.size() != m.nv() || state.warm.candidate.size() != m.maxActiveContacts() ||
      state.warm.impulse.size() != warmStartSize(m) || state.motors.size() != parts_->state.motors.size())
    throw Error("state", fmt::format("it does not belong to the robot '{}': q has {} entries (expected {}), nu {} ({})",
                                     m.name, state.q.size(), m.nq(), state.nu.size(), m.nv()));
  parts_->prescribed.check(state);
  parts_->state = state;
  parts_->has_failed = false;
}

const StepResult& Simulation::step() {
  Parts& p = *parts_;
  p.gatherInput();
  p.result = &footfall::step(p.state, p.applied, springs() ? &p.joint_springs : nullptr, p.workspace);
  const bool failed_before = std::exchange(p.has_failed, p.result->status == SolveStatus::failed);
  if (!p.has_failed) {
    p.state = p.result->next;
    return *p.result;
  }
  p.state.motors = p.motors_before;
  if (failed_before) throw Error("", describeFailure(), kFailedAgain);
  return *p.result;
}

void Simulation::setProfile(StepProfile* profile) { parts_->workspace.setProfile(profile); }

void Simulation::setContactModel(std::unique_ptr<ContactModel> model) {
  parts_->workspace.setContactModel(std::move(model));
}

void Simulation::setIntegrator(std::unique_ptr<Integrator> integrator) {
  parts_->workspace.setIntegrator(std::move(integrator));
}

void Simulation::setForceField(ForceField field) { parts_->workspace.setForceField(std::move(field)); }

Dynamics& Simulation::dynamics() {
  parts_->workspace.dynamics().update(parts_->state.q, parts_->state.nu);
  return parts_->workspace.dynamics();
}

std::string Simulation::describeFailure() const {
  return footfall::describeFailure(result(), time(), model(), settings());
}

std::string describeFailure(const StepResult& result, double time, const Model& model, const Settings& settings) {
  if (result.status != SolveStatus::failed)
    return fmt::format("t = {:.6g} s: the last step did not fail, its residual is {:.2g}", time, result.residual);
  if (result.blocked_candidate >= 0)
    return fmt::format("t = {:.6g} s: the prescribed joints press '{}' into the ground, and nothing can give way", time,
                       model.candidates[result.blocked_candidate].name);
  if (result.torn_loops)
    return fmt::format("t = {:.6g} s: the prescribed joints tear the loops open by {:.3g} mm", time,
                       1e3 * result.loop_gap);
  if (!std::isfinite(result.residual))
    return fmt::format("t = {:.6g} s: the step gives numbers that are not finite; look at torques, wrenches and gains",
                       time);
  const std::string worst =
      result.worst_candidate < 0 ? "" : fmt::format(", worst '{}'", model.candidates[result.worst_candidate].name);
  return fmt::format("t = {:.6g} s: contact solve stopped after {} iterations, residual {:.2g} > {:.2g}{}", time,
                     result.iterations, result.residual, settings.contact.solver.acceptable, worst);
}

}  // namespace footfall
