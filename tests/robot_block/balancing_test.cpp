#include <algorithm>
#include <cmath>

#include "footfall/robot_block/model_functions.hpp"
#include "robot_block/block_tools.hpp"

namespace footfall {
namespace {

using physics::sceneFile;

/// iCub on its real motors, with the balancing controller in place of the held posture.
RobotDiagram balancingDiagram(const Scene& scene) {
  RobotDiagram d(scene);
  d.add("robot", "Robot");
  d.add("pushes", "Pushes");
  d.add("motors", "Motors");
  d.add("com", "CenterOfMass");
  d.add("plan", "BalancingPlan", {{"swing", "r_sole"}});
  d.add("controller", "BalancingController");
  for (const char* block : {"com", "controller"}) {
    d.builder.connect("robot.q", std::string(block) + ".q");
    d.builder.connect("robot.nu", std::string(block) + ".nu");
  }
  d.builder.connect("com.position", "plan.com");
  d.builder.connect("plan.plan", "controller.plan");
  d.builder.connect("controller.torque", "motors.command");
  d.builder.connect("robot.nu", "motors.nu");
  d.builder.connect("motors.torque", "robot.torque");
  d.builder.connect("pushes.wrenches", "robot.wrenches");
  return d;
}

Scene pushedScene() {
  Scene scene = sceneFile("icub_motors.yaml");
  scene.pushes[0].force = {50.0, 0.0, 0.0};
  scene.pushes[0].start = 1.0;
  scene.pushes[0].duration = 0.2;
  return scene;
}

/// What a run is judged by.
struct Course {
  double lowest_com = INFINITY;  ///< height [m]
  double largest_tilt = 0.0;     ///< of the base [rad]
  double largest_slip = 0.0;     ///< of the support foot [m]
  double time_lifted = 0.0;      ///< of the swing foot, without any contact [s]
  double highest_foot = 0.0;     ///< [m]
  double last_phase = 0.0;
  double last_share = 0.0;  ///< of the weight, that the swing foot carries at the end [-]
  std::string stopped;
};

Course run(const Scene& scene, double duration, bool verbose = false) {
  const RobotDiagram d = balancingDiagram(scene);
  const Diagram diagram = d.build();
  Context context = diagram.makeContext();
  const Model& model = d.setup().model();
  ModelFunctions functions(model, "native");
  const FrameIndex support = model.frame("l_sole"), swing = model.frame("r_sole");
  const Pose start = functions.forwardKinematics(support, d.setup().start().q);
  const Pose swing_start = functions.forwardKinematics(swing, d.setup().start().q);
  const Matrix3d R_start = d.setup().start().basePose().R;
  const double weight = 9.81 * model.totalMass();
  Course course;
  const int steps = static_cast<int>(std::lround(duration / scene.physics.step));
  for (int k = 0; k < steps; ++k) {
    if (!diagram.step(context)) break;
    const VectorXd q = context.signal("robot.q");
    const double carried = context.signal("robot.wrench_r_sole")[2];
    course.lowest_com = std::min(course.lowest_com, functions.centerOfMass(q).z());
    const Matrix3d R = Eigen::Quaterniond(q[6], q[3], q[4], q[5]).toRotationMatrix();
    course.largest_tilt = std::max(course.largest_tilt, Eigen::AngleAxisd(R * R_start.transpose()).angle());
    course.largest_slip = std::max(course.largest_slip, (functions.forwardKinematics(support, q).p - start.p).norm());
    course.highest_foot = std::max(course.highest_foot, (functions.forwardKinematics(swing, q).p - swing_start.p).z());
    if (carried == 0.0) course.time_lifted += scene.physics.step;
    course.last_phase = context.signal("plan.plan.phase")[0];
    course.last_share = carried / weight;
    if (verbose && k % 250 == 0) {
      const VectorXd e = context.signal("controller.com_error");
      std::printf("t %.2f phase %g com z %.4f err %.4f %.4f %.4f tilt %.3f slip %.4f foot %.4f carried %.1f tau %.1f\n",
                  k * scene.physics.step, course.last_phase, functions.centerOfMass(q).z(), e[0], e[1], e[2],
                  Eigen::AngleAxisd(R * R_start.transpose()).angle(),
                  (functions.forwardKinematics(support, q).p - start.p).norm(),
                  (functions.forwardKinematics(swing, q).p - swing_start.p).z(), carried,
                  VectorXd(context.signal("motors.torque")).cwiseAbs().maxCoeff());
    }
  }
  course.stopped = context.stopReason();
  return course;
}

TEST(Balancing, KeepsICubStandingThroughAPushThenLiftsAFootAndReturns) {
  const Course course = run(pushedScene(), 16.0, std::getenv("VERBOSE") != nullptr);
  EXPECT_EQ(course.stopped, "");
  EXPECT_GT(course.lowest_com, 0.4);
  EXPECT_LT(course.largest_tilt, 0.3);
  EXPECT_LT(course.largest_slip, 0.005);
  EXPECT_GT(course.time_lifted, 1.0);
  EXPECT_GT(course.highest_foot, 0.03);
  EXPECT_EQ(course.last_phase, 8.0);
  EXPECT_NEAR(course.last_share, 0.5, 0.1);
}

}  // namespace
}  // namespace footfall
