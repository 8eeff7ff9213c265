#include "footfall/terrain/height_field.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "footfall/terrain/formula.hpp"
#include "model/error_of.hpp"
#include "tools/random_seed.hpp"

namespace footfall {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr Interpolation kBoth[] = {Interpolation::bilinear, Interpolation::bicubic};

HeightTable randomTable(int rows, int columns) {
  std::mt19937 random(randomSeed(11));
  std::uniform_real_distribution<double> height(-0.2, 0.2);
  HeightTable table{rows, columns, {}};
  for (int i = 0; i < rows * columns; ++i) table.heights.push_back(height(random));
  return table;
}

/// A table of heights of a·x + b·y on a grid with its middle at zero.
HeightTable slopeTable(int rows, int columns, double cell, double a, double b) {
  HeightTable table{rows, columns, {}};
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c)
      table.heights.push_back(a * cell * (c - 0.5 * (columns - 1)) + b * cell * (0.5 * (rows - 1) - r));
  return table;
}

TEST(HeightGrid, MeetsItsNodesAsSeenFromAbove) {
  for (const Interpolation interpolation : kBoth) {
    const HeightGrid grid({2, 3, {1, 2, 3, 4, 5, 6}}, 0.5, 0.1, interpolation);
    EXPECT_NEAR(grid.at(-0.5, 0.25).z, 0.1, 1e-15) << "the first row is at +y";
    EXPECT_NEAR(grid.at(0.5, 0.25).z, 0.3, 1e-15);
    EXPECT_NEAR(grid.at(-0.5, -0.25).z, 0.4, 1e-15);
    EXPECT_NEAR(grid.at(0.0, -0.25).z, 0.5, 1e-15);
  }
}

TEST(HeightGrid, SlopesAreTheDerivativesOfTheHeight) {
  constexpr double kStep = 1e-6;
  for (const Interpolation interpolation : kBoth) {
    const HeightGrid grid(randomTable(6, 9), 0.3, 1.0, interpolation);
    std::mt19937 random(randomSeed(12));
    // Beyond the border as well.
    std::uniform_real_distribution<double> any(-1.5, 1.5);
    for (int i = 0; i < 500; ++i) {
      const double x = any(random), y = any(random);
      const Height height = grid.at(x, y);
      // Third derivatives are below 200 /m²; rounding 1e-16 / 1e-6.
      EXPECT_NEAR(height.slope_x, (grid.at(x + kStep, y).z - grid.at(x - kStep, y).z) / (2.0 * kStep), 1e-9);
      EXPECT_NEAR(height.slope_y, (grid.at(x, y + kStep).z - grid.at(x, y - kStep).z) / (2.0 * kStep), 1e-9);
    }
  }
}

TEST(HeightGrid, BicubicSlopesAreContinuousFromCellToCell) {
  const HeightGrid grid(randomTable(6, 6), 0.2, 1.0, Interpolation::bicubic);
  const double border = 0.1, side = 1e-9;  // between the third and the fourth column of nodes, and rows
  EXPECT_NEAR(grid.at(border - side, 0.03).slope_x, grid.at(border + side, 0.03).slope_x, 1e-6);
  EXPECT_NEAR(grid.at(0.03, border - side).slope_y, grid.at(0.03, border + side).slope_y, 1e-6);
}

TEST(HeightGrid, LimitsHoldEverywhere) {
  for (const Interpolation interpolation : kBoth) {
    const HeightGrid grid(randomTable(7, 5), 0.25, 1.0, interpolation);
    double highest = -1.0, steepest = 0.0;
    for (double x = -1.0; x <= 1.0; x += 0.01)
      for (double y = -1.0; y <= 1.0; y += 0.01) {
        const Height height = grid.at(x, y);
        highest = std::max(highest, height.z);
        steepest = std::max(steepest, std::hypot(height.slope_x, height.slope_y));
      }
    EXPECT_LE(highest, grid.limits().highest + 1e-15);
    EXPECT_LE(steepest, grid.limits().steepest + 1e-14);
    EXPECT_LT(grid.limits().highest, highest + 0.1) << "not so careful that it is of no use";
    EXPECT_LT(grid.limits().steepest, 3.0 * steepest);
  }
}

/// Straight lines between the nodes of |x|, with its valley at x = 0, and of −|x|, which has none.
TEST(HeightGrid, KnowsWhereItsCellsMeetInAValley) {
  HeightTable valley{3, 5, {2, 1, 0, 1, 2, 2, 1, 0, 1, 2, 2, 1, 0, 1, 2}};
  const HeightGrid grid(valley, 0.5, 1.0, Interpolation::bilinear), ridge(valley, 0.5, -1.0, Interpolation::bilinear);
  EXPECT_EQ(grid.sharpestNear(0.3, 0.0, 0.2), 0.0);
  EXPECT_TRUE(std::isinf(grid.sharpestNear(0.3, 0.0, 0.4)));
  EXPECT_TRUE(std::isinf(grid.sharpestNear(-0.3, 0.1, 0.4)));
  EXPECT_EQ(ridge.sharpestNear(0.3, 0.0, 0.4), 0.0);
  const HeightGrid twisted({2, 2, {0, 0, 0, 0.1}}, 0.5, 1.0, Interpolation::bilinear);
  EXPECT_NEAR(twisted.sharpestNear(0.0, 0.0, 0.1), 0.4, 1e-12);
}

TEST(HeightGrid, LimitsOfItsCurvatureHoldEverywhere) {
  EXPECT_TRUE(std::isinf(HeightGrid(randomTable(7, 5), 0.25, 1.0, Interpolation::bilinear).limits().sharpest));
  const HeightGrid grid(randomTable(7, 5), 0.25, 1.0, Interpolation::bicubic);
  constexpr double kBeside = 1e-5;
  double sharpest = 0.0;
  for (double x = -0.49; x <= 0.49; x += 0.01)
    for (double y = -0.74; y <= 0.74; y += 0.01) {
      const Height here = grid.at(x, y), beside = grid.at(x + kBeside, y), beyond = grid.at(x, y + kBeside);
      sharpest = std::max({sharpest, std::hypot(beside.slope_x - here.slope_x, beside.slope_y - here.slope_y) / kBeside,
                           std::hypot(beyond.slope_x - here.slope_x, beyond.slope_y - here.slope_y) / kBeside});
    }
  EXPECT_LE(sharpest, grid.limits().sharpest);
  EXPECT_LT(grid.limits().sharpest, 5.0 * sharpest) << "not so careful that it is of no use";
}

TEST(HeightField, IsAPlaneWhereTheHeightsAre) {
  for (const Interpolation interpolation : kBoth) {
    const auto grid = std::make_shared<HeightGrid>(slopeTable(9, 11, 0.2, 0.3, -0.5), 0.2, 1.0, interpolation);
    const Vector3d origin(1.0, 2.0, 0.5);
    const HeightField field(grid, origin, Material{0.8, 0.2});
    const Plane plane(origin, {-0.3, 0.5, 1.0}, 0.8, 0.2);
    std::mt19937 random(randomSeed(13));
    const Vector3d normal = Vector3d(-0.3, 0.5, 1.0).normalized();
    std::uniform_real_distribution<double> along(-0.3, 0.3), out(-0.55, 0.55);
    for (int i = 0; i < 100; ++i) {
      // Points and their feet stay away from the border, where cubic cells flatten.
      const double x = along(random), y = along(random);
      const Vector3d p_W = origin + Vector3d(x, y, 0.3 * x - 0.5 * y) + out(random) * normal;
      const SurfacePoint surface = field.at(p_W, 0.0), expected = plane.at(p_W, 0.0);
      EXPECT_NEAR(surface.gap, expected.gap, 1e-14);
      EXPECT_LT((surface.R_WC - expected.R_WC).norm(), 1e-13);
      EXPECT_EQ(surface.friction, 0.8);
      EXPECT_EQ(surface.restitution, 0.2);
    }
  }
}

TEST(HeightField, MeasuresAlongThePerpendicularOfCurvedGround) {
  // A bowl that is a part of a sphere: every perpendicular goes through its centre.
  const double radius = 2.0, distance = 0.1;
  const Vector3d center(0.0, 0.0, radius);
  const HeightField bowl(std::make_shared<FormulaMap>("2 - sqrt(4 - x^2 - y^2)", 2.0, 2.0), Vector3d::Zero(), {});
  for (const double angle : {0.0, 0.2, 0.4}) {
    const Vector3d normal(-std::sin(angle) * 0.6, -std::sin(angle) * 0.8, std::cos(angle));
    const SurfacePoint surface = bowl.at(center - (radius - distance) * normal, 0.0);
    // Each step leaves distance/radius = 1/20 of the way to the foot, at most 0.04 m; three leave 5e-6 m. That turns
    // the normal by 2.5e-6, and the gap by the square of it.
    EXPECT_NEAR(surface.gap, distance, 1e-10);
    EXPECT_LT((surface.R_WC.col(2) - normal).norm(), 5e-6);
  }
}

/// What is nearest to an edge or a tip is as far from the ground as from there; the sides are nearer as planes.
TEST(HeightField, MeasuresFromItsEdgesAndTips) {
  const HeightField pyramid(std::make_shared<FormulaMap>("-0.2 * max(x, -2 * x) - 0.3 * abs(y)", 8.0, 8.0),
                            Vector3d::Zero(), {});
  const Vector3d right(0.2, 0.3, 1.0), left(-0.4, 0.3, 1.0), behind(0.2, -0.3, 1.0), ridge(0.0, 1.0, -0.3);
  std::mt19937 random(randomSeed(17));
  std::uniform_real_distribution<double> share(0.02, 0.3);
  const auto expectNearest = [&](const Vector3d& nearest, const Vector3d& way) {
    const SurfacePoint surface = pyramid.at(nearest + way, 0.0);
    EXPECT_NEAR(surface.gap, way.norm(), 2e-9);
    EXPECT_LT((surface.R_WC.col(2) - way.normalized()).norm(), 1e-7);
  };
  for (int k = 0; k < 100; ++k) {
    expectNearest(Vector3d::Zero(), share(random) * right + share(random) * left + share(random) * behind);
    const double along = 1.0 + share(random);
    expectNearest(along * ridge, share(random) * right + share(random) * left);
    expectNearest(along * ridge + Vector3d(0.5, 0.0, -0.1), 0.5 * share(random) * right);
  }
}

/// Between the nodes of a bilinear table sides are hollow: seen from a ball their planes meet below the tip. Most are
/// found to 1e-7 m, four on the ridge beside the tip; the plane of one side would be 3 mm nearer.
TEST(HeightField, MeasuresFromHollowTips) {
  HeightTable table{5, 5, std::vector<double>(25, 0.0)};
  table.heights[12] = 0.1;
  const HeightField field(std::make_shared<HeightGrid>(table, 0.25, 1.0, Interpolation::bilinear), Vector3d::Zero(),
                          {});
  const Vector3d tip(0.0, 0.0, 0.1), right(0.4, 0.4, 1.0), left(-0.4, 0.4, 1.0), behind(0.4, -0.4, 1.0);
  std::mt19937 random(randomSeed(18));
  std::uniform_real_distribution<double> share(0.002, 0.03);
  int exact = 0;
  for (int k = 0; k < 100; ++k) {
    const Vector3d way = share(random) * right + share(random) * left + share(random) * behind;
    const SurfacePoint surface = field.at(tip + way, 0.0);
    EXPECT_NEAR(surface.gap, way.norm(), 1e-4);
    EXPECT_LT((surface.R_WC.col(2) - way.normalized()).norm(), 5e-3);
    exact += std::abs(surface.gap - way.norm()) < 1e-7;
  }
  EXPECT_GE(exact, 95);
}

TEST(HeightField, GoesOnLevelBeyondItsBorder) {
  const auto grid = std::make_shared<HeightGrid>(slopeTable(5, 5, 0.5, 0.2, 0.0), 0.5, 1.0, Interpolation::bilinear);
  const HeightField field(grid, Vector3d::Zero(), Material{});
  const SurfacePoint surface = field.at({7.0, 0.3, 0.25}, 0.0);
  EXPECT_NEAR(surface.gap, 0.05, 1e-15);
  EXPECT_LT((surface.R_WC.col(2) - Vector3d::UnitZ()).norm(), 1e-14);
}

TEST(HeightField, ClearanceIsNeverAboveTheGaps) {
  const auto grid = std::make_shared<HeightGrid>(randomTable(12, 12), 0.5);
  const HeightField field(grid, {0.1, 0.2, 0.3}, Material{});
  std::mt19937 random(randomSeed(14));
  std::uniform_real_distribution<double> any(-2.5, 2.5);
  int free = 0;
  for (int i = 0; i < 500; ++i) {
    const Vector3d center(any(random), any(random), std::abs(any(random)));
    const double bound = field.clearance(center, 0.15, 0.0);
    free += bound > 0.0;
    for (int k = 0; k < 30; ++k) {
      const Vector3d p_W = center + 0.15 * Vector3d(any(random), any(random), any(random)).normalized();
      EXPECT_GE(field.at(p_W, 0.0).gap, bound - 1e-14);
    }
  }
  EXPECT_GT(free, 250) << "most of these spheres are in the air";
}

TEST(HeightFile, ReadsRowsOfNumbers) {
  const HeightTable table = parseHeights("# metres\n0.1, 0.2,-0.3\n\n1e-2;5 6\r\n", "a.csv");
  EXPECT_EQ(table.rows, 2);
  EXPECT_EQ(table.columns, 3);
  EXPECT_EQ(table.heights, (std::vector<double>{0.1, 0.2, -0.3, 0.01, 5.0, 6.0}));
}

TEST(HeightFile, ReadsImages) {
  const std::vector<double> expected = {0.0, 0.2, 1.0, 0.4, 0.6, 0.8};
  const HeightTable text = parseHeights("P2 # text\n3 2 # size\n5\n0 1 5\n2 3 4\n", "a.pgm");
  EXPECT_EQ(text.rows, 2);
  EXPECT_EQ(text.columns, 3);
  EXPECT_EQ(text.heights, expected);
  const HeightTable bytes = parseHeights(std::string("P5\n3 2\n5\n\x00\x01\x05\x02\x03\x04", 15), "b.pgm");
  EXPECT_EQ(bytes.heights, expected);
  // Two bytes for a pixel, the high one first; the first one is a space, as the end of the header is.
  const HeightTable words = parseHeights(std::string("P5 2 1 16384\n\x20\x00\x40\x00", 17), "c.pgm");
  EXPECT_EQ(words.heights, (std::vector<double>{0.5, 1.0}));
}

TEST(HeightFile, NamesThePlaceThatIsWrong) {
  const auto error = [](const std::string& content) {
    return std::string(errorOf([&] { parseHeights(content, "h.csv"); }).what());
  };
  EXPECT_EQ(error("1,2\n3,oops\n"), "h.csv:2: 'oops' (value 2 of the line) is not a number");
  EXPECT_EQ(error("1,2\n3\n"), "h.csv:2: the row has 1 heights, expected 2 as in the rows before");
  EXPECT_EQ(error(""), "h.csv: there are no heights in the file");
  EXPECT_EQ(error("P2 2 2 9 1 2 3"), "h.csv: the pixel of the image at byte 14 is not a number from 0 to 9");
  EXPECT_EQ(error("P2 2 2 9 1 2 3 10"), "h.csv: the pixel of the image at byte 15 is not a number from 0 to 9");
  EXPECT_EQ(error("P5 2 2 9\nab"), "h.csv: the image ends after 2 bytes of pixels, expected 4");
  EXPECT_EQ(error("P5 2 2 0\n"), "h.csv: the largest value of the image is 0, expected 1 to 65535");
  EXPECT_NE(error("\x89PNG\r\n").find("convert it to PGM"), std::string::npos);
}

TEST(HeightField, NamesTheFieldThatIsWrong) {
  const auto problem = [](HeightTable table) { return errorOf([&] { HeightGrid(table, 0.1); }).problem(); };
  EXPECT_EQ(problem({2, 3, {0, 0, 0, 0, kNan, 0}}), "the height in row 2, column 2 is nan, expected a finite number");
  EXPECT_EQ(problem({0, 0, {}}), "the grid has 0 rows and 0 columns, expected 2 or more of each");
  EXPECT_EQ(problem({2, 2, {1, 2, 3}}), "there are 3 heights, expected 2 rows of 2");
  EXPECT_EQ(errorOf([] { HeightGrid(randomTable(2, 2), 0.0); }).where(), "ground.cell");
  EXPECT_EQ(errorOf([] { HeightGrid(randomTable(2, 2), 0.1, kNan); }).where(), "ground.scale");
  const auto grid = std::make_shared<HeightGrid>(randomTable(2, 2), 0.1);
  EXPECT_EQ(errorOf([&] { HeightField(grid, Vector3d::Zero(), {-0.1, 0.0}); }).where(), "ground.friction");
  EXPECT_EQ(errorOf([&] { HeightField(nullptr, Vector3d::Zero(), {}); }).where(), "ground.height");
  EXPECT_EQ(errorOf([&] { HeightField(grid, {0, kNan, 0}, {}); }).where(), "ground.origin");
}

}  // namespace
}  // namespace footfall
