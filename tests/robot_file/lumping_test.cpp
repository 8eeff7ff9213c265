// A robot with locked joints is the same body as the whole robot in that posture.

#include <random>

#include "footfall/robot_file/urdf.hpp"
#include "tools/random_seed.hpp"
#include "tools/source_dir.hpp"
#include "tools/test_tools.hpp"

namespace footfall {
namespace {

const char* const kIcub = "model://iCub/robots/iCubGazeboV2_5/model.urdf";

const std::vector<std::string> kIcubJoints = {
    "torso_pitch", "torso_roll",       "torso_yaw",       "l_shoulder_pitch", "l_shoulder_roll", "l_shoulder_yaw",
    "l_elbow",     "r_shoulder_pitch", "r_shoulder_roll", "r_shoulder_yaw",   "r_elbow",         "l_hip_pitch",
    "l_hip_roll",  "l_hip_yaw",        "l_knee",          "l_ankle_pitch",    "l_ankle_roll",    "r_hip_pitch",
    "r_hip_roll",  "r_hip_yaw",        "r_knee",          "r_ankle_pitch",    "r_ankle_roll"};

VectorXd randomPositions(const Model& model) {
  std::mt19937_64 random(randomSeed(3));
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  VectorXd s(model.jointDofs());
  for (double& x : s) x = uniform(random);
  return s;
}

/// The reduced robot with the given joints, locked in the posture s of the whole one; s_kept is its own posture.
Model lockedLike(const std::string& name, const Model& whole, const VectorXd& s, const std::vector<std::string>& kept,
                 VectorXd& s_kept) {
  UrdfOptions options;
  options.joints = kept;
  options.floating_base = whole.floating_base;
  for (int i = 0; i < whole.jointDofs(); ++i) options.positions[whole.dofs[i].name] = s[i];
  const Model reduced = loadUrdf(name, options).model;
  s_kept.resize(reduced.jointDofs());
  for (int i = 0; i < reduced.jointDofs(); ++i) s_kept[i] = s[whole.dof(reduced.dofs[i].name)];
  return reduced;
}

/// Mass, centre, inertia and every frame agree. Tolerance: a few hundred products and sums of numbers of order one
/// to a hundred, in another order: 1e-13 of the whole.
void expectSameBody(const Model& whole, const VectorXd& s, const Model& reduced, const VectorXd& s_kept) {
  const SpatialInertia a = wholeBody(whole, s), b = wholeBody(reduced, s_kept);
  EXPECT_NEAR(a.mass, b.mass, 1e-13 * a.mass);
  EXPECT_LT((a.com - b.com).norm(), 1e-13);
  EXPECT_LT((a.I_com - b.I_com).norm(), 1e-13 * a.I_com.norm());
  const std::vector<Pose> X_BL = linkPoses(whole, s), X_BL_reduced = linkPoses(reduced, s_kept);
  for (const Frame& frame : whole.frames) {
    const Frame& same = reduced.frames[reduced.frame(frame.name)];
    const Pose X = X_BL[frame.link] * frame.X_LF, Y = X_BL_reduced[same.link] * same.X_LF;
    EXPECT_LT((X.p - Y.p).norm() + (X.R - Y.R).norm(), 1e-13) << frame.name;
  }
}

TEST(Icub, HasTheJointsOfTheReferenceList) {
  UrdfOptions options;
  options.joints = kIcubJoints;
  const LoadedModel loaded = loadUrdf(kIcub, options);
  EXPECT_EQ(loaded.model.nv(), 29);
  EXPECT_EQ(loaded.model.links.size(), 24u);
  EXPECT_EQ(loaded.model.links[0].name, "root_link");
  // Sum of the masses of the file, added up by another program.
  EXPECT_NEAR(loaded.model.totalMass(), 33.061673, 1e-6);
  EXPECT_TRUE(loaded.warnings.empty());
  for (std::size_t i = 0; i < kIcubJoints.size(); ++i) EXPECT_EQ(loaded.model.dofs[i].name, kIcubJoints[i]);
}

TEST(Lumping, KeepsTheBodyOfIcub) {
  const Model whole = loadUrdf(kIcub).model;
  const VectorXd s = randomPositions(whole);
  VectorXd s_kept;
  const Model reduced = lockedLike(kIcub, whole, s, kIcubJoints, s_kept);
  EXPECT_EQ(reduced.jointDofs(), 23);
  expectSameBody(whole, s, reduced, s_kept);
}

TEST(Lumping, KeepsTheBodyOfAnArmWithSlidersAndMimicJoints) {
  const std::string name = sourceDir() + "/models/slider_gripper.urdf";
  UrdfOptions fixed;
  fixed.floating_base = false;
  const Model whole = loadUrdf(name, fixed).model;
  const VectorXd s = randomPositions(whole);
  for (const std::vector<std::string>& kept :
       {std::vector<std::string>{"lift"}, {"finger_left", "slide"}, {"wrist", "lift", "slide"}}) {
    VectorXd s_kept;
    const Model reduced = lockedLike(name, whole, s, kept, s_kept);
    EXPECT_EQ(reduced.jointDofs(), static_cast<int>(kept.size()));
    expectSameBody(whole, s, reduced, s_kept);
  }
}

}  // namespace
}  // namespace footfall
