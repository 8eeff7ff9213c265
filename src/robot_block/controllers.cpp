#include "robot_block/controllers.hpp"

#include "footfall/base/error.hpp"
#include "footfall/model/ball_joint.hpp"
#include "footfall/spatial/internal/least_squares.hpp"
#include "robot_block/joint_vector.hpp"
#include "robot_block/model_query.hpp"

namespace footfall {
namespace {

/// kp and kd of each joint.
struct JointGains {
  JointGains(const Parameters& parameters, const Model& model)
      : stiffness(jointVector(parameters, "kp", model, 0.0)), damping(jointVector(parameters, "kd", model, 0.0)) {}

  VectorXd stiffness, damping;
};

class JointPD : public Block {
 public:
  static BlockDescription description() {
    return {"JointPD",
            "robot control",
            "τ = τ_ff + kp (s* − s) + kd (ṡ* − ṡ)",
            {{"kp", "one number for all joints, or one for each", "0", "N m/rad"},
             {"kd", "one number for all joints, or one for each", "0", "N m s/rad"}},
            {{"q", "of the robot; vector of 7 + n"},
             {"nu", "of the robot; vector of 6 + n"},
             {"position", "wanted; vector of n; none: the initial posture"},
             {"velocity", "wanted; vector of n; none: zero"},
             {"feedforward", "added torque; vector of n [N m]; none: zero"}},
            {{"torque", "vector of n [N m]"}},
            ""};
  }
  explicit JointPD(const Parameters& parameters)
      : setup_(findRobotSetup(parameters)), gains_(parameters, setup_->model()) {}
  void declare(BlockInterface& io) const override {
    const Model& model = setup_->model();
    io.input("q", positionsType(model));
    io.input("nu", velocitiesType(model));
    io.optionalInput("position", SignalType::vector(model.jointDofs()));
    io.optionalInput("velocity", SignalType::vector(model.jointDofs()));
    io.optionalInput("feedforward", torqueType(model));
    io.output("torque", torqueType(model));
  }
  void outputs(Evaluation& e) const override {
    const auto s = setup_->model().jointPositions(e.vector(0));
    auto torque = e.outVector(0);
    torque = -gains_.damping.cwiseProduct(setup_->model().jointVelocities(e.vector(1)));
    if (e.connected(2)) {
      torque += gains_.stiffness.cwiseProduct(e.vector(2) - s);
      turnBallSprings(setup_->model(), gains_.stiffness, s, e.vector(2), torque);
    } else {
      torque += gains_.stiffness.cwiseProduct(setup_->start().joints() - s);
      turnBallSprings(setup_->model(), gains_.stiffness, s, setup_->start().joints(), torque);
    }
    if (e.connected(3)) torque += gains_.damping.cwiseProduct(e.vector(3));
    if (e.connected(4)) torque += e.vector(4);
  }

 private:
  std::shared_ptr<const RobotSetup> setup_;
  JointGains gains_;
};

class ComputedTorque : public ModelQuery {
 public:
  static BlockDescription description() {
    return {"ComputedTorque",
            "robot control",
            "τ = M (s̈* + kp (s* − s) + kd (ṡ* − ṡ)) + h: every joint follows as a second-order system of its own",
            {{"kp", "one number for all joints, or one for each", "0", "1/s²"},
             {"kd", "one number for all joints, or one for each", "0", "1/s"},
             engineParameter()},
            {qPort(),
             nuPort(),
             {"position", "wanted; vector of n"},
             {"velocity", "wanted; vector of n; none: zero"},
             {"acceleration", "wanted; vector of n; none: zero"}},
            {{"torque", "vector of n [N m]"}},
            "For robots with a fixed base; h includes the viscous friction of the joints. Those with a floating base "
            "cannot follow every acceleration: see "
            "BalancingController."};
  }
  explicit ComputedTorque(const Parameters& parameters) : ModelQuery(parameters), gains_(parameters, model()) {
    requireRobotAlone(parameters, model());
    if (model().floating_base)
      throw Error(parameters.where, "block " + parameters.block + ": ComputedTorque needs a robot with a fixed base",
                  "use BalancingController");
  }
  void declare(BlockInterface& io) const override {
    declareState(io);
    io.input("position", SignalType::vector(model().jointDofs()));
    io.optionalInput("velocity", SignalType::vector(model().jointDofs()));
    io.optionalInput("acceleration", SignalType::vector(model().jointDofs()));
    io.output("torque", torqueType(model()));
  }
  void answer(RobotDynamics& dynamics, VectorXd& work, Evaluation& e) const override {
    const int n = model().jointDofs();
    const auto s = e.vector(0).tail(n);
    // Where the joints are to be accelerated to, and then what else their torques have to overcome.
    work = gains_.stiffness.cwiseProduct(e.vector(2) - s) - gains_.damping.cwiseProduct(e.vector(1));
    turnBallSprings(model(), gains_.stiffness, s, e.vector(2), work);
    if (e.connected(3)) work += gains_.damping.cwiseProduct(e.vector(3));
    if (e.connected(4)) work += e.vector(4);
    auto torque = e.outVector(0);
    dynamics.multiplyMass(work, torque);
    dynamics.biasForces(work);
    torque += work;
    for (int i = 0; i < n; ++i) torque[i] += model().dofs[i].damping * e.vector(1)[i];
  }

 private:
  JointGains gains_;
};

class GravityCompensation : public ModelQuery {
 public:
  static BlockDescription description() {
    return {
        "GravityCompensation",
        "robot control",
        "joint torques that hold the robot against gravity where it is",
        {{"frames", "that carry a floating base", "those with contacts", ""}, engineParameter()},
        {qPort(), nuPort()},
        {{"torque", "vector of n [N m]"}},
        "τ = g_j − J_jᵀ f with the smallest wrenches f at the frames that carry the base, J_bᵀ f = g_b; with a fixed "
        "base τ = g."};
  }
  explicit GravityCompensation(const Parameters& parameters) : ModelQuery(parameters) {
    requireRobotAlone(parameters, model());
    if (!model().floating_base) return;
    if (!parameters.has("frames")) {
      frames_ = setup().contactFrames();
      return;
    }
    for (const std::string& name : parameters.texts("frames")) frames_.push_back(model().frame(name));
  }
  void declare(BlockInterface& io) const override {
    declareState(io);
    io.output("torque", torqueType(model()));
  }
  void answer(RobotDynamics& dynamics, VectorXd&, Evaluation& e) const override {
    const int n = model().jointDofs(), rows = 6 * static_cast<int>(frames_.size());
    VectorXd gravity(model().nv());
    dynamics.gravityForces(gravity);
    e.outVector(0) = gravity.tail(n);
    if (frames_.empty()) return;
    MatrixXd J(rows, model().nv());
    for (std::size_t k = 0; k < frames_.size(); ++k)
      dynamics.frameJacobian(frames_[k], J.middleRows(6 * static_cast<Eigen::Index>(k), 6));
    const VectorXd f = leastSquares(J.leftCols<6>().transpose(), gravity.head<6>());
    e.outVector(0) -= J.rightCols(n).transpose() * f;
  }

 private:
  std::vector<FrameIndex> frames_;
};

}  // namespace

void addRobotControllers(BlockRegistry& registry) {
  registry.add<JointPD>();
  registry.add<ComputedTorque>();
  registry.add<GravityCompensation>();
}

}  // namespace footfall
