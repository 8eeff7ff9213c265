#include "footfall/run/simulation.hpp"

#include <fmt/format.h>

#include <utility>

#include "footfall/base/error.hpp"
#include "footfall/model/internal/copy_state.hpp"
#include "footfall/step/describe_failure.hpp"
#include "footfall/step/integrator.hpp"
#include "footfall/step/internal/check_gains.hpp"
#include "run/check_motion.hpp"

namespace footfall {
namespace {

const char* const kFailedAgain =
    "the step before failed from the same state: time stands still; look at the status of each step, and go on from "
    "another state (setState) or with other inputs";

constexpr std::size_t kWrenchesOfInputs = 8;  // that need no memory of their own when they come to those of the scene

}  // namespace

struct Simulation::Parts {
  explicit Parts(std::shared_ptr<const World> shared)
      : world(std::move(shared)),
        robot(world->robot()),
        workspace(robot.model, *world->terrain, world->settings),
        actuators(robot.model, world->settings.step),
        state(robot.start),
        input(robot.makeInput()),
        motion_check(robot, input),
        applied(makeInput(robot.model)),
        posture(robot.posture) {
    applied.wrenches.reserve(robot.pushes.size() + kWrenchesOfInputs);
    workspace.makeRoomFor(state);
  }

  std::shared_ptr<const World> world;
  const Body& robot;  ///< of the world
  Workspace workspace;
  Actuators actuators;
  State state;
  Input input;  ///< what the user adds
  MotionCheck motion_check;
  Input applied;               ///< that, and what the scene asks for
  Posture posture;             ///< as the user has changed it
  JointSprings joint_springs;  ///< those of the posture that act at the joint, where others act through motors
  VectorXd command;            ///< joint torques that the motors are asked for (n)
  VectorXd motors_before;      ///< State::motors at the start of the step
  VectorXd motor_strength;     ///< share of the torques that reaches the joints (n) [-]; empty: all
  const StepResult* result = nullptr;
  bool has_failed = false;  ///< the last step, from the present state
  bool in_step = false;     ///< a step is under way: what it calls must not change what it works on
  StepResult nothing;

  void gatherInput();
  const JointSprings* springsAtJoints() const {
    if (!posture.held) return nullptr;
    return posture.by_motors.empty() ? &posture.springs : &joint_springs;
  }
  void requireNoStep() const;
  void check(const State& other) const;
  void begin();
};

void Simulation::Parts::requireNoStep() const {
  if (in_step)
    throw Error("simulation",
                "a step is under way, and what it calls (a force field, a part) asks for more than it may",
                "what is needed is in the arguments; for poses, Jacobians and the like use an engine of your own: "
                "makeDynamics(), footfall.Dynamics(model) in Python");
}

/// Throws Error where a state is not one of this robot.
void Simulation::Parts::check(const State& other) const {
  requireNoStep();
  const Model& m = robot.model;
  if (other.q.size() != m.nq() || other.nu.size() != m.nv() || !warmStartFits(m, other.warm) ||
      other.motors.size() != state.motors.size())
    throw Error("state", fmt::format("it does not belong to the robot '{}': q has {} entries (expected {}), nu {} ({})",
                                     m.name, other.q.size(), m.nq(), other.nu.size(), m.nv()));
  robot.prescribed.check(other);
  checkTies(m, other.ties, "state");
}

/// With another state.
void Simulation::Parts::begin() {
  workspace.setTies(state.ties);
  has_failed = false;
  motion_check.forget();
}

void Simulation::Parts::gatherInput() {
  const double dt = world->settings.step;
  motion_check.check(state, input, dt);
  command = input.tau + posture.torque;
  if (posture.held && !posture.by_motors.empty()) checkGains(robot.model, posture.springs);  // step() sees the others
  posture.addCommands(state.joints(), robot.model.jointVelocities(state.nu), command);
  if (!posture.by_motors.empty()) posture.springsAtJoints(joint_springs);
  motors_before = state.motors;
  actuators.advance(command, state, applied.tau);
  if (motor_strength.size() > 0) applied.tau.array() *= motor_strength.array();
  applied.position = input.position;
  applied.velocity = input.velocity;
  robot.prescribed.moveTo(state.timeAfter(dt), applied);
  applied.wrenches = input.wrenches;
  applied.generalized = input.generalized;
  for (const Push& push : robot.pushes)
    if (push.acts(state.time, dt)) applied.wrenches.push_back(push.wrench);
}

namespace {

/// True for as long as it lives.
class InStep {
 public:
  explicit InStep(bool& flag) : flag_(flag) { flag_ = true; }
  ~InStep() { flag_ = false; }
  InStep(const InStep&) = delete;
  InStep& operator=(const InStep&) = delete;

 private:
  bool& flag_;
};

/// What a robot does without its controller is not what the scene says.
std::shared_ptr<const World> refuseDiagram(std::shared_ptr<const World> world) {
  if (world->scene.diagram.given())
    throw Error(
        world->scene.diagram.where, "the scene has a diagram, and a Simulation would run without it",
        "run it as a diagram: footfall run SCENE, Diagram.load(SCENE) in Python, footfall.Diagram(SCENE) in MATLAB and "
        "Octave, loadDiagramSource() in C++; or take the section `diagram` out of the scene");
  return world;
}

}  // namespace

Simulation::Simulation(const Scene& scene) : Simulation(buildWorld(scene)) {}
Simulation::Simulation(std::shared_ptr<const World> world)
    : parts_(std::make_unique<Parts>(refuseDiagram(std::move(world)))) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

const World& Simulation::world() const { return *parts_->world; }
const Model& Simulation::model() const { return parts_->robot.model; }
const Settings& Simulation::settings() const { return world().settings; }
const Scene& Simulation::scene() const { return world().scene; }
const std::vector<std::string>& Simulation::warnings() const { return world().warnings; }
const Terrain& Simulation::terrain() const { return *world().terrain; }
const std::vector<DofIndex>& Simulation::heldByMotors() const { return parts_->posture.by_motors; }
const VectorXd& Simulation::holdingTorque() const { return parts_->posture.torque; }
const State& Simulation::state() const { return parts_->state; }
Input& Simulation::input() { return parts_->input; }
VectorXd& Simulation::motorStrength() { return parts_->motor_strength; }
const Input& Simulation::applied() const { return parts_->applied; }
JointSprings* Simulation::springs() { return parts_->posture.held ? &parts_->posture.springs : nullptr; }
const std::vector<MotorReport>& Simulation::motors() const { return parts_->actuators.reports(); }
const StepResult& Simulation::result() const { return parts_->result ? *parts_->result : parts_->nothing; }

void Simulation::setState(const State& state) {
  parts_->check(state);
  parts_->state = state;
  parts_->begin();
}

void Simulation::swapState(State& state) {
  parts_->check(state);
  std::swap(parts_->state, state);
  parts_->begin();
}

void Simulation::setMasses(std::span<const LinkMass> masses, const MassTraits& traits) {
  parts_->requireNoStep();
  parts_->workspace.setMasses(masses, traits);
}

const StepResult& Simulation::step() {
  Parts& p = *parts_;
  p.requireNoStep();
  const InStep in_step(p.in_step);
  p.gatherInput();
  p.result = &footfall::step(p.state, p.applied, p.springsAtJoints(), p.workspace);
  const bool failed_before = std::exchange(p.has_failed, p.result->status == SolveStatus::failed);
  if (!p.has_failed) {
    copyState(p.result->next, p.state);
    followTies(p.robot.ties, p.world->settings.step, p.state, p.workspace);
    return *p.result;
  }
  p.state.motors = p.motors_before;
  if (failed_before) throw Error("", describeFailure(), kFailedAgain);
  return *p.result;
}

StepStart Simulation::nextStep() {
  Parts& p = *parts_;
  p.requireNoStep();
  p.gatherInput();
  return {p.state, p.applied, p.springsAtJoints()};
}

TieImpact Simulation::tie(const TieRequest& request) {
  Parts& p = *parts_;
  p.requireNoStep();
  TieImpact impact = footfall::tie(request, p.state, p.workspace);
  p.has_failed = false;
  return impact;
}

void Simulation::release(std::string_view name) {
  Parts& p = *parts_;
  p.requireNoStep();
  footfall::release(name, p.state);
  p.workspace.setTies(p.state.ties);
  p.has_failed = false;
}

void Simulation::setProfile(StepProfile* profile) { parts_->workspace.setProfile(profile); }

void Simulation::setContactModel(std::unique_ptr<ContactModel> model) {
  parts_->requireNoStep();
  parts_->workspace.setContactModel(std::move(model));
}

void Simulation::setIntegrator(std::unique_ptr<Integrator> integrator) {
  parts_->requireNoStep();
  parts_->workspace.setIntegrator(std::move(integrator));
}

void Simulation::setForceField(ForceField field) {
  parts_->requireNoStep();
  parts_->workspace.setForceField(std::move(field));
}

Dynamics& Simulation::dynamics() {
  parts_->requireNoStep();
  parts_->workspace.dynamics().update(parts_->state.q, parts_->state.nu);
  return parts_->workspace.dynamics();
}

std::string Simulation::describeFailure() const {
  const Parts& p = *parts_;
  return footfall::describeFailure(result(), p.state, p.applied, p.springsAtJoints(), model(), settings());
}

}  // namespace footfall
