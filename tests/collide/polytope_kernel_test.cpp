// Kernels ask all vertices and faces at once, whatever number there are, and say the same as one by one.

#include "collide/polytope_kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "collide/solids.hpp"

namespace footfall::collide {
namespace {

constexpr double kRounding = 1e-15;  // some products of numbers below one, fused or not

class PolytopeTables : public testing::TestWithParam<int> {
 protected:
  Polytope hull() {
    std::vector<Vector3d> points;
    for (int i = 0; i < GetParam(); ++i) points.push_back(0.3 * random_.direction());
    return hullPolytope(points);
  }
  RandomPoints random_{11};
  const PolytopeKernel& kernel_ = polytopeKernel();
};

TEST_P(PolytopeTables, SayWhichVertexIsLowest) {
  for (int trial = 0; trial < 50; ++trial) {
    const Polytope core = hull();
    const Vector3d d = random_.direction();
    double lowest = 0.0;
    const int found = kernel_.lowest(core.vertexTableCount(), core.vertex_table.data(), d.data(), &lowest);
    std::vector<double> along(core.vertexTableCount());
    kernel_.along(core.vertexTableCount(), core.vertex_table.data(), d.data(), along.data());
    ASSERT_LT(found, static_cast<int>(core.vertices.size()));
    EXPECT_EQ(lowest, along[found]);
    for (std::size_t i = 0; i < core.vertices.size(); ++i) {
      EXPECT_NEAR(along[i], d.dot(core.vertices[i]), kRounding);
      EXPECT_GE(along[i], lowest);
    }
  }
}

TEST_P(PolytopeTables, SayHowHighAPointIsAboveEachFace) {
  for (int trial = 0; trial < 50; ++trial) {
    const Polytope core = hull();
    const Vector3d p = random_.direction(), q = random_.direction();
    std::vector<double> height(core.faceTableCount()), lower(core.faceTableCount());
    kernel_.above(core.faceTableCount(), core.face_table.data(), p.data(), height.data());
    kernel_.above(core.faceTableCount(), core.face_table.data(), p.data(), lower.data());
    kernel_.lower(core.faceTableCount(), core.face_table.data(), q.data(), lower.data());
    for (std::size_t i = 0; i < core.faces.size(); ++i) {
      const auto heightOf = [&](const Vector3d& x) { return core.faces[i].normal.dot(x) - core.faces[i].offset; };
      EXPECT_NEAR(height[i], heightOf(p), kRounding);
      EXPECT_NEAR(lower[i], std::min(heightOf(p), heightOf(q)), kRounding);
    }
    const int highest = kernel_.highest(core.faceTableCount(), height.data());
    ASSERT_LT(highest, static_cast<int>(core.faces.size()));
    EXPECT_EQ(height[highest], *std::max_element(height.begin(), height.end()));
  }
}

INSTANTIATE_TEST_SUITE_P(Corners, PolytopeTables, testing::Values(4, 7, 8, 9, 16, 17, 61));

/// Of several that are as low or as high the first is taken, in whichever lanes they are: the same contact point from
/// step to step, and on every machine.
TEST(PolytopeKernel, TakesTheFirstOfEqualOnes) {
  const PolytopeKernel& kernel = polytopeKernel();
  for (int first = 0; first < 24; ++first)
    for (int second = first; second < 24; ++second) {
      std::vector<double> values(24, 0.0);
      values[first] = values[second] = 1.0;
      EXPECT_EQ(kernel.highest(24, values.data()), first);
      std::vector<double> vertices(72, 0.0);
      vertices[first] = vertices[second] = -1.0;
      const double x[3] = {1.0, 0.0, 0.0};
      double lowest = 0.0;
      EXPECT_EQ(kernel.lowest(24, vertices.data(), x, &lowest), first);
      EXPECT_EQ(lowest, -1.0);
    }
}

}  // namespace
}  // namespace footfall::collide
