#include <algorithm>
#include <cmath>

#include "footfall/robot_block/model_functions.hpp"
#include "robot_block/balancing_tools.hpp"

namespace footfall {
namespace {

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

Course run(const Scene& scene, double duration) {
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
  }
  course.stopped = context.stopReason();
  return course;
}

TEST(Balancing, KeepsICubStandingThroughAPushThenLiftsAFootAndReturns) {
  const Course course = run(pushedScene(), 16.0);
  EXPECT_EQ(course.stopped, "");
  EXPECT_GT(course.lowest_com, 0.52);  // it starts at 0.534 m
  EXPECT_LT(course.largest_tilt, 0.15);
  EXPECT_LT(course.largest_slip, 0.001);
  EXPECT_GT(course.time_lifted, 1.0);
  EXPECT_GT(course.highest_foot, 0.04);
  EXPECT_EQ(course.last_phase, 8.0);
  EXPECT_NEAR(course.last_share, 0.5, 0.05);
}

class PushedBalancing : public testing::TestWithParam<Vector3d> {};

TEST_P(PushedBalancing, KeepsICubStanding) {
  const Course course = run(pushedScene(GetParam()), 3.0);
  EXPECT_EQ(course.stopped, "");
  EXPECT_GT(course.lowest_com, 0.5);
  EXPECT_LT(course.largest_tilt, 0.3);
  EXPECT_LT(course.largest_slip, 0.005);
}

INSTANTIATE_TEST_SUITE_P(FromAllSides, PushedBalancing,
                         testing::Values(Vector3d(50, 0, 0), Vector3d(-50, 0, 0), Vector3d(0, 50, 0),
                                         Vector3d(0, -50, 0), Vector3d(35, 35, 0)));

/// The course can tell a fall from standing.
TEST(Balancing, CannotStandThroughAPushThatNobodyCouldStand) {
  const Course course = run(pushedScene({400.0, 0.0, 0.0}), 3.0);
  EXPECT_TRUE(!course.stopped.empty() || course.lowest_com < 0.5 || course.largest_tilt > 0.3);
}

}  // namespace
}  // namespace footfall
