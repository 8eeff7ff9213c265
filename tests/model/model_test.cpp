#include "footfall/model/model.hpp"

#include <gtest/gtest.h>

#include "model/error_of.hpp"

namespace footfall {
namespace {

/// Two links, a coordinate, a mimic joint's worth of names; no physics needed.
Model smallModel() {
  Model model;
  model.name = "small";
  model.links = {{"base", {2.0, {}, {}}}, {"shank", {0.5, {}, {}}}, {"toe", {0.25, {}, {}}}};
  model.joints = {{"knee", JointKind::revolute, LinkIndex(0), {}, Vector3d::UnitY(), DofIndex(0), 1.0, 0.0},
                  {"toe_joint", JointKind::revolute, LinkIndex(1), {}, Vector3d::UnitY(), DofIndex(0), -1.0, 0.0}};
  Dof knee;
  knee.name = "knee";
  model.dofs = {knee};
  model.frames = {{"base", LinkIndex(0), {}}, {"shank", LinkIndex(1), {}}, {"sole", LinkIndex(1), {}}};
  return model;
}

TEST(Model, CountsItsCoordinates) {
  Model model = smallModel();
  EXPECT_EQ(model.nv(), 7);
  EXPECT_EQ(model.nq(), 8);
  EXPECT_TRUE(model.hasMimicJoints());
  EXPECT_DOUBLE_EQ(model.totalMass(), 2.75);
  model.floating_base = false;
  EXPECT_EQ(model.nv(), 1);
  EXPECT_EQ(model.nq(), 8);
}

TEST(Model, FindsNames) {
  const Model model = smallModel();
  EXPECT_EQ(model.frame("sole"), 2);
  EXPECT_EQ(model.link("shank"), 1);
  EXPECT_EQ(model.dof("knee"), 0);
}

TEST(Model, SuggestsTheNearestFrame) {
  const Error error = errorOf([] { smallModel().frame("solle"); });
  EXPECT_EQ(error.problem(), "there is no frame 'solle'");
  EXPECT_EQ(error.hint(), "did you mean 'sole'?");
}

TEST(Model, SaysWhereALumpedLinkWent) {
  const Error error = errorOf([] { smallModel().link("sole"); });
  EXPECT_EQ(error.problem(), "'sole' is not a link of its own: it is fixed to 'shank'");
}

TEST(Model, SaysWhichJointAMimicFollows) {
  EXPECT_EQ(errorOf([] { smallModel().dof("toe_joint"); }).hint(), "it follows 'knee'");
  EXPECT_EQ(errorOf([] { smallModel().dof("kne"); }).hint(), "did you mean 'knee'?");
}

}  // namespace
}  // namespace footfall
