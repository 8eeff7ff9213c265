#include "footfall/model/joint_kind.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace footfall {
namespace {

constexpr JointKind kKinds[] = {JointKind::revolute, JointKind::prismatic, JointKind::ball, JointKind::free,
                                JointKind::fixed};

TEST(JointKind, HasANameOfItsOwn) {
  std::set<std::string> names;
  for (const JointKind kind : kKinds) EXPECT_TRUE(names.insert(traitsOf(kind).name).second) << traitsOf(kind).name;
  EXPECT_FALSE(names.count(""));
}

TEST(JointKind, HasUnitsWhereItHasACoordinate) {
  for (const JointKind kind : kKinds) {
    const JointTraits traits = traitsOf(kind);
    EXPECT_FALSE(traits.turns && traits.slides) << traits.name;
    EXPECT_EQ(std::string(traits.position_unit).empty(), !traits.hasCoordinate()) << traits.name;
    if (!traits.hasCoordinate()) continue;
    EXPECT_EQ(traits.velocity_unit, std::string(traits.position_unit) + "/s");
    EXPECT_EQ(traits.effort_unit, std::string(traits.turns ? "N m" : "N"));
  }
}

TEST(JointKind, MovesItsChildAlongOrAboutTheAxis) {
  const Vector3d axis = Vector3d(1.0, -2.0, 0.5).normalized();
  const double position = 0.3, small = 1e-6;
  for (const JointKind kind : {JointKind::revolute, JointKind::prismatic}) {
    const Pose at = jointDisplacement(kind, axis, position), next = jointDisplacement(kind, axis, position + small);
    const Vector3d velocity = (next.p - at.p) / small;
    const Eigen::AngleAxisd turn(next.R * at.R.transpose());
    const Vector3d angular_velocity = turn.angle() / small * turn.axis();
    // Of second order in `small`, and rounding over it.
    EXPECT_LT((velocity - (traitsOf(kind).slides ? axis : Vector3d(Vector3d::Zero()))).norm(), 1e-8);
    EXPECT_LT((angular_velocity - (traitsOf(kind).turns ? axis : Vector3d(Vector3d::Zero()))).norm(), 1e-8);
    EXPECT_TRUE(jointDisplacement(kind, axis, 0.0).R.isIdentity(0.0));
  }
}

}  // namespace
}  // namespace footfall
