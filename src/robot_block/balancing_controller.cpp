#include "robot_block/balancing_controller.hpp"

#include <fmt/format.h>

#include <limits>

#include "footfall/base/error.hpp"
#include "footfall/model/ball_joint.hpp"
#include "footfall/robot_block/internal/robot_signals.hpp"
#include "footfall/solver/dense_qp.hpp"
#include "robot_block/balancing_plan.hpp"
#include "robot_block/model_query.hpp"

namespace footfall {
namespace {

constexpr double kNoBound = std::numeric_limits<double>::infinity();
constexpr int kConeRows = 11;             ///< of each foot
constexpr double kRegularisation = 1e-9;  ///< keeps the program strictly convex, far below every weight

/// The rotation vector from R_a to R_b, in world axes [rad].
Vector3d rotationError(const Matrix3d& R_a, const Matrix3d& R_b) {
  const Eigen::AngleAxisd turn(R_b * R_a.transpose());
  return turn.angle() * turn.axis();
}

Matrix3d baseRotation(const VectorXd& q) { return Eigen::Quaterniond(q[6], q[3], q[4], q[5]).toRotationMatrix(); }

}  // namespace

/// What the plan asks for now; reads its bus.
struct BalancingController::Plan {
  Plan(std::span<const double> bus, int feet)
      : com(bus.data()),
        com_velocity(bus.data() + 3),
        com_acceleration(bus.data() + 6),
        lift(bus.data() + 9, 3, feet),
        load(bus.data() + 9 + 3 * static_cast<std::ptrdiff_t>(feet), feet) {}

  Eigen::Map<const Vector3d> com, com_velocity, com_acceleration;
  Eigen::Map<const MatrixXd> lift;  ///< height, speed, acceleration of each foot
  Eigen::Map<const VectorXd> load;
};

/// The quadratic program in x = (ν̇, wrenches of the feet about their origins in world axes), and the model at the
/// present state.
struct BalancingController::Scratch : BlockScratch {
  Scratch(const Model& m, int feet)
      : model(m),
        dynamics(makeDynamics("native", m)),
        nv(m.nv()),
        variables(nv + 6 * feet),
        rows(nv + kConeRows * feet),
        M(nv, nv),
        h(nv),
        J(feet, MatrixXd(6, nv)),
        sum(MatrixXd::Zero(3, 6 * feet)),
        moments(sum),
        all(MatrixXd::Zero(nv, variables)),
        H(variables, variables),
        A(rows, variables),
        g(variables),
        lower(rows),
        upper(rows),
        tau(m.jointDofs()) {
    qp.reserve(variables, rows);
  }

  /// Adds weight |T x − b|²/2 for the columns of x from `first` on.
  template <class Task, class Target>
  void want(double weight, int first, const Task& T, const Target& b) {
    H.block(first, first, T.cols(), T.cols()).noalias() += weight * T.transpose() * T;
    g.segment(first, T.cols()).noalias() -= weight * T.transpose() * b;
  }
  /// The same where T is the identity.
  template <class Target>
  void want(double weight, int first, const Target& b) {
    H.diagonal().segment(first, b.size()).array() += weight;
    g.segment(first, b.size()) -= weight * b;
  }

  const Model& model;
  std::unique_ptr<Dynamics> dynamics;
  DenseQp qp;
  int nv, variables, rows;
  VectorXd q, nu;
  MatrixXd M;
  VectorXd h;
  std::vector<MatrixXd> J;  ///< of each foot
  MatrixXd sum, moments;    ///< rates of the momentum are linear in the wrenches (3 × 6 feet)
  MatrixXd all;             ///< generalized forces S τ = all x + h: (M, −Jᵀ)
  MatrixXd H, A;
  VectorXd g, lower, upper;
  VectorXd tau;  ///< (n), also for targets of tasks
};

BlockDescription BalancingController::description() {
  return {
      "BalancingController",
      "robot control",
      "momentum-based whole-body balancing: a quadratic program for torques and contact wrenches",
      {{"period", "between two evaluations", "0.01", "s"},
       {"friction", "coefficient that it relies on", "0.4", "-"},
       {"turning", "moment about the normal that it relies on, for each newton that is pressed", "0.02", "m"},
       {"foot_share", "part of each foot print in which the centre of pressure may be", "0.9", "-"},
       {"max_torque", "of every joint", "60", "N m"},
       {"com", "stiffness, damping, weight of the task for the centre of mass", "[20, 9, 300]", "1/s², 1/s, -"},
       {"angular", "the same for the angular momentum; the stiffness is not used", "[0, 5, 1]", "1/s², 1/s, -"},
       {"foot", "the same for feet in the air", "[100, 20, 100]", "1/s², 1/s, -"},
       {"contact", "the same for feet on the ground; the stiffness is not used", "[0, 20, 1000]", "1/s², 1/s, -"},
       {"base", "the same for the orientation of the base", "[30, 11, 1]", "1/s², 1/s, -"},
       {"posture", "the same for the joints, which return to the initial posture", "[30, 11, 0.05]", "1/s², 1/s, -"},
       {"torque_weight", "of the torques", "1e-5", "1/(N m)²"},
       {"wrench_weight", "of the contact wrenches", "1e-6", "1/N²"}},
      {{"q", "of the robot; vector of 7 + n"},
       {"nu", "of the robot; vector of 6 + n"},
       {"plan", "bus of BalancingPlan"}},
      {{"torque", "joint torques, or commands to motors; vector of n [N m]"},
       {"wrenches", "that it expects at each foot, about its origin in world axes; vector of 6 for each"},
       {"com_error", "of the centre of mass; vector of 3 [m]"},
       {"iterations", "of the quadratic program"}},
      "Variables: ν̇ and the wrenches f of the feet. Wanted, by weight: accelerations of the centre of mass and of "
      "the angular momentum (both follow from f alone), of feet, base and joints; small torques. Required: the "
      "equations of the base, |τ| ≤ max_torque, and for each foot friction, a centre of pressure inside of its "
      "print, no pulling, and no more than the plan lets it carry. Then τ = M_j ν̇ + h_j − J_jᵀ f."};
}

BalancingController::Gain BalancingController::readGain(const Parameters& parameters, const std::string& name,
                                                        const Gain& fallback) const {
  if (!parameters.has(name)) return fallback;
  const VectorXd given = parameters.vector(name);
  if (given.size() != 3)
    throw parameters.error(name, fmt::format("has {} numbers, expected stiffness, damping and weight", given.size()));
  return {given[0], given[1], given[2]};
}

namespace {

/// A number that must be above zero, or at least not below.
double readAtLeastZero(const Parameters& parameters, const std::string& name, double fallback, bool above,
                       Quantity quantity = Quantity::plain) {
  const double number = parameters.number(name, fallback, quantity);
  if (above ? number > 0.0 : number >= 0.0) return number;
  throw parameters.error(name, fmt::format("is {}, expected {}", number, above ? "more than 0" : "0 or more"));
}

}  // namespace

BalancingController::BalancingController(const Parameters& parameters)
    : setup_(findRobotSetup(parameters)),
      period_(readAtLeastZero(parameters, "period", 0.01, true, Quantity::time)),
      friction_(readAtLeastZero(parameters, "friction", 0.4, false)),
      turning_(readAtLeastZero(parameters, "turning", 0.02, false, Quantity::length)),
      max_torque_(readAtLeastZero(parameters, "max_torque", 60.0, true)),
      com_(readGain(parameters, "com", {20.0, 9.0, 300.0})),
      angular_(readGain(parameters, "angular", {0.0, 5.0, 1.0})),
      foot_(readGain(parameters, "foot", {100.0, 20.0, 100.0})),
      contact_(readGain(parameters, "contact", {0.0, 20.0, 1000.0})),
      base_(readGain(parameters, "base", {30.0, 11.0, 1.0})),
      posture_(readGain(parameters, "posture", {30.0, 11.0, 0.05})),
      torque_weight_(readAtLeastZero(parameters, "torque_weight", 1e-5, false)),
      wrench_weight_(readAtLeastZero(parameters, "wrench_weight", 1e-6, false)),
      feet_(setup_->contactFrames()) {
  const Model& model = setup_->model();
  requireRobotAlone(parameters, model);
  if (!model.floating_base || feet_.empty())
    throw parameters.error("friction", "is of no use: the robot has a fixed base or no contacts",
                           "use ComputedTorque for manipulators");
  const double share = readAtLeastZero(parameters, "foot_share", 0.9, true);
  if (share > 1.0) throw parameters.error("foot_share", fmt::format("is {}, expected 1 or less", share));
  const auto dynamics = makeDynamics("native", model);
  dynamics->update(setup_->start().q, setup_->start().nu);
  for (const FrameIndex foot : feet_) {
    prints_.push_back(FootPrint::of(model, foot).shrunk(share));
    feet_at_start_.push_back(dynamics->framePose(foot));
  }
  R_WB_start_ = baseRotation(setup_->start().q);
}

void BalancingController::declare(BlockInterface& io) const {
  const Model& model = setup_->model();
  const int feet = static_cast<int>(feet_.size());
  io.sample_time = SampleTime::discrete(period_);
  io.input("q", positionsType(model));
  io.input("nu", velocitiesType(model));
  io.input("plan", planBusType(feet));
  io.output("torque", torqueType(model));
  io.output("wrenches", SignalType::vector(6 * feet));
  io.output("com_error", SignalType::vector(3, "m"));
  io.output("iterations", SignalType::scalar("-"));
}

std::unique_ptr<BlockScratch> BalancingController::makeScratch() const {
  return std::make_unique<Scratch>(setup_->model(), static_cast<int>(feet_.size()));
}

void BalancingController::updateModel(Evaluation& e, Scratch& s) const {
  s.q = e.vector(kQ);
  s.nu = e.vector(kNu);
  s.dynamics->update(s.q, s.nu);
  s.dynamics->massMatrix(s.M);
  s.dynamics->biasForces(s.h);
  // Motors must overcome the viscous friction of their joints, too.
  for (int i = 0; i < s.model.jointDofs(); ++i) s.h[6 + i] += s.model.dofs[i].damping * s.nu[6 + i];
  s.all.leftCols(s.nv) = s.M;
  for (std::size_t k = 0; k < feet_.size(); ++k) {
    s.dynamics->frameJacobian(feet_[k], s.J[k]);
    s.all.middleCols<6>(s.nv + 6 * static_cast<Eigen::Index>(k)) = -s.J[k].transpose();
  }
}

/// A foot in the air follows its plan, one that carries load stays where it is.
void BalancingController::addFootTask(int foot, const Plan& plan, Scratch& s) const {
  const Vector6d velocity = s.J[foot] * s.nu;
  Vector6d wanted = -s.dynamics->frameBiasAcceleration(feet_[foot]);
  if (plan.load[foot] > 0.0) {
    wanted -= contact_.damping * velocity;
    s.want(contact_.weight, 0, s.J[foot], wanted);
    return;
  }
  const Pose X_WF = s.dynamics->framePose(feet_[foot]);
  const auto lift = plan.lift.col(foot);
  Vector6d error, feedforward = Vector6d::Zero();
  error << feet_at_start_[foot].p + lift[0] * Vector3d::UnitZ() - X_WF.p, rotationError(X_WF.R, feet_at_start_[foot].R);
  Vector6d rate_error = -velocity;
  rate_error[2] += lift[1];
  feedforward[2] = lift[2];
  wanted += feedforward + foot_.stiffness * error + foot_.damping * rate_error;
  s.want(foot_.weight, 0, s.J[foot], wanted);
}

void BalancingController::addTasks(const Plan& plan, Scratch& s) const {
  const int n = s.model.jointDofs(), feet = static_cast<int>(feet_.size());
  const double mass = s.model.totalMass();
  const Vector6d momentum = s.dynamics->momentum();
  const Vector3d com = s.dynamics->centerOfMass();
  s.H.setZero();
  s.g.setZero();

  // Rates of the linear and of the angular momentum are sums of the contact wrenches.
  const Vector3d acceleration = plan.com_acceleration + com_.stiffness * (plan.com - com) +
                                com_.damping * (plan.com_velocity - momentum.head<3>() / mass);
  for (int k = 0; k < feet; ++k) {
    s.sum.block<3, 3>(0, 6 * k) = Matrix3d::Identity() / mass;
    s.moments.block<3, 3>(0, 6 * k) = skew(s.dynamics->framePose(feet_[k]).p - com) / mass;
    s.moments.block<3, 3>(0, 6 * k + 3) = Matrix3d::Identity() / mass;
  }
  s.want(com_.weight, s.nv, s.sum, Vector3d(acceleration - s.model.gravity));
  s.want(angular_.weight, s.nv, s.moments, Vector3d(-angular_.damping / mass * momentum.tail<3>()));

  for (int k = 0; k < feet; ++k) addFootTask(k, plan, s);
  s.want(
      base_.weight, 3,
      Vector3d(base_.stiffness * rotationError(baseRotation(s.q), R_WB_start_) - base_.damping * s.nu.segment<3>(3)));
  jointWay(s.model, s.q.tail(n), setup_->start().joints(), s.tau);
  s.tau = posture_.stiffness * s.tau - posture_.damping * s.nu.tail(n);
  s.want(posture_.weight, 6, s.tau);
  s.tau = -s.h.tail(n);
  s.want(torque_weight_, 0, s.all.bottomRows(n), s.tau);
  s.H.diagonal().tail(6 * feet).array() += wrench_weight_;
  s.H.diagonal().array() += kRegularisation;
}

/// The equations of the base, and the limits of the torques.
void BalancingController::setDynamicsRows(Scratch& s) const {
  s.A.topRows(s.nv) = s.all;
  s.lower.head(s.nv) = s.upper.head(s.nv) = -s.h;
  s.lower.segment(6, s.nv - 6).array() -= max_torque_;
  s.upper.segment(6, s.nv - 6).array() += max_torque_;
}

/// In the axes of the foot: no pulling, friction, centre of pressure inside of the print, no slipping turn.
void BalancingController::setWrenchCone(int foot, double load, Scratch& s) const {
  const Matrix3d R_WF = s.dynamics->framePose(feet_[foot]).R;
  const Eigen::RowVector3d x = R_WF.col(0), y = R_WF.col(1), z = R_WF.col(2);
  const FootPrint& print = prints_[foot];
  const int column = s.nv + 6 * foot, first = s.nv + kConeRows * foot;
  auto rows = s.A.middleRows<kConeRows>(first);
  rows.setZero();
  int row = 0;
  const auto add = [&](const Eigen::RowVector3d& force, const Eigen::RowVector3d& moment, double low, double high) {
    rows.block<1, 3>(row, column) = force;
    rows.block<1, 3>(row, column + 3) = moment;
    s.lower[first + row] = low;
    s.upper[first + row] = high;
    ++row;
  };
  const Eigen::RowVector3d none = Eigen::RowVector3d::Zero();
  const double weight = s.model.totalMass() * s.model.gravity.norm();
  const double most = load < 1.0 ? load * weight : kNoBound;
  add(z, none, 0.0, most);
  add(x - friction_ * z, none, -kNoBound, 0.0);
  add(-x - friction_ * z, none, -kNoBound, 0.0);
  add(y - friction_ * z, none, -kNoBound, 0.0);
  add(-y - friction_ * z, none, -kNoBound, 0.0);
  add(-print.x_max * z, -y, -kNoBound, 0.0);
  add(print.x_min * z, y, -kNoBound, 0.0);
  add(-print.y_max * z, x, -kNoBound, 0.0);
  add(print.y_min * z, -x, -kNoBound, 0.0);
  add(-turning_ * z, z, -kNoBound, 0.0);
  add(-turning_ * z, -z, -kNoBound, 0.0);
}

void BalancingController::outputs(Evaluation& e) const {
  Scratch& s = e.scratch<Scratch>();
  const int feet = static_cast<int>(feet_.size()), n = s.model.jointDofs();
  const Plan plan(e.in(kPlan), feet);
  updateModel(e, s);
  addTasks(plan, s);
  setDynamicsRows(s);
  for (int k = 0; k < feet; ++k) setWrenchCone(k, plan.load[k], s);
  const DenseQpSolution& solution = s.qp.solve(s.H, s.g, s.A, s.lower, s.upper);
  if (solution.status != QpStatus::solved)
    return e.stop(fmt::format("t = {:g} s: the quadratic program of the balancing controller is {}", e.time(),
                              name(solution.status)));
  s.tau.noalias() = s.all.bottomRows(n) * solution.x;
  e.outVector(kTorque) = s.tau + s.h.tail(n);
  e.outVector(kWrenches) = solution.x.tail(6 * feet);
  e.outVector(kComError) = s.dynamics->centerOfMass() - plan.com;
  e.set(kIterations, solution.iterations);
}

}  // namespace footfall
