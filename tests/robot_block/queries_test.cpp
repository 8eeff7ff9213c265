#include "footfall/base/error.hpp"
#include "footfall/robot_block/model_functions.hpp"
#include "robot_block/block_tools.hpp"

namespace footfall {
namespace {

using physics::sceneFile;

/// The robot of a scene, falling for a while so that it moves, with queries beside it.
struct Queried {
  explicit Queried(const Scene& scene) : d(scene) { d.add("robot", "Robot"); }

  void add(const std::string& name, const std::string& kind, const Parameters& parameters = {}) {
    d.add(name, kind, parameters);
    d.builder.connect("robot.q", name + ".q");
    d.builder.connect("robot.nu", name + ".nu");
  }

  RobotDiagram d;
};

Scene fallingRobot() {
  Scene scene = sceneFile("icub.yaml");
  scene.robot.on_ground = false;
  scene.robot.base_position.z() = 2.0;
  scene.robot.base_angular_velocity = {0.5, -1.0, 2.0};
  return scene;
}

TEST(ModelQueries, AgreeWithTheEngine) {
  Queried queried(fallingRobot());
  queried.add("foot", "ForwardKinematics", {{"frame", "l_sole"}});
  queried.add("jacobian", "Jacobian", {{"frame", "l_sole"}});
  queried.add("bias", "JacobianDotNu", {{"frame", "l_sole"}});
  queried.add("momentum", "CentroidalMomentum");
  queried.add("com", "CenterOfMass");
  queried.add("mass", "MassMatrix");
  queried.add("forces", "BiasForces");
  queried.add("inverse", "InverseDynamics");
  queried.d.builder.connect("robot.nu", "inverse.nu_dot");  // any acceleration will do
  const Diagram diagram = queried.d.build();
  Context context = diagram.makeContext();
  for (int k = 0; k < 20; ++k) diagram.step(context);

  const Model& model = queried.d.setup().model();
  const VectorXd q = context.signal("robot.q"), nu = context.signal("robot.nu");
  ModelFunctions functions(model, "native");
  const FrameIndex foot = model.frame("l_sole");
  const Pose X_WF = functions.forwardKinematics(foot, q);
  EXPECT_EQ(Vector3d(context.signal("foot.pose").head<3>()), X_WF.p);
  const MatrixXd J = functions.jacobian(foot, q);
  EXPECT_TRUE(sameBits(context.signal("jacobian.J"), J.reshaped()));
  EXPECT_LT((VectorXd(context.signal("foot.velocity")) - J * nu).norm(), 1e-12);
  EXPECT_EQ(Vector6d(context.signal("bias.JDot_nu")), functions.jacobianDotNu(foot, q, nu));
  EXPECT_EQ(Vector3d(context.signal("com.position")), functions.centerOfMass(q));
  EXPECT_LT((Vector3d(context.signal("com.velocity")) * model.totalMass() -
             Vector3d(context.signal("momentum.momentum").head<3>()))
                .norm(),
            1e-10);
  EXPECT_TRUE(sameBits(context.signal("mass.M"), functions.massMatrix(q).reshaped()));
  EXPECT_EQ(VectorXd(context.signal("forces.h")), functions.biasForces(q, nu));
  EXPECT_LT((VectorXd(context.signal("inverse.forces")) - functions.inverseDynamics(q, nu, nu)).norm(), 1e-9);
}

TEST(ModelQueries, NameTheBlockWhenAFrameIsNotThere) {
  RobotDiagram d(sceneFile("icub.yaml"));
  try {
    d.add("foot", "ForwardKinematics", {{"frame", "l_sol"}});
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("foot"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("l_sole"), std::string::npos) << e.what();
  }
}

/// Asks the functions of another block.
class Caller : public Block {
 public:
  explicit Caller(int nq) : nq_(nq) {}
  void declare(BlockInterface& io) const override {
    io.input("functions", SignalType::function("footfall::ModelFunctions"));
    io.input("q", SignalType::vector(nq_));
    io.output("com", SignalType::vector(3));
  }
  void outputs(Evaluation& e) const override {
    e.outVector(0) = e.function<ModelFunctions>(0).centerOfMass(e.vector(1));
  }

 private:
  int nq_;
};

TEST(ModelFunctionsBlock, CanBeCalledByOtherBlocks) {
  Queried queried(fallingRobot());
  queried.add("com", "CenterOfMass");
  queried.d.add("model", "ModelFunctions");
  queried.d.builder.add("caller", std::make_shared<Caller>(queried.d.setup().model().nq()));
  queried.d.builder.connect("model.functions", "caller.functions");
  queried.d.builder.connect("robot.q", "caller.q");
  const Diagram diagram = queried.d.build();
  Context context = diagram.makeContext();
  for (int k = 0; k < 5; ++k) diagram.step(context);
  EXPECT_TRUE(sameBits(context.signal("caller.com"), context.signal("com.position")));
}

/// iCub with its root in the air, fixed; no joint at its limit.
Scene hangingRobot() {
  Scene scene = sceneFile("icub.yaml");
  scene.robot.fixed_base = true;
  scene.robot.on_ground = false;
  scene.robot.base_position.z() = 2.0;
  scene.robot.initial["l_elbow"] = scene.robot.initial["r_elbow"] = 0.4;
  return scene;
}

/// A robot arm's joints under computed torque are second-order systems of their own, whatever the arm does.
TEST(ComputedTorque, MakesEveryJointASecondOrderSystem) {
  Queried queried(hangingRobot());
  queried.add("control", "ComputedTorque", {{"kp", 100.0}, {"kd", 20.0}});
  const Model& model = queried.d.setup().model();
  VectorXd target = queried.d.setup().start().joints();
  for (int i = 0; i < target.size(); ++i) {
    const double lower = model.dofs[i].lower, upper = model.dofs[i].upper;
    target[i] += 0.05 * ((upper - target[i]) > (target[i] - lower) ? 1.0 : -1.0);
  }
  queried.d.builder.input("target", SignalType::vector(static_cast<int>(target.size())));
  queried.d.builder.connect("target", "control.position");
  queried.d.builder.connect("control.torque", "robot.torque");
  const Diagram diagram = queried.d.build();
  Context context = diagram.makeContext();
  context.setInput("target", target);
  for (int k = 0; k < 301; ++k) ASSERT_TRUE(diagram.step(context)) << context.stopReason();
  // Critically damped at 10 rad/s: e = e_0 (1 + ω t) exp(−ω t); the step is explicit in the torque, of order dt.
  const double t = 0.3, expected = 0.05 * (1.0 + 10.0 * t) * std::exp(-10.0 * t);
  const VectorXd error = target - VectorXd(context.signal("robot.q").tail(target.size()));
  for (int i = 0; i < error.size(); ++i) EXPECT_NEAR(std::abs(error[i]), expected, 5e-4) << model.dofs[i].name;
}

TEST(GravityCompensation, KeepsAnArmWithAFixedBaseWhereItIs) {
  Queried queried(hangingRobot());
  queried.add("control", "GravityCompensation");
  queried.d.builder.connect("control.torque", "robot.torque");
  const Diagram diagram = queried.d.build();
  Context context = diagram.makeContext();
  for (int k = 0; k < 200; ++k) ASSERT_TRUE(diagram.step(context));
  EXPECT_LT((VectorXd(context.signal("robot.q")) - queried.d.setup().start().q).norm(), 1e-9);
}

TEST(JointPD, HoldsTheInitialPostureByDefault) {
  Scene scene = sceneFile("icub.yaml");
  Queried queried(scene);
  queried.add("control", "JointPD", {{"kp", 300.0}, {"kd", 10.0}});
  queried.add("gravity", "GravityCompensation");
  queried.d.builder.connect("gravity.torque", "control.feedforward");
  queried.d.builder.connect("control.torque", "robot.torque");
  const Diagram diagram = queried.d.build();
  Context context = diagram.makeContext();
  for (int k = 0; k < 500; ++k) ASSERT_TRUE(diagram.step(context));
  EXPECT_LT((VectorXd(context.signal("robot.q")) - queried.d.setup().start().q).norm(), 0.01);
}

TEST(BaseMotion, IsTheMotionInTheAxesOfTheBase) {
  Queried queried(fallingRobot());
  queried.add("motion", "BaseMotion");
  const Diagram diagram = queried.d.build();
  Context context = diagram.makeContext();
  for (int k = 0; k < 50; ++k) diagram.step(context);
  const RobotSetup& setup = queried.d.setup();
  State state = setup.start();
  state.q = context.signal("robot.q");
  const VectorXd nu = context.signal("robot.nu");
  const Matrix3d R_WB = state.basePose().R;
  EXPECT_LT(R_WB(2, 2), 0.9995) << "it has turned";
  EXPECT_NEAR((R_WB * context.signal("motion.velocity") - nu.head<3>()).norm(), 0.0, 1e-13);
  EXPECT_NEAR((R_WB * context.signal("motion.turning") - nu.segment<3>(3)).norm(), 0.0, 1e-13);
  EXPECT_NEAR((R_WB * context.signal("motion.up") - Vector3d::UnitZ()).norm(), 0.0, 1e-14);
  EXPECT_TRUE(sameBits(context.signal("motion.joint_error"), state.joints() - setup.start().joints()));
  EXPECT_TRUE(sameBits(context.signal("motion.joint_velocity"), nu.tail(setup.model().jointDofs())));
}

}  // namespace
}  // namespace footfall
