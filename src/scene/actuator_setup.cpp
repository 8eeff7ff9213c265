#include "scene/actuator_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "footfall/actuator/transmission.hpp"
#include "footfall/base/error.hpp"
#include "scene/at_place.hpp"

namespace footfall {
namespace {

/// Of motor k, from a list with no entry, one for all, or one for each.
void choose(const std::vector<double>& numbers, std::size_t k, double& value) {
  if (!numbers.empty()) value = numbers.size() == 1 ? numbers.front() : numbers[k];
}

Motor motorOf(const SceneActuator& actuator, std::size_t k) {
  Motor motor;
  motor.name = actuator.joints[k];
  choose(actuator.gear_ratio, k, motor.gear_ratio);
  choose(actuator.rotor_inertia, k, motor.rotor_inertia);
  choose(actuator.natural_frequency, k, motor.natural_frequency);
  choose(actuator.damping_ratio, k, motor.damping_ratio);
  choose(actuator.max_torque, k, motor.max_torque);
  choose(actuator.max_speed, k, motor.max_speed);
  choose(actuator.viscous, k, motor.viscous);
  choose(actuator.coulomb, k, motor.coulomb);
  return motor;
}

DofIndex jointOf(const SceneActuator& actuator, std::size_t k, const Model& model) {
  const DofIndex dof = atPlace(actuator.where, [&] { return model.dof(actuator.joints[k]); });
  if (model.dofs[dof].kind == JointKind::ball)
    throw Error(actuator.where,
                fmt::format("joint '{}' is a part of a ball joint, which no motor turns", model.dofs[dof].name),
                "torques of ball joints are given directly: leave it out");
  return dof;
}

void addTogether(const SceneActuator& actuator, Model& model) {
  const auto count = actuator.joints.size();
  Transmission transmission;
  transmission.T.resize(static_cast<Eigen::Index>(count), static_cast<Eigen::Index>(count));
  for (std::size_t i = 0; i < count; ++i) {
    transmission.dofs.push_back(jointOf(actuator, i, model));
    transmission.motors.push_back(motorOf(actuator, i));
    for (std::size_t j = 0; j < count; ++j)
      transmission.T(static_cast<int>(i), static_cast<int>(j)) = actuator.transmission[i][j];
  }
  addTransmission(transmission, actuator.where, model);
}

void addEach(const SceneActuator& actuator, Model& model) {
  for (std::size_t k = 0; k < actuator.joints.size(); ++k)
    addTransmission({{jointOf(actuator, k, model)}, {motorOf(actuator, k)}, MatrixXd::Identity(1, 1)}, actuator.where,
                    model);
}

bool deliversEverything(const Transmission& transmission) {
  return std::all_of(transmission.motors.begin(), transmission.motors.end(), [](const Motor& m) { return m.ideal(); });
}

/// The inertia that one coordinate feels when all others are free to give way: 1/(M⁻¹)_ii.
double smallestInertia(DofIndex dof, const Model& model, const RobotDynamics& dynamics) {
  VectorXd x = VectorXd::Unit(model.nv(), model.baseDofs() + dof);
  dynamics.solveMass(x);
  return 1.0 / x[model.baseDofs() + dof];
}

/// The fastest posture control, as the natural frequency of a critically damped joint [rad/s]: eight times slower than
/// the motor and ten times slower than the step, which leaves it about 45° of phase.
double fastestControl(const Transmission& transmission, double dt) {
  constexpr double kMotor = 8.0, kStep = 10.0;
  double slowest = std::numeric_limits<double>::infinity();
  for (const Motor& motor : transmission.motors) slowest = std::min(slowest, motor.natural_frequency);
  return std::min(slowest / kMotor, 1.0 / (kStep * dt));
}

}  // namespace

void addActuators(const std::vector<SceneActuator>& actuators, Model& model) {
  for (const SceneActuator& actuator : actuators) {
    if (actuator.transmission.empty()) {
      addEach(actuator, model);
    } else {
      addTogether(actuator, model);
    }
  }
}

std::vector<DofIndex> jointsWithRealMotors(const Model& model) {
  std::vector<DofIndex> dofs;
  for (const Transmission& transmission : model.transmissions)
    if (!deliversEverything(transmission)) dofs.insert(dofs.end(), transmission.dofs.begin(), transmission.dofs.end());
  return dofs;
}

void lowerGainsToMotors(const SceneHold& hold, const Model& model, double dt, const RobotDynamics& dynamics,
                        JointSprings& springs) {
  for (const Transmission& transmission : model.transmissions) {
    if (deliversEverything(transmission)) continue;
    const double frequency = fastestControl(transmission, dt);
    for (const DofIndex dof : transmission.dofs) {
      const double inertia = smallestInertia(dof, model, dynamics);
      const std::string& name = model.dofs[dof].name;
      if (hold.stiffness < 0.0 && hold.joint_stiffness.count(name) == 0)
        springs.stiffness[dof] = std::min(springs.stiffness[dof], inertia * frequency * frequency);
      if (hold.damping < 0.0 && hold.joint_damping.count(name) == 0)
        springs.damping[dof] = std::min(springs.damping[dof], 2.0 * inertia * frequency);
    }
  }
}

}  // namespace footfall
