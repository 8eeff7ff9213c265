#include "footfall/terrain/ground_drawing.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "footfall/terrain/box.hpp"
#include "footfall/terrain/formula.hpp"
#include "footfall/terrain/height_field.hpp"
#include "footfall/terrain/terrain_group.hpp"

namespace footfall {
namespace {

const Material kMaterial{0.5, 0.0};

/// A cone that ends at a radius of one metre: a shape that nobody knows how to draw.
class Cone : public Terrain {
 public:
  static constexpr double kSlope = 0.5;
  SurfacePoint at(const Vector3d& p_W, TimeSpan) const override {
    const double radius = p_W.head<2>().norm();
    const Vector3d outwards = radius > 0.0 ? Vector3d(p_W.x() / radius, p_W.y() / radius, 0.0) : Vector3d::UnitX();
    if (radius > 1.0) return {radius - 1.0, rotationWithZ(outwards), Vector3d::Zero(), 0.5, 0.0};
    const Vector3d normal = (Vector3d::UnitZ() + kSlope * outwards).normalized();
    const double above = p_W.z() - (1.0 - kSlope * radius);
    return {above * normal.z(), rotationWithZ(normal), Vector3d::Zero(), 0.5, 0.0};
  }
};

double heightOf(const GroundDrawing::Heights& drawn, int row, int column) {
  return drawn.values.at(static_cast<std::size_t>(row * drawn.columns + column)).value();
}

TEST(GroundDrawing, ShowsAPlaneAsItLeans) {
  const Vector3d normal = Vector3d(0.3, -0.2, 0.9).normalized();
  const GroundDrawing drawing = Plane({1.0, 2.0, 3.0}, normal, kMaterial).drawing(Vector3d::Zero());
  ASSERT_TRUE(drawing.plane);
  EXPECT_LT((drawing.plane->R.col(2) - normal).norm(), 1e-15);
  EXPECT_LT(drawing.plane->R(2, 0), -0.1);  // x goes down
  EXPECT_EQ(drawing.plane->p, Vector3d(1.0, 2.0, 3.0));
  EXPECT_EQ(Plane().drawing(Vector3d::Zero()).plane->R, Matrix3d::Identity());
}

TEST(GroundDrawing, ShowsStairsAsTheBoxesThatTheyAre) {
  Stairs stairs;
  stairs.number = 3;
  stairs.landing = 0.5;
  const GroundDrawing drawing = TerrainGroup(makeStairs(stairs)).drawing(Vector3d::Zero());
  ASSERT_EQ(drawing.blocks.size(), 3u);
  EXPECT_FALSE(drawing.plane);
  EXPECT_FALSE(drawing.heights);
  EXPECT_EQ(drawing.blocks[2].size, Vector3d(0.8, 1.0, 3 * 0.15));
  EXPECT_EQ(drawing.blocks[2].X_WB.p.z(), 0.5 * (3 * 0.15));
}

TEST(GroundDrawing, ShowsTheHeightsOfAField) {
  const HeightField field(std::make_shared<FormulaMap>("0.1*x+0.05*y", 4.0, 2.0), {1.0, 2.0, 3.0}, kMaterial);
  const GroundDrawing drawing = field.drawing(Vector3d::Zero());
  ASSERT_TRUE(drawing.heights);
  EXPECT_EQ(drawing.heights->size, Eigen::Vector2d(4.0, 2.0));
  EXPECT_EQ(drawing.heights->origin, Vector3d(1.0, 2.0, 3.0));
  EXPECT_NEAR(heightOf(*drawing.heights, 0, 0), -0.2 - 0.05, 1e-15);
  EXPECT_NEAR(heightOf(*drawing.heights, drawing.heights->rows - 1, drawing.heights->columns - 1), 0.25, 1e-15);
}

TEST(GroundDrawing, ShowsWhatNobodyKnowsByItsHeightAndLeavesOutWhereThereIsNone) {
  const GroundDrawing drawing = Cone().drawing({0.0, 0.0, 0.25});
  ASSERT_TRUE(drawing.heights);
  const GroundDrawing::Heights& drawn = *drawing.heights;
  int shown = 0;
  for (int r = 0; r < drawn.rows; ++r)
    for (int c = 0; c < drawn.columns; ++c) {
      const double x = drawn.size.x() * (c / (drawn.columns - 1.0) - 0.5);
      const double y = drawn.size.y() * (r / (drawn.rows - 1.0) - 0.5);
      const std::optional<double> height = drawn.values.at(static_cast<std::size_t>(r * drawn.columns + c));
      ASSERT_EQ(height.has_value(), std::hypot(x, y) <= 1.0) << x << ", " << y;
      if (!height) continue;
      EXPECT_NEAR(*height + 0.25, 1.0 - Cone::kSlope * std::hypot(x, y), 2e-4);
      ++shown;
    }
  EXPECT_GT(shown, 100);
}

}  // namespace
}  // namespace footfall
