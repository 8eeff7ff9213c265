#include "footfall/base/error.hpp"
#include "robot_block/block_tools.hpp"

namespace footfall {
namespace {

using physics::sceneFile;

Eigen::Map<const MatrixXd> field(const Context& context, const std::string& name, Eigen::Index rows) {
  const auto values = context.signal("robot.kinDyn." + name);
  return {values.data(), rows, values.size() / rows};
}

/// The robot with its posture held, and somebody who reads the kinDyn bus.
DiagramBuilder readKinDyn(const Scene& scene) {
  DiagramBuilder diagram = defaultDiagram(scene);
  diagram.output("kinDyn", "robot.kinDyn");
  return diagram;
}

TEST(KinDynBus, HoldsTheEquationOfMotionBetweenItsFields) {
  Scene scene = sceneFile("icub.yaml");
  scene.pushes.clear();
  scene.robot.on_ground = false;
  scene.robot.base_position.z() = 0.7;  // lands, with an impact
  const Diagram diagram = readKinDyn(scene).build({.step = scene.physics.step});
  Context context = diagram.makeContext();
  const int n = 23, nv = 29;
  bool impact = false;
  for (int k = 0; k < 400; ++k) {
    ASSERT_TRUE(diagram.step(context)) << context.stopReason();
    // In flight the integrator keeps the momentum exactly instead, which is another ν̇ by O(dt).
    if (context.signal("robot.contacts")[0] == 0.0) continue;
    impact = impact || context.signal("robot.impact")[0] != 0.0;
    const VectorXd nu_dot = field(context, "nuDot", nv), h = field(context, "h", nv), fc = field(context, "fc", 12);
    const MatrixXd M = field(context, "M", nv), J = field(context, "J_feet_sole", 12);
    VectorXd forces = J.transpose() * fc - h;
    forces.tail(n) += context.signal("robot.joint_torque") + context.signal("robot.stop_torque");
    ASSERT_LT((M * nu_dot - forces).norm(), 1e-8 * (1.0 + forces.norm())) << "step " << k;
  }
  EXPECT_TRUE(impact);
}

TEST(KinDynBus, SaysWhichFeetTouch) {
  const Scene scene = sceneFile("icub.yaml");
  const Diagram diagram = readKinDyn(scene).build({.step = scene.physics.step});
  Context context = diagram.makeContext();
  for (int k = 0; k < 50; ++k) diagram.step(context);
  EXPECT_EQ(VectorXd(field(context, "feet_in_contact", 2)), VectorXd::Ones(2));
  const VectorXd fc = field(context, "fc", 12);
  const double weight = 9.81 * RobotDiagram(scene).setup().model().totalMass();
  EXPECT_NEAR(fc[2] + fc[8], weight, 0.02 * weight);
}

TEST(Robot, HasOneWrenchForEachFrameInContact) {
  for (const auto& [file, frames] : {std::pair{"icub.yaml", 2}, std::pair{"anymal_c.yaml", 4}}) {
    const Diagram diagram = defaultDiagram(sceneFile(file)).build({.step = 1e-3});
    int wrenches = 0;
    for (const auto& output : diagram.blocks()[diagram.block("robot")].interface.outputs)
      wrenches += output.name.rfind("wrench_", 0) == 0;
    EXPECT_EQ(wrenches, frames) << file;
  }
}

/// Gives a constant.
class Constant : public Block {
 public:
  explicit Constant(SignalType type, VectorXd values) : type_(std::move(type)), values_(std::move(values)) {}
  void declare(BlockInterface& io) const override { io.output("out", type_, {}); }
  void outputs(Evaluation& e) const override { e.outVector(0) = values_; }

 private:
  SignalType type_;
  VectorXd values_;
};

/// A falling robot with motors of this inertia.
VectorXd accelerationWith(const SignalType& type, const VectorXd& inertia) {
  Scene scene = sceneFile("icub.yaml");
  scene.robot.on_ground = false;
  scene.robot.base_position.z() = 3.0;
  RobotDiagram d(scene);
  d.add("robot", "Robot");
  d.builder.add("torque", std::make_shared<Constant>(SignalType::vector(23), VectorXd::Constant(23, 0.5)));
  d.builder.add("inertia", std::make_shared<Constant>(type, inertia));
  d.builder.connect("torque", "robot.torque");
  d.builder.connect("inertia", "robot.motor_inertia");
  const Diagram diagram = d.build();
  Context context = diagram.makeContext();
  diagram.step(context);
  return context.signal("robot.nu_dot");
}

TEST(MotorInertia, AsAVectorIsTheDiagonalOfTheMatrix) {
  VectorXd diagonal = VectorXd::LinSpaced(23, 0.01, 0.2);
  const MatrixXd matrix = diagonal.asDiagonal();
  EXPECT_LT((accelerationWith(SignalType::vector(23), diagonal) -
             accelerationWith(SignalType::matrix(23, 23), matrix.reshaped()))
                .norm(),
            1e-10);
}

TEST(MotorInertia, CouplesJointsWhereTheMatrixIsFull) {
  const VectorXd diagonal = VectorXd::Constant(23, 0.1);
  MatrixXd matrix = diagonal.asDiagonal();
  matrix(0, 1) = matrix(1, 0) = 0.09;
  EXPECT_GT((accelerationWith(SignalType::vector(23), diagonal) -
             accelerationWith(SignalType::matrix(23, 23), matrix.reshaped()))
                .norm(),
            1e-2);
}

TEST(RobotBlocks, PartsAndNumbersThatAreNoneAreNamedWithTheBlock) {
  const auto problem = [](const std::string& kind, const std::string& name, const ParameterValue& value) {
    RobotDiagram d(physics::sceneFile("icub.yaml"));
    try {
      d.add("x", kind, {{name, value}});
    } catch (const Error& error) {
      return error.problem() + " | " + error.hint();
    }
    return std::string("taken");
  };
  EXPECT_EQ(problem("Robot", "engine", "natve"),
            "block 'x' (Robot): parameter 'engine' is 'natve', which is no choice | did you mean 'native'?");
  EXPECT_EQ(problem("Robot", "solver", "natve"),
            "block 'x' (Robot): parameter 'solver' is 'natve', which is no choice | did you mean 'native'?");
  EXPECT_EQ(problem("Robot", "contact", "rigd"),
            "block 'x' (Robot): parameter 'contact' is 'rigd', which is no choice | did you mean 'rigid'?");
  EXPECT_EQ(problem("Robot", "integrator", "rk5"),
            "block 'x' (Robot): parameter 'integrator' is 'rk5', which is no choice | did you mean 'rk4'?");
  EXPECT_EQ(problem("MassMatrix", "engine", "natve"),
            "block 'x' (MassMatrix): parameter 'engine' is 'natve', which is no choice | did you mean 'native'?");
  EXPECT_EQ(problem("ModelFunctions", "engine", "native"), "taken");
  for (const char* name : {"viscous", "coulomb"})
    EXPECT_NE(problem("JointFriction", name, -1.0).find("is -1, expected 0 or more"), std::string::npos) << name;
  for (const char* name :
       {"period", "friction", "turning", "max_torque", "torque_weight", "wrench_weight", "foot_share"})
    EXPECT_NE(problem("BalancingController", name, -1.0).find("is -1, expected"), std::string::npos) << name;
  EXPECT_NE(problem("BalancingController", "foot_share", 1.5).find("is 1.5, expected 1 or less"), std::string::npos);
}

TEST(MotorInertia, OfTheWrongSizeIsRefused) {
  EXPECT_THROW(accelerationWith(SignalType::vector(7), VectorXd::Ones(7)), Error);
}

/// Above a half from the third step on, until the seventh.
class Switch : public Block {
 public:
  void declare(BlockInterface& io) const override { io.output("out", SignalType::vector(1), {}); }
  void outputs(Evaluation& e) const override { e.outVector(0)[0] = e.time() > 2.5e-3 && e.time() < 6.5e-3 ? 1.0 : 0.0; }
};

Scene hangingBall(const std::string& loop) {
  return parseScene(
      "bodies: [{name: ball, shape: sphere, radius: 0.1, mass: 1, position: [0, 0, 5]}]\nloops: [" + loop + "]",
      "ball.yaml");
}

TEST(Robot, MakesAndReleasesTiesAsItsInputSays) {
  RobotDiagram d(hangingBall("{name: magnet, between: [world, ball], joint: weld, commanded: true}"));
  d.add("robot", "Robot");
  d.builder.add("switch", std::make_shared<Switch>());
  d.builder.connect("switch", "robot.ties");
  const Diagram diagram = d.build();
  Context context = diagram.makeContext();
  std::string ties;
  for (int k = 0; k < 10; ++k) {
    ASSERT_TRUE(diagram.step(context)) << context.stopReason();
    ties += std::to_string(robotState(diagram, context, "robot").ties.size());
  }
  EXPECT_EQ(ties, "0001111000");
}

TEST(Robot, FollowsTheTiesOfItsSceneAsASimulationDoes) {
  const Scene scene = hangingBall("{frame: ball, fixed: true, from: 10 ms, until: 30 ms}");
  Simulation simulation(scene);
  const Diagram diagram = defaultDiagram(scene).build({.step = 1e-3});
  Context context = diagram.makeContext();
  for (int k = 0; k < 50; ++k) {
    simulation.step();
    ASSERT_TRUE(diagram.step(context)) << context.stopReason();
    EXPECT_EQ(simulation.ties(), robotState(diagram, context, "robot").ties);
    expectSameBits(simulation.state(), robotState(diagram, context, "robot"));
  }
}

Scene armOnAGivenShoulder() {
  return parseScene(
      "robot: {model: rr_arm, base: {fixed: true}, initial: {shoulder: 0.5}}\nhold: {enabled: false}\n"
      "prescribed: [{joint: shoulder}]\n",
      "arm.yaml");
}

TEST(Robot, MovesPrescribedJointsAsItsInputsSayToTheBitsOfASimulation) {
  const Scene scene = armOnAGivenShoulder();
  RobotDiagram d(scene);
  d.add("robot", "Robot");
  for (const char* name : {"position", "velocity"}) {
    d.builder.input(name, SignalType::vector(1));
    d.builder.connect(name, std::string("robot.") + name);
  }
  const Diagram diagram = d.build();
  Context context = diagram.makeContext();
  Simulation simulation(scene);
  for (int k = 1; k <= 50; ++k) {
    simulation.input().position[0] = 0.5 * std::cos(1e-2 * k);
    simulation.input().velocity[0] = -5.0 * std::sin(1e-2 * k);
    context.setInput("position", simulation.input().position.head(1));
    context.setInput("velocity", simulation.input().velocity.head(1));
    simulation.step();
    ASSERT_TRUE(diagram.step(context)) << context.stopReason();
    expectSameBits(simulation.state(), robotState(diagram, context, "robot"));
  }
  EXPECT_EQ(simulation.state().joints()[0], 0.5 * std::cos(0.5));
}

TEST(Robot, LetsPrescribedJointsStayWhereTheyStartWhereNobodyMovesThem) {
  RobotDiagram d(armOnAGivenShoulder());
  d.add("robot", "Robot");
  const Diagram diagram = d.build();
  Context context = diagram.makeContext();
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(diagram.step(context)) << context.stopReason();
  EXPECT_EQ(robotState(diagram, context, "robot").joints()[0], 0.5);
}

TEST(Robot, RefusesAPositionOfPrescribedJointsWithoutAVelocity) {
  RobotDiagram d(armOnAGivenShoulder());
  d.add("robot", "Robot");
  d.builder.input("position", SignalType::vector(1));
  d.builder.connect("position", "robot.position");
  try {
    d.build();
    FAIL() << "taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("input position of the robot is connected, and velocity is not"),
              std::string::npos)
        << error.what();
  }
}

TEST(Robot, StopsTheRunWhenAStepFails) {
  RobotDiagram d(sceneFile("icub.yaml"));
  d.add("robot", "Robot");
  d.builder.add("torque", std::make_shared<Constant>(SignalType::vector(23), VectorXd::Constant(23, NAN)));
  d.builder.connect("torque", "robot.torque");
  const Diagram diagram = d.build();
  Context context = diagram.makeContext();
  const State before = robotState(diagram, context, "robot");
  EXPECT_FALSE(diagram.step(context));
  EXPECT_NE(context.stopReason().find("not finite"), std::string::npos);
  expectSameBits(robotState(diagram, context, "robot"), before);
}

}  // namespace
}  // namespace footfall
