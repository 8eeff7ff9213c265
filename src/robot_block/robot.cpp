#include "robot_block/robot.hpp"

#include <fmt/format.h>

#include "footfall/base/error.hpp"
#include "footfall/robot_block/internal/robot_signals.hpp"
#include "footfall/robot_block/kin_dyn.hpp"
#include "footfall/robot_block/robot_ports.hpp"
#include "footfall/step/describe_failure.hpp"
#include "robot_block/part_names.hpp"
#include "robot_block/robot_input.hpp"
#include "robot_block/robot_memory.hpp"

namespace footfall {
namespace {

constexpr int kGroupOfState = 0;

/// The places of the scene's pushes, or those that a parameter names.
std::vector<ExternalWrench> wrenchPlaces(const Parameters& parameters, const RobotSetup& setup) {
  if (!parameters.has("wrench_frames")) return setup.pushPlaces();
  const Model& model = setup.model();
  std::vector<ExternalWrench> places;
  for (const std::string& name : parameters.texts("wrench_frames")) {
    const FrameIndex index = model.frame(name);
    places.push_back({model.frames[index].link, model.frames[index].X_LF.p, Vector6d::Zero(), index});
  }
  return places;
}

Settings chooseSettings(const Parameters& parameters, Settings settings) {
  settings.engine = engineNamed(parameters, settings.engine);
  settings.solver = partNamed(parameters, "solver", {"native"}, settings.solver);
  settings.integrator =
      partNamed(parameters, "integrator", {"second_order", "semi_implicit_euler", "explicit_euler", "rk4", "midpoint"},
                settings.integrator);
  const std::string contact = partNamed(parameters, "contact", {"rigid", "gauss", "compliant"}, settings.contact.model);
  if (contact != settings.contact.model)
    settings.contact.law = contact == "gauss" ? FrictionLaw::pyramid : FrictionLaw::cone;
  settings.contact.model = contact;
  validate(settings);
  return settings;
}

/// Adds the inertia of motors, given for each joint or as a full matrix.
void addMotorInertia(std::span<const double> inertia, Model& model) {
  const int n = model.jointDofs();
  const bool full = static_cast<int>(inertia.size()) == n * n && n > 1;
  for (int a = 0; a < n; ++a) {
    model.dofs[a].reflected_inertia += inertia[static_cast<std::size_t>(full ? a * n + a : a)];
    for (int b = a + 1; full && b < n; ++b) {
      const double coupling = inertia[static_cast<std::size_t>(b) * n + a];
      if (coupling != 0.0) model.couplings.push_back({DofIndex(a), DofIndex(b), coupling});
    }
  }
}

}  // namespace

struct Robot::Scratch : BlockScratch {
  Scratch(const RobotSetup& s, const Settings& chosen, std::size_t wrenches) : setup(s), settings(chosen) {
    step.input = setup.makeInput(wrenches);
    step.start = setup.start();
    use(setup.model());
  }

  /// The parts that are bound to a model.
  void use(const Model& model) {
    kin_dyn.reset();
    workspace = std::make_unique<Workspace>(model, setup.terrain(), settings);
    workspace->setProfile(profile);
    model_in_use = &model;
  }

  /// The inertia of the motors came by the input: it makes another model, as long as it does not change again.
  void useInertia(std::span<const double> inertia) {
    if (std::equal(inertia.begin(), inertia.end(), motor_inertia.begin(), motor_inertia.end())) return;
    auto heavier = std::make_unique<Model>(setup.model());
    addMotorInertia(inertia, *heavier);
    use(*heavier);
    heavier_model = std::move(heavier);
    motor_inertia.assign(inertia.begin(), inertia.end());
  }

  KinDyn& kinDyn() {
    if (!kin_dyn) kin_dyn = std::make_unique<KinDyn>(*model_in_use, settings, setup.contactFrames());
    return *kin_dyn;
  }

  const RobotSetup& setup;
  const Settings& settings;
  std::vector<double> motor_inertia;
  std::unique_ptr<const Model> heavier_model;
  const Model* model_in_use = nullptr;
  std::unique_ptr<Workspace> workspace;
  std::unique_ptr<KinDyn> kin_dyn;
  JointSprings springs;
  RobotStep step;
  std::vector<ExternalWrench> pulls;  ///< from outside of the diagram
  StepProfile* profile = nullptr;     ///< may be null
};

BlockDescription Robot::description() {
  return {
      "Robot",
      "robot",
      "the robot of the scene with its contacts: one step of the simulation",
      {{"engine", "physics engine", "as the scene", "", false, "plug-in"},
       {"contact", "contact model: rigid, gauss, compliant", "as the scene", "", false, "plug-in"},
       {"solver", "contact solver", "as the scene", "", false, "plug-in"},
       {"integrator", "how the state moves on", "as the scene", "", false, "plug-in"},
       {"wrench_frames", "frames at which `wrenches` act", "those of the scene's pushes", "", false}},
      {{"torque", "joint torques or forces, vector of n [N m]; none: zero"},
       {"generalized_wrench", "external, in the order of ν: wrench at the base, then joints; vector of 6 + n"},
       {"motor_inertia", "reflected inertia that is added to the joints: vector of n or matrix n × n [kg m²]"},
       {"springs", "bus {stiffness, damping, target}: springs at the joints, integrated implicitly"},
       {"wrenches", "force and moment at each of wrench_frames, world axes; vector of 6 for each [N, N m]"},
       {"ties", "for each loop of the scene with `commanded`: above a half it is made, else released; vector"},
       {"position",
        "where each joint is at the end of the step that is `prescribed` without a law, in the order of the "
        "scene; none: they stay where they start; vector [rad or m]"},
       {"velocity", "how fast they move there; given together with `position`; vector [rad/s or m/s]"}},
      {{"state", "bus {w_H_b 4×4, joints_position, basePose_dot, joints_velocity}; depends on no input"},
       {"q", "position and quaternion (x, y, z, w) of the base, then joints; vector of 7 + n"},
       {"nu", "velocity of the base in world axes, then of the joints; vector of 6 + n"},
       {"kinDyn",
        "bus {w_H_b, s, nu, w_H_feet_sole, J_feet_sole, JDot_feet_sole_nu, M, h, motor_inertia, fc, "
        "nuDot, feet_in_contact}: all where the forces of the step belong, with second_order its middle"},
       {"nu_dot", "mean acceleration of the step, without impacts; vector of 6 + n"},
       {"joint_torque", "of inputs, springs and damping, mean of the step; vector of n [N m]"},
       {"stop_torque", "of joint limits and Coulomb friction, mean of the step; vector of n [N m]"},
       {"loop_wrenches",
        "of each loop on its second link, about the origin of its second frame, in the axes of the first one; vector "
        "of 6 for each [N, N m]"},
       {"contacts", "number of active contact points"},
       {"impact", "a contact closed with an impact; boolean"},
       {"residual", "of the contact solver [m/s]"},
       {"step", "function port for sensors (footfall::RobotStep)"},
       {"wrench_<frame>", "one for each frame in contact: force and moment of the ground, in the frame's axes"}},
      "M ν̇ + h = S τ + τ_ext + Jᵀ f, see docs/theory.md. `state`, `q` and `nu` belong to the start of the step and "
      "do not depend on inputs, so that controllers may read them; all other outputs do.\n"
      "fc in kinDyn is in world axes about the origin of each sole, as J_feet_sole counts. A solve that fails stops "
      "the run."};
}

Robot::Robot(const Parameters& parameters)
    : setup_(findRobotSetup(parameters)),
      settings_(chooseSettings(parameters, setup_->settings())),
      wrench_places_(wrenchPlaces(parameters, *setup_)) {}

void Robot::declare(BlockInterface& io) const {
  const Model& model = setup_->model();
  io.sample_time = SampleTime::discrete(settings_.step);
  io.optionalInput("torque", torqueType(model));
  io.optionalInput("generalized_wrench", velocitiesType(model));
  io.optionalInput("motor_inertia");
  io.optionalInput("springs", springsBusType(model));
  io.optionalInput("wrenches", SignalType::vector(6 * static_cast<int>(wrench_places_.size())));
  io.optionalInput("ties", SignalType::vector(commandedTies(setup_->ties())));
  const auto moved = static_cast<int>(setup_->movedFromOutside().size());
  io.optionalInput("position", SignalType::vector(moved));
  io.optionalInput("velocity", SignalType::vector(moved));
  io.output("state", stateBusType(model), {});
  io.output("q", positionsType(model), {});
  io.output("nu", velocitiesType(model), {});
  io.output("kinDyn", kinDynBusType(model, static_cast<int>(setup_->contactFrames().size())));
  io.output("nu_dot", velocitiesType(model));
  io.output("joint_torque", torqueType(model));
  io.output("stop_torque", torqueType(model));
  io.output("loop_wrenches", SignalType::vector(6 * static_cast<int>(model.loops.size())));
  io.output("contacts", SignalType::scalar("-"));
  io.output("impact", SignalType::boolean());
  io.output("residual", SignalType::scalar("m/s"));
  io.output("step", SignalType::function("footfall::RobotStep"));
  for (const FrameIndex frame : setup_->contactFrames())
    io.output("wrench_" + model.frames[frame].name, SignalType::vector(6));
}

void Robot::inferTypes(TypeInference& types) const {
  if (types.connected(kPosition) != types.connected(kVelocity))
    throw Error("",
                fmt::format("input {} of the robot is connected, and {} is not: a joint that follows a given motion "
                            "needs both",
                            types.connected(kPosition) ? "position" : "velocity",
                            types.connected(kPosition) ? "velocity" : "position"),
                "the block Derivative makes a velocity of a position");
  if (!types.connected(kMotorInertia) || !types.input(kMotorInertia).complete()) return;
  const int n = setup_->model().jointDofs();
  const SignalType& given = types.input(kMotorInertia);
  if (given.kind == SignalType::Kind::function || (given.size() != n && given.size() != n * n))
    throw Error("", fmt::format("input motor_inertia of the robot is a {}, expected a vector of {} or a matrix {} × {}",
                                given.describe(), n, n, n));
}

std::unique_ptr<BlockMemory> Robot::makeMemory() const { return std::make_unique<RobotMemory>(setup_); }
std::unique_ptr<BlockScratch> Robot::makeScratch() const {
  return std::make_unique<Scratch>(*setup_, settings_, wrench_places_.size());
}

void Robot::provideFunctions(Evaluation& e) const { e.provide(kStep, e.scratch<Scratch>().step); }

void Robot::writeState(Evaluation& e) const {
  const State& state = e.memory<RobotMemory>().state;
  e.outVector(kQ) = state.q;
  e.outVector(kNu) = state.nu;
  if (!e.used(kState)) return;
  BusWriter out(e.out(kState));
  out.put(homogeneous(state.basePose()));
  out.put(state.joints());
  if (setup_->model().floating_base) {
    out.put(state.nu.head<6>());
  } else {
    out.put(Vector6d::Zero());
  }
  out.put(setup_->model().jointVelocities(state.nu));
}

void Robot::gatherInput(Evaluation& e, Scratch& scratch) const {
  Input& input = scratch.step.input;
  if (e.connected(kTorque)) input.tau = e.vector(kTorque);
  if (e.connected(kGeneralizedWrench)) input.generalized = e.vector(kGeneralizedWrench);
  if (e.connected(kMotorInertia)) scratch.useInertia(e.in(kMotorInertia));
  if (e.connected(kSprings)) readSprings(e.vector(kSprings), scratch.springs);
  input.wrenches = scratch.pulls;
  if (e.connected(kWrenches)) addWrenches(e.vector(kWrenches), wrench_places_, input.wrenches);
  if (e.connected(kPosition)) {
    int k = 0;
    for (const DofIndex dof : setup_->movedFromOutside()) {
      input.position[dof] = e.vector(kPosition)[k];
      input.velocity[dof] = e.vector(kVelocity)[k];
      ++k;
    }
  }
  setup_->movePrescribedJoints(e.memory<RobotMemory>().state.timeAfter(settings_.step), input);
}

void Robot::writeResult(Evaluation& e, Scratch& scratch) const {
  const StepResult& result = *scratch.step.result;
  if (e.used(kKinDyn)) scratch.kinDyn().write(result, e.out(kKinDyn));
  e.outVector(kNuDot) = result.nu_dot;
  e.outVector(kJointTorque) = result.joint_torque;
  e.outVector(kStopTorque) = result.limit_torque + result.friction_torque;
  for (std::size_t k = 0; k < setup_->model().loops.size(); ++k)
    e.outVector(kLoopWrenches).segment<6>(6 * static_cast<Eigen::Index>(k)) = result.loop_wrenches[k];
  e.set(kContacts, static_cast<double>(result.contacts.size()));
  e.set(kImpact, result.impact ? 1.0 : 0.0);
  e.set(kResidual, result.residual);
  for (std::size_t k = 0; k < result.soles.size(); ++k)
    e.outVector(kFeet + static_cast<int>(k)) = result.soles[k].wrench_F;
}

void Robot::outputs(Evaluation& e) const {
  if (e.group() == kGroupOfState) return writeState(e);
  Scratch& scratch = e.scratch<Scratch>();
  const State& state = e.memory<RobotMemory>().state;
  gatherInput(e, scratch);
  if (e.used(kStep)) scratch.step.start = state;
  const StepResult& result =
      step(state, scratch.step.input, e.connected(kSprings) ? &scratch.springs : nullptr, *scratch.workspace);
  scratch.step.result = &result;
  if (result.status == SolveStatus::failed) {
    e.stop(describeFailure(result, state, scratch.step.input, e.connected(kSprings) ? &scratch.springs : nullptr,
                           setup_->model(), settings_));
  } else {
    writeResult(e, scratch);
  }
}

void Robot::update(Evaluation& e) const {
  State& state = e.memory<RobotMemory>().state;
  Scratch& scratch = e.scratch<Scratch>();
  state = scratch.step.result->next;
  followTies(setup_->ties(), settings_.step, state, *scratch.workspace);
  if (e.connected(kTies)) commandTies(setup_->ties(), e.vector(kTies), state, *scratch.workspace);
}

State& Robot::stateOf(BlockMemory& memory) { return static_cast<RobotMemory&>(memory).state; }

Workspace& Robot::workspaceOf(BlockScratch& scratch) { return *static_cast<Scratch&>(scratch).workspace; }

const RobotStep& Robot::stepOf(const BlockScratch& scratch) { return static_cast<const Scratch&>(scratch).step; }

std::vector<ExternalWrench>& Robot::pullsOf(BlockScratch& scratch) { return static_cast<Scratch&>(scratch).pulls; }

void Robot::setProfile(BlockScratch& scratch, StepProfile* profile) {
  auto& own = static_cast<Scratch&>(scratch);
  own.profile = profile;
  own.workspace->setProfile(profile);
}

State& robotState(const Diagram& diagram, Context& context, const std::string& block) {
  auto* memory = dynamic_cast<RobotMemory*>(context.memory(diagram.block(block)));
  if (memory == nullptr) throw Error("", fmt::format("the block '{}' is not a robot", block));
  return memory->state;
}

}  // namespace footfall
