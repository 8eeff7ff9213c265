#include "footfall/model/state.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <sstream>

#include "model/error_of.hpp"
#include "tools/random_seed.hpp"

namespace footfall {
namespace {

Model modelWith(int joints, int candidates, bool floating = true) {
  Model model;
  model.floating_base = floating;
  model.links.resize(1);
  model.dofs.resize(static_cast<std::size_t>(joints));
  model.candidates.resize(static_cast<std::size_t>(candidates));
  return model;
}

/// Numbers with all 53 bits in use, so that any detour by text or float shows.
State randomState(const Model& model) {
  std::mt19937_64 random(randomSeed(7));
  std::normal_distribution<double> normal;
  State state = makeState(model);
  const auto fill = [&](VectorXd& v) {
    for (double& x : v) x = normal(random) / 3.0;
  };
  fill(state.q);
  state.q.segment<4>(3).normalize();
  fill(state.nu);
  for (int k = 0; k < state.warm.candidate.size(); ++k) state.warm.candidate[k] = 2 * k;
  fill(state.warm.impulse);
  state.time = 1.0 / 3.0;
  state.count = {0.1, 77};
  state.warm.minimum_norm = true;
  return state;
}

std::string saved(const State& state, const Model& model) {
  std::ostringstream out;
  saveState(state, model, out);
  return out.str();
}

State restored(const Model& model, const std::string& bytes) {
  std::istringstream in(bytes);
  return loadState(model, in, "test.state");
}

std::string problemOf(const Model& model, const std::string& bytes) {
  const Error error = errorOf([&] { restored(model, bytes); });
  EXPECT_EQ(error.where(), "test.state");
  return error.problem();
}

bool sameBits(const VectorXd& a, const VectorXd& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

TEST(State, StartsAtRestAtTheOrigin) {
  const State state = makeState(modelWith(3, 2));
  EXPECT_TRUE(state.basePose().R.isIdentity(0.0));
  EXPECT_TRUE(state.basePose().p.isZero(0.0));
  EXPECT_EQ(state.nu.size(), 9);
  EXPECT_TRUE(state.nu.isZero(0.0));
  EXPECT_GE(state.warm.impulse.size(), 6) << "three for each candidate";
  EXPECT_TRUE(state.warm.impulse.isZero(0.0));
  EXPECT_EQ(makeInput(modelWith(3, 2)).tau.size(), 3);
}

TEST(State, KeepsTheBasePoseItIsGiven) {
  State state = makeState(modelWith(0, 0));
  const Pose X_WB{rotationFromRollPitchYaw({0.3, -0.4, 2.0}), {1.0, 2.0, 3.0}};
  state.setBasePose(X_WB);
  // A rotation matrix and back through a quaternion: a few roundings of numbers of order one.
  EXPECT_TRUE(state.basePose().R.isApprox(X_WB.R, 1e-15));
  EXPECT_EQ(state.basePose().p, X_WB.p);
}

TEST(SavedState, ComesBackBitForBit) {
  const Model model = modelWith(5, 4);
  const State state = randomState(model);
  const State again = restored(model, saved(state, model));
  EXPECT_EQ(state.time, again.time);
  EXPECT_TRUE(sameBits(state.q, again.q));
  EXPECT_TRUE(sameBits(state.nu, again.nu));
  EXPECT_TRUE(state.warm.candidate == again.warm.candidate);
  EXPECT_TRUE(sameBits(state.warm.impulse, again.warm.impulse));
  EXPECT_EQ(state.warm.minimum_norm, again.warm.minimum_norm);
}

/// A state of two links with two ties.
State tiedState(const Model& model) {
  State state = randomState(model);
  const Pose X{rotationFromRollPitchYaw({0.3, -0.4, 2.0}), {1.0 / 3.0, 2.0, 3.0}};
  state.ties = {{"grasp", LoopKind::hinge, LinkIndex(0), LinkIndex(1), X, X.inverse(), FrameIndex(0), FrameIndex(2)},
                {"a name longer than most", LoopKind::weld, LinkIndex(), LinkIndex(1), X, {}, {}, FrameIndex(1)}};
  return state;
}

Model twoLinks() {
  Model model = modelWith(2, 1);
  model.links.resize(2);
  for (const int link : {0, 1, 1}) model.frames.push_back({"part", LinkIndex(link), {}});
  return model;
}

TEST(SavedState, KeepsItsTiesBitForBit) {
  const State state = tiedState(twoLinks());
  EXPECT_EQ(restored(twoLinks(), saved(state, twoLinks())).ties, state.ties);
}

TEST(SavedState, WithTiesIsRefusedWhereverItIsCutAndByFewerLinks) {
  const std::string bytes = saved(tiedState(twoLinks()), twoLinks());
  for (std::size_t length = saved(randomState(twoLinks()), twoLinks()).size() - 1; length < bytes.size(); ++length)
    EXPECT_EQ(problemOf(twoLinks(), bytes.substr(0, length)).substr(0, 19), "the file ends insid") << length;
  EXPECT_EQ(problemOf(modelWith(2, 1), bytes), "the tie 'grasp' does not belong to the robot ''");
}

TEST(SavedState, WithATieOfAPartThatIsNoneOfItsLinkIsRefused) {
  State state = tiedState(twoLinks());
  for (const FrameIndex frame : {FrameIndex(0), FrameIndex(3), FrameIndex(-2)}) {
    state.ties[0].frame_b = frame;
    EXPECT_EQ(problemOf(twoLinks(), saved(state, twoLinks())), "the tie 'grasp' does not belong to the robot ''");
  }
}

/// A state with a single tie as versions before 7 had it: without the parts that it holds, its last eight bytes.
TEST(SavedState, OfTheFormatWithoutPartsIsRead) {
  State state = tiedState(twoLinks());
  state.ties.pop_back();
  std::string bytes = saved(state, twoLinks());
  bytes[8] = 6;
  bytes.resize(bytes.size() - 8);
  state.ties[0].frame_a = state.ties[0].frame_b = {};
  EXPECT_EQ(restored(twoLinks(), bytes).ties, state.ties);
}

/// A state as version 5 had it: without the robot's names, which follow the header (12 bytes) with their length (8).
std::string withoutRobot(const State& state, const Model& model) {
  std::string bytes = saved(state, model);
  bytes[8] = 5;
  return bytes.erase(12, 8 + robotIdentity(model).size());
}

TEST(SavedState, OfTheFormatWithoutTheRobotIsRead) {
  EXPECT_TRUE(
      sameBits(restored(twoLinks(), withoutRobot(randomState(twoLinks()), twoLinks())).q, randomState(twoLinks()).q));
}

TEST(SavedState, OfTheFormatWithoutTiesIsRead) {
  const Model model = modelWith(2, 1);
  std::string bytes = withoutRobot(randomState(model), model);
  bytes[8] = 4;
  bytes.resize(bytes.size() - 8);  // the number of ties
  EXPECT_TRUE(sameBits(restored(model, bytes).q, randomState(model).q));
}

Model namedModel(const std::string& name, const std::vector<std::string>& joints) {
  Model model = modelWith(static_cast<int>(joints.size()), 1);
  model.name = name;
  for (std::size_t k = 0; k < joints.size(); ++k) model.dofs[k].name = joints[k];
  return model;
}

TEST(SavedState, IsRefusedByAnotherRobotOfTheSameSize) {
  const Model model = namedModel("dog", {"hip", "knee"});
  const std::string bytes = saved(randomState(model), model);
  EXPECT_EQ(problemOf(namedModel("cat", {"hip", "knee"}), bytes), "this state is of the robot 'dog', not of 'cat'");
  const std::string others = "this state is of a robot 'dog' with other joints or bodies than this one: ";
  EXPECT_EQ(problemOf(namedModel("dog", {"hip", "toe"}), bytes), others + "'knee' in place of 'toe'");
  EXPECT_EQ(problemOf(namedModel("dog", {"hip"}), bytes), others + "'knee', which this one does not have");
  EXPECT_EQ(problemOf(namedModel("dog", {"hip", "knee", "toe"}), bytes), others + "no 'toe'");
  EXPECT_TRUE(sameBits(restored(namedModel("dog", {"hip", "knee"}), bytes).q, randomState(model).q));
}

TEST(SavedState, IsRefusedByAModelOfAnotherSize) {
  const std::string bytes = saved(randomState(modelWith(5, 4)), modelWith(5, 4));
  EXPECT_EQ(problemOf(modelWith(6, 4), withoutRobot(randomState(modelWith(5, 4)), modelWith(5, 4))),
            "q has 12 entries, the model needs 13");
  EXPECT_EQ(problemOf(modelWith(5, 4, false), bytes), "nu has 11 entries, the model needs 5");
  EXPECT_EQ(problemOf(modelWith(5, 3), bytes), "the warm start has 4 entries, the model needs 3");
}

TEST(SavedState, IsRefusedWhereverItIsCut) {
  const Model model = modelWith(2, 1);
  const std::string bytes = saved(randomState(model), model);
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_EQ(problemOf(model, bytes.substr(0, length)).substr(0, 19), "the file ends insid") << "at byte " << length;
}

TEST(SavedState, IsRefusedWhenItIsSomethingElse) {
  const Model model = modelWith(2, 1);
  std::string bytes = saved(randomState(model), model);
  EXPECT_EQ(problemOf(model, bytes + "x"), "there are more bytes after the state");
  EXPECT_EQ(problemOf(model, "<?xml version=\"1.0\"?>"), "this is not a saved state");
  bytes[8] = 99;  // the version follows the eight letters of the header
  EXPECT_EQ(problemOf(model, bytes), "version 99 of the format, this program reads versions 4 to 7");
}

TEST(IntegrateConfiguration, TurnsExactlyAboutAConstantAxis) {
  const Model model = modelWith(0, 0);
  const Vector3d axis = Vector3d(1.0, -2.0, 0.5).normalized();
  for (const double angle : {1e-12, 1e-9, 1e-7, 1e-4, 0.01, 1.0, 3.0}) {
    State state = makeState(model);
    const Pose X_WB{rotationFromRollPitchYaw({0.2, 0.7, -1.1}), Vector3d::Zero()};
    state.setBasePose(X_WB);
    VectorXd nu = VectorXd::Zero(6);
    nu.tail<3>() = angle / 0.25 * axis;
    integrateConfiguration(model, nu, 0.25, state.q);
    // The turn that was made, relative to the one that was asked for. R Rᵀ − 1 loses what is below the rounding of
    // numbers of order one, hence the absolute part.
    const Matrix3d turned = state.basePose().R * X_WB.R.transpose();
    const Matrix3d expected = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
    EXPECT_LT((turned - expected).norm(), 2e-15) << "angle " << angle;
  }
}

TEST(IntegrateConfiguration, DoesNotFreezeAtTinyAngles) {
  const Model model = modelWith(0, 0);
  State state = makeState(model);
  VectorXd nu = VectorXd::Zero(6);
  nu[5] = 1e-9;
  const int steps = 1000;
  for (int i = 0; i < steps; ++i) integrateConfiguration(model, nu, 1e-3, state.q);
  // z of the quaternion is half of the angle; each step rounds it by at most one part in 2⁵³.
  EXPECT_NEAR(state.q[5], 0.5e-9, 0.5e-9 * steps * 1.2e-16);
}

TEST(IntegrateConfiguration, SplitsIntoStepsWithoutError) {
  const Model model = modelWith(1, 0);
  VectorXd nu(7);
  nu << 1.0, 2.0, 3.0, 0.4, -0.9, 2.0, 5.0;
  State once = makeState(model), often = makeState(model);
  integrateConfiguration(model, nu, 1.0, once.q);
  for (int i = 0; i < 1024; ++i) integrateConfiguration(model, nu, 1.0 / 1024, often.q);
  // 1,024 products of unit quaternions, each with a few roundings that add up at random: √1024 · 1e-16, with room.
  EXPECT_LT((once.q - often.q).norm(), 3e-14);
  EXPECT_NEAR(often.q.segment<4>(3).norm(), 1.0, 2e-16 * 2);
}

TEST(IntegrateConfiguration, LeavesAFixedBaseWhereItIs) {
  const Model model = modelWith(2, 0, false);
  State state = makeState(model);
  state.setBasePose({rotationFromRollPitchYaw({0.1, 0.2, 0.3}), {1.0, 2.0, 3.0}});
  const VectorXd before = state.q;
  integrateConfiguration(model, Eigen::Vector2d(1.0, -2.0), 0.5, state.q);
  EXPECT_EQ(state.q.head<7>(), before.head<7>());
  EXPECT_EQ(state.q.tail<2>(), Eigen::Vector2d(0.5, -1.0));
}

}  // namespace
}  // namespace footfall
