#include "footfall/run/linearize.hpp"

#include <Eigen/Geometry>

#include "footfall/base/error.hpp"
#include "footfall/contact/gap_velocity.hpp"
#include "footfall/model/ball_joint.hpp"

namespace footfall {
namespace {

constexpr double kChange = 6e-6;  // cube root of the rounding: [m/s], [rad/s], [N m], [N m/s]
/// Of a place. What touches is held as long as it is nearer than kTouchingGap: a robot that turns by this lifts what is
/// three metres away by no more. [m] or [rad]
constexpr double kChangeOfPlace = 0.3 * kTouchingGap;

/// Where State::motors has the torque of each motor that takes time, with its rate behind it: the others remember
/// nothing.
std::vector<Eigen::Index> slowMotors(const Model& model, std::vector<std::string>* names = nullptr) {
  std::vector<Eigen::Index> places;
  Eigen::Index place = 0;
  for (const Transmission& transmission : model.transmissions)
    for (const Motor& motor : transmission.motors) {
      if (!motor.followsAtOnce()) {
        places.push_back(place);
        if (names)
          names->insert(names->end(), {"motor." + motor.name + ".torque", "motor." + motor.name + ".torque_rate"});
      }
      place += 2;
    }
  return places;
}

std::vector<std::string> jointsOf(const Model& model) {
  std::vector<std::string> names;
  for (const Dof& dof : model.dofs) names.push_back(dof.name);
  return names;
}

std::vector<std::string> statesOf(const Model& model) {
  std::vector<std::string> names;
  if (model.baseDofs() > 0) names = {"base.x", "base.y", "base.z", "base.rx", "base.ry", "base.rz"};
  for (const std::string& name : jointsOf(model)) names.push_back(name);
  const std::size_t positions = names.size();
  for (std::size_t i = 0; i < positions; ++i) names.push_back(names[i] + ".velocity");
  slowMotors(model, &names);
  return names;
}

/// What leads from one state to another: a motion in the space of ν, then the differences of ν and of motors.
VectorXd difference(const Model& model, const State& from, const State& to) {
  const Eigen::Index nv = from.nu.size(), joints = from.joints().size(), base = nv - joints;
  const std::vector<Eigen::Index> motors = slowMotors(model);
  VectorXd x(2 * nv + 2 * static_cast<Eigen::Index>(motors.size()));
  if (base > 0) {
    const Pose a = from.basePose(), b = to.basePose();
    const Eigen::AngleAxisd turn(b.R * a.R.transpose());
    x.segment<3>(0) = b.p - a.p;
    x.segment<3>(3) = turn.angle() * turn.axis();
  }
  jointWay(model, from.joints(), to.joints(), x.segment(base, joints));
  x.segment(nv, nv) = to.nu - from.nu;
  Eigen::Index row = 2 * nv;
  for (const Eigen::Index motor : motors) {
    x.segment<2>(row) = to.motors.segment<2>(motor) - from.motors.segment<2>(motor);
    row += 2;
  }
  return x;
}

/// A state whose i-th difference from another one is `change`.
State changed(const Model& model, const State& state, Eigen::Index i, double change) {
  const Eigen::Index nv = state.nu.size(), beyond = i - 2 * nv;
  State other = state;
  if (i < nv)
    integrateConfiguration(model, VectorXd::Unit(nv, i), change, other.q);
  else if (beyond < 0)
    other.nu[i - nv] += change;
  else
    other.motors[slowMotors(model)[beyond / 2] + beyond % 2] += change;
  return other;
}

/// A place or a velocity that follows its motion, wherever it is put.
bool isPrescribed(const Model& model, Eigen::Index i) {
  const Eigen::Index dof = i % model.nv() - model.baseDofs();
  return i < 2 * model.nv() && dof >= 0 && dof < model.jointDofs() &&
         model.dofs[DofIndex(static_cast<int>(dof))].prescribed;
}

/// Puts state and torques back, also when a step fails.
class Kept {
 public:
  explicit Kept(Simulation& simulation)
      : simulation_(simulation), state_(simulation.state()), torque_(simulation.input().tau) {}
  ~Kept() {
    simulation_.setState(state_);
    simulation_.input().tau = torque_;
  }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;

  const State& state() const { return state_; }

 private:
  Simulation& simulation_;
  const State state_;
  const VectorXd torque_;
};

State after(Simulation& simulation, const State& from) {
  simulation.setState(from);
  if (simulation.step().status == SolveStatus::failed)
    throw Error("linearize", "a step around the state failed: " + simulation.describeFailure());
  return simulation.state();
}

}  // namespace

LinearStep linearizeStep(Simulation& simulation) {
  if (simulation.model().further_bodies > 0)
    throw Error("linearize", "the scene has bodies beside the robot", "linearise a scene with the robot alone");
  simulation.setState(State(simulation.state()));  // what cannot be put back later is refused now
  const Kept kept(simulation);
  const State& state = kept.state();
  const Model& model = simulation.model();
  const Eigen::Index places = state.nu.size(), joints = state.joints().size();
  LinearStep linear{{}, {}, statesOf(model), jointsOf(model), simulation.settings().step};
  const Eigen::Index states = static_cast<Eigen::Index>(linear.states.size());
  linear.A.resize(states, states);
  linear.B.resize(states, joints);
  const auto column = [&](const State& above, const State& below, double change) {
    return VectorXd(difference(model, below, above) / (2.0 * change));
  };
  for (Eigen::Index i = 0; i < states; ++i) {
    linear.A.col(i).setZero();
    if (isPrescribed(model, i)) continue;
    const double change = i < places ? kChangeOfPlace : kChange;
    const State above = after(simulation, changed(model, state, i, change));
    linear.A.col(i) = column(above, after(simulation, changed(model, state, i, -change)), change);
  }
  VectorXd& torque = simulation.input().tau;
  for (Eigen::Index i = 0; i < joints; ++i) {
    const double before = torque[i];
    torque[i] = before + kChange;
    const State above = after(simulation, state);
    torque[i] = before - kChange;
    linear.B.col(i) = column(above, after(simulation, state), kChange);
    torque[i] = before;
  }
  return linear;
}

}  // namespace footfall
