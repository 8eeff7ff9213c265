#include "geometry/orientation.hpp"

#include <gtest/gtest.h>

#include "geometry/random_points.hpp"

namespace footfall {
namespace {

TEST(Orientation, IsPositiveWhereTheTriangleTurnsCounterClockwise) {
  const Vector3d a(0, 0, 0), b(1, 0, 0), c(0, 1, 0);
  EXPECT_EQ(orientation(a, b, c, {0.2, 0.2, 0.1}), 1);
  EXPECT_EQ(orientation(a, b, c, {0.2, 0.2, -1e-300}), -1);
  EXPECT_EQ(orientation(a, b, c, {7.0, -3.0, 0.0}), 0);
}

TEST(Orientation, IsExactOneUnitBesideAPlane) {
  // Integers of up to 45 bits are exact in double, their determinants (about 130 bits) are far from it.
  RandomPoints random(61);
  const auto integers = [&](double limit) { return random.inBox(limit).array().round().matrix().eval(); };
  const double large = std::ldexp(1.0, 42);
  for (int trial = 0; trial < 2000; ++trial) {
    const Vector3d a = integers(large), ab = integers(large), ac = integers(large);
    const double i = std::round(random.number(-2, 2)), k = std::round(random.number(-2, 2));
    const Vector3d in_plane = a + i * ab + k * ac;
    const double upward = ab.x() * ac.y() - ab.y() * ac.x();
    if (std::abs(upward) < 1e-3 * large * large) continue;  // a plane that is nearly upright has no clear upper side
    const int side = upward > 0.0 ? 1 : -1;
    EXPECT_EQ(orientation(a, a + ab, a + ac, in_plane), 0);
    EXPECT_EQ(orientation(a, a + ab, a + ac, in_plane + Vector3d::UnitZ()), side);
    EXPECT_EQ(orientation(a, a + ab, a + ac, in_plane - Vector3d::UnitZ()), -side);
  }
}

}  // namespace
}  // namespace footfall
