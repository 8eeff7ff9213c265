// The face and the edges that separate two cores best are found without asking all of them; all of them say the same.

#include "collide/separation.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "collide/solids.hpp"

namespace footfall::collide {
namespace {

constexpr double kRounding = 1e-13;  // some hundred operations on numbers below one

struct Axes {
  double face, edges;  ///< best separation [m]
};

double leastAlong(const Part& part, const Vector3d& direction) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < static_cast<int>(part.core.vertices.size()); ++i)
    least = std::min(least, direction.dot(part.vertex(i)));
  return least;
}

double separationAlong(const Pair& pair, const Vector3d& normal) {
  return leastAlong(pair.first, normal) + leastAlong(pair.second, -normal);
}

/// Every face, and every pair of edges.
Axes askAll(const Pair& pair) {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  Axes best{kNone, kNone};
  for (int i = 0; i < static_cast<int>(pair.first.core.faces.size()); ++i)
    best.face = std::max(best.face, separationAlong(pair, -pair.first.faceNormal(i)));
  for (int i = 0; i < static_cast<int>(pair.second.core.faces.size()); ++i)
    best.face = std::max(best.face, separationAlong(pair, pair.second.faceNormal(i)));
  const auto alongOf = [](const Part& part, const Polytope::Edge& edge) {
    return Vector3d(part.vertex(edge.ends[1]) - part.vertex(edge.ends[0])).normalized();
  };
  for (const Polytope::Edge& a : pair.first.core.edges)
    for (const Polytope::Edge& b : pair.second.core.edges) {
      const Vector3d cross = alongOf(pair.first, a).cross(alongOf(pair.second, b));
      if (cross.norm() < 1e-6) continue;
      for (const double sign : {1.0, -1.0}) {
        const Vector3d normal = sign / cross.norm() * cross;
        const double of_edges = normal.dot(pair.first.vertex(a.ends[0]) - pair.second.vertex(b.ends[0]));
        const double of_cores = separationAlong(pair, normal);
        // Where other parts of a core are in the way, it is not the edges that separate.
        if (of_edges - of_cores < kRounding) best.edges = std::max(best.edges, of_cores);
      }
    }
  return best;
}

class Separation : public testing::TestWithParam<int> {
 protected:
  Body anyHull(const Vector3d& p) {
    std::vector<Vector3d> points;
    for (int i = 0; i < GetParam(); ++i) {
      const Vector3d d = random_.direction();
      points.emplace_back(0.1 * d.x(), 0.15 * d.y(), 0.07 * d.z());
    }
    return {hullShape({}, points), {random_.rotation(), p}};
  }
  RandomPoints random_{5};
};

TEST_P(Separation, IsThatOfAllFacesAndEdges) {
  int edges_win = 0, apart = 0;
  for (int trial = 0; trial < 150; ++trial) {
    const Body a = anyHull(Vector3d::Zero()), b = anyHull(random_.number(0.05, 0.3) * random_.direction());
    const Placed first = a.placed(1), second = b.placed(2);
    const Pair pair{{a.solid, a.solid.core, {first.X_WS.R, Vector3d::Zero()}},
                    {b.solid, b.solid.core, {second.X_WS.R, second.X_WS.p - first.X_WS.p}},
                    1.0,
                    a.solid.bound_S.radius + b.solid.bound_S.radius};
    Scratch scratch;
    const FaceAxis face = bestFace(pair, scratch.lists());
    const EdgeAxis edges = bestEdges(pair, face, scratch.lists());
    const Axes all = askAll(pair);
    EXPECT_NEAR(face.separation, all.face, kRounding);
    apart += std::max(all.face, all.edges) > 0.0;
    if (all.edges <= all.face + pair.tiny()) continue;
    EXPECT_NEAR(edges.separation, all.edges, kRounding);
    ++edges_win;
  }
  EXPECT_GT(edges_win, 5);
  EXPECT_GT(apart, 20);
  EXPECT_LT(apart, 145) << "some have to overlap";
}

INSTANTIATE_TEST_SUITE_P(Corners, Separation, testing::Values(4, 8, 20, 64));

}  // namespace
}  // namespace footfall::collide
