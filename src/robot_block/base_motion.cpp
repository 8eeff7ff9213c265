#include "robot_block/base_motion.hpp"

#include "footfall/model/ball_joint.hpp"
#include "footfall/robot_block/internal/robot_signals.hpp"
#include "footfall/robot_block/robot_setup.hpp"

namespace footfall {
namespace {

/// What a robot feels of its own motion: the frame in which learned policies see it.
class BaseMotion : public Block {
 public:
  static BlockDescription description() {
    return {"BaseMotion",
            "robot queries",
            "motion of the base in its own axes, and of the joints from the initial posture",
            {},
            {{"q", "of the robot; vector of 7 + n"}, {"nu", "of the robot; vector of 6 + n"}},
            {{"velocity", "of the base's origin, in base axes; vector of 3 [m/s]"},
             {"turning", "angular velocity of the base, in base axes; vector of 3 [rad/s]"},
             {"up", "direction up, in base axes; vector of 3"},
             {"joint_error", "joint positions from the initial posture; vector of n"},
             {"joint_velocity", "vector of n"}},
            "In the order of its outputs it is what the tasks of footfall.rl show a policy: docs/learning.md."};
  }
  explicit BaseMotion(const Parameters& parameters) : setup_(findRobotSetup(parameters)) {}
  void declare(BlockInterface& io) const override {
    const Model& model = setup_->model();
    io.input("q", positionsType(model));
    io.input("nu", velocitiesType(model));
    io.output("velocity", SignalType::vector(3, "m/s"));
    io.output("turning", SignalType::vector(3, "rad/s"));
    io.output("up", SignalType::vector(3));
    io.output("joint_error", SignalType::vector(model.jointDofs()));
    io.output("joint_velocity", SignalType::vector(model.jointDofs()));
  }
  void outputs(Evaluation& e) const override {
    const auto q = e.vector(0), nu = e.vector(1);
    const Matrix3d R_BW = Eigen::Quaterniond(q[6], q[3], q[4], q[5]).toRotationMatrix().transpose();
    e.outVector(0) = R_BW * nu.head<3>();
    e.outVector(1) = R_BW * nu.segment<3>(3);
    e.outVector(2) = R_BW.col(2);
    jointWay(setup_->model(), setup_->start().joints(), setup_->model().jointPositions(q), e.outVector(3));
    e.outVector(4) = setup_->model().jointVelocities(nu);
  }

 private:
  std::shared_ptr<const RobotSetup> setup_;
};

}  // namespace

void addBaseMotion(BlockRegistry& registry) { registry.add<BaseMotion>(); }

}  // namespace footfall
