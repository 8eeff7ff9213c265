#include "footfall/collide/polytope.hpp"

#include <gtest/gtest.h>

#include "collide/solids.hpp"

namespace footfall::collide {
namespace {

/// Every edge has two faces, every face is flat and looks outwards, and its edges join its corners.
void expectSound(const Polytope& p) {
  EXPECT_EQ(p.corners.size(), 2 * p.edges.size());
  EXPECT_EQ(p.faces_at.size(), p.corners.size());
  for (const Polytope::Face& face : p.faces) {
    EXPECT_NEAR(face.normal.norm(), 1.0, 1e-14);
    for (const Vector3d& v : p.vertices) EXPECT_LE(face.normal.dot(v), face.offset + 1e-14);
    for (int i = 0; i < face.corner_count; ++i) {
      const int here = p.corners[face.first_corner + i];
      const int next = p.corners[face.first_corner + (i + 1) % face.corner_count];
      const Polytope::Edge& edge = p.edges[p.corner_edges[face.first_corner + i]];
      EXPECT_EQ(std::min(here, next), std::min(edge.ends[0], edge.ends[1]));
      EXPECT_EQ(std::max(here, next), std::max(edge.ends[0], edge.ends[1]));
      const Vector3d inward = face.normal.cross(p.vertices[next] - p.vertices[here]).normalized();
      EXPECT_LT(std::min((edge.inward[0] - inward).norm(), (edge.inward[1] - inward).norm()), 1e-12);
      for (int k = 0; k < face.corner_count; ++k)
        EXPECT_GE(inward.dot(p.vertices[p.corners[face.first_corner + k]] - p.vertices[here]), -1e-9);
    }
  }
}

TEST(Polytope, ABoxHasSixRectangles) {
  const Polytope box = boxPolytope({1.0, 2.0, 3.0});
  expectSound(box);
  EXPECT_EQ(box.faces.size(), 6u);
  EXPECT_EQ(box.edges.size(), 12u);
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 4; ++side) {
      const Polytope::Edge& edge = box.edges[4 * axis + side];
      const Vector3d middle = 0.5 * (box.vertices[edge.ends[0]] + box.vertices[edge.ends[1]]);
      EXPECT_EQ(middle[axis], 0.0);
      EXPECT_EQ(middle[(axis + 1) % 3] > 0.0, (side & 1) != 0);
      EXPECT_EQ(middle[(axis + 2) % 3] > 0.0, (side & 2) != 0);
    }
}

TEST(Polytope, TheHullOfABoxIsTheBox) {
  std::vector<Vector3d> points = cornersOfBox({1.0, 2.0, 3.0});
  points.insert(points.end(), points.begin(), points.end());  // twice
  points.emplace_back(0.0, 0.0, 1.5);                         // in a face
  points.emplace_back(0.5, 1.0, 0.0);                         // in an edge
  const Polytope hull = hullPolytope(points);
  expectSound(hull);
  EXPECT_EQ(hull.vertices.size(), 8u);
  EXPECT_EQ(hull.faces.size(), 6u);
  EXPECT_EQ(hull.edges.size(), 12u);
}

TEST(Polytope, FacesThatSinglePrecisionBentAreFlat) {
  RandomPoints random(1);
  std::vector<Vector3d> points = cornersOfBox({0.1, 0.2, 0.3});
  for (Vector3d& p : points) p += random.inBox(1e-8);
  const Polytope hull = hullPolytope(points);
  EXPECT_EQ(hull.faces.size(), 6u);
}

TEST(Polytope, RandomHullsAreClosed) {
  RandomPoints random(2);
  for (int i = 0; i < 50; ++i) {
    const Polytope hull = hullPolytope(random.onSphere(4 + i));
    expectSound(hull);
    EXPECT_EQ(hull.vertices.size() + hull.faces.size(), hull.edges.size() + 2) << "Euler's formula";
  }
}

TEST(Polytope, FlatAndThinHullsHaveTheirDimension) {
  const Polytope polygon = hullPolytope(std::vector<Vector3d>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}});
  expectSound(polygon);
  EXPECT_EQ(polygon.dimension, 2);
  EXPECT_EQ(polygon.faces.size(), 2u);
  EXPECT_EQ(polygon.edges.size(), 4u);
  const Polytope segment = hullPolytope(std::vector<Vector3d>{{0, 0, 0}, {1, 0, 0}, {0.5, 0, 0}});
  EXPECT_EQ(segment.dimension, 1);
  EXPECT_EQ(segment.edges.size(), 1u);
  EXPECT_EQ(hullPolytope(std::vector<Vector3d>{{1, 2, 3}, {1, 2, 3}}).dimension, 0);
}

}  // namespace
}  // namespace footfall::collide
