#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "footfall/terrain/terrain.hpp"
#include "model/error_of.hpp"

namespace footfall {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Vector3d tilted(double incline, double heading) {
  return {std::sin(incline) * std::cos(heading), std::sin(incline) * std::sin(heading), std::cos(incline)};
}

TEST(Plane, HasTheRightNormalAndGapAtEveryInclineAndHeading) {
  const Vector3d point(0.3, -0.2, 0.7);
  for (double degrees = 0.0; degrees <= 180.0; degrees += 2.5) {
    for (double heading = 0.0; heading < 6.3; heading += 0.7) {
      const Vector3d normal = tilted(degrees * std::numbers::pi / 180.0, heading);
      const Plane plane(point, 3.0 * normal, Material{});
      const Vector3d across = normal.unitOrthogonal();
      for (const double height : {-0.02, 0.0, 1.5}) {
        const SurfacePoint surface = plane.at(point + height * normal + 4.0 * across, 0.0);
        // Some products of numbers below 5, each rounded to 1e-16.
        EXPECT_NEAR(surface.gap, height, 1e-14);
        EXPECT_LT((surface.R_WC.col(2) - normal).norm(), 1e-14);
        EXPECT_TRUE(surface.R_WC.isUnitary(1e-14));
        EXPECT_NEAR(surface.R_WC.determinant(), 1.0, 1e-14);
        EXPECT_EQ(surface.velocity_W, Vector3d::Zero());
      }
    }
  }
}

TEST(Plane, KeepsAnExactFrameCloseToUpsideDown) {
  for (const double off : {1e-3, 1e-5, 1.5e-6, 1e-7, 1e-9, 1e-12, 1e-160, 0.0}) {
    for (const double heading : {0.0, 1.0, 3.0}) {
      const Vector3d normal(off * std::cos(heading), off * std::sin(heading), -std::sqrt(1.0 - off * off));
      const SurfacePoint surface = Plane(Vector3d::Zero(), normal, Material{}).at(Vector3d::Zero(), 0.0);
      EXPECT_TRUE(surface.R_WC.isUnitary(1e-14)) << off;
      EXPECT_NEAR(surface.R_WC.determinant(), 1.0, 1e-14) << off;
      EXPECT_LT((surface.R_WC.col(2) - normal).norm(), 1e-15) << off;
    }
  }
}

TEST(Plane, CarriesItsMaterial) {
  const SurfacePoint surface = Plane(Vector3d::Zero(), Vector3d::UnitZ(), 0.33, 0.5).at(Vector3d::UnitX(), 2.0);
  EXPECT_EQ(surface.friction, 0.33);
  EXPECT_EQ(surface.restitution, 0.5);
}

TEST(Plane, ClearanceIsTheGapOfTheLowestPointOfASphere) {
  const Plane plane(Vector3d::Zero(), tilted(0.4, 1.0), Material{});
  const Vector3d center(0.2, 0.1, 2.0);
  EXPECT_DOUBLE_EQ(plane.clearance(center, 0.5, 0.0), plane.at(center, 0.0).gap - 0.5);
}

TEST(Terrain, ClearanceIsUnknownForAShapeThatDoesNotTell) {
  struct Floor : Terrain {
    SurfacePoint at(const Vector3d& p_W, TimeSpan) const override { return {.gap = p_W.z()}; }
  };
  EXPECT_EQ(Floor().clearance(Vector3d(0, 0, 100), 1.0, 0.0), -std::numeric_limits<double>::infinity());
  SurfacePoint face;
  EXPECT_EQ(Floor().faces(Vector3d(0, 0, -0.1), 0.0, {&face, 1}), 1);
  EXPECT_EQ(face.gap, -0.1);
}

TEST(Plane, NamesTheFieldThatIsWrong) {
  const auto plane = [](const Vector3d& normal, double friction, double restitution) {
    return errorOf([&] { Plane(Vector3d::Zero(), normal, friction, restitution); }).where();
  };
  EXPECT_EQ(plane(Vector3d::Zero(), 0.6, 0.0), "ground.normal");
  EXPECT_EQ(plane(Vector3d(0, kNan, 1), 0.6, 0.0), "ground.normal");
  EXPECT_EQ(plane(Vector3d::UnitZ(), -0.1, 0.0), "ground.friction");
  EXPECT_EQ(plane(Vector3d::UnitZ(), kNan, 0.0), "ground.friction");
  EXPECT_EQ(plane(Vector3d::UnitZ(), 0.6, -0.1), "ground.restitution");
  EXPECT_EQ(plane(Vector3d::UnitZ(), 0.6, 1.1), "ground.restitution");
  EXPECT_EQ(errorOf([] { Plane(Vector3d(0, 0, kNan), Vector3d::UnitZ(), Material{}); }).where(), "ground.point");
}

}  // namespace
}  // namespace footfall
