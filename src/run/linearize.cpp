#include "footfall/run/linearize.hpp"

#include <Eigen/Geometry>

#include "footfall/base/error.hpp"
#include "footfall/model/ball_joint.hpp"

namespace footfall {
namespace {

constexpr double kChange = 6e-6;  // cube root of the rounding: [m], [rad], [m/s], [rad/s], [N m]

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
  return names;
}

/// What leads from one state to another: a motion in the space of ν, then the difference of ν.
VectorXd difference(const Model& model, const State& from, const State& to) {
  const Eigen::Index nv = from.nu.size(), joints = from.joints().size(), base = nv - joints;
  VectorXd x(2 * nv);
  if (base > 0) {
    const Pose a = from.basePose(), b = to.basePose();
    const Eigen::AngleAxisd turn(b.R * a.R.transpose());
    x.segment<3>(0) = b.p - a.p;
    x.segment<3>(3) = turn.angle() * turn.axis();
  }
  jointWay(model, from.joints(), to.joints(), x.segment(base, joints));
  x.tail(nv) = to.nu - from.nu;
  return x;
}

/// A state whose i-th difference from another one is `change`.
State changed(const Model& model, const State& state, Eigen::Index i, double change) {
  const Eigen::Index nv = state.nu.size();
  State other = state;
  if (i < nv)
    integrateConfiguration(model, VectorXd::Unit(nv, i), change, other.q);
  else
    other.nu[i - nv] += change;
  return other;
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
  const Eigen::Index states = 2 * state.nu.size(), joints = state.joints().size();
  LinearStep linear{MatrixXd(states, states), MatrixXd(states, joints), statesOf(model), jointsOf(model),
                    simulation.settings().step};
  const auto column = [&](const State& above, const State& below) {
    return VectorXd(difference(model, below, above) / (2.0 * kChange));
  };
  for (Eigen::Index i = 0; i < states; ++i) {
    const State above = after(simulation, changed(model, state, i, kChange));
    linear.A.col(i) = column(above, after(simulation, changed(model, state, i, -kChange)));
  }
  VectorXd& torque = simulation.input().tau;
  for (Eigen::Index i = 0; i < joints; ++i) {
    const double before = torque[i];
    torque[i] = before + kChange;
    const State above = after(simulation, state);
    torque[i] = before - kChange;
    linear.B.col(i) = column(above, after(simulation, state));
    torque[i] = before;
  }
  return linear;
}

}  // namespace footfall
