#pragma once

#include <array>
#include <span>
#include <vector>

#include "footfall/spatial/pose.hpp"

namespace footfall {

/// A growing convex polyhedron with triangular faces. It starts as a tetrahedron; addFarthest() makes one more point a
/// vertex, until no point lies outside.
///
/// Every outside point knows the face that it is farthest above, so the next vertex is the point that is farthest above
/// any face of all. Such a point is a vertex of the full hull too: what is built early is never thrown away.
class HullBuilder {
 public:
  struct Face {
    std::array<int, 3> vertices;    ///< indices of points, counter-clockwise seen from outside
    std::array<int, 3> neighbours;  ///< neighbours[i] lies across the edge from vertices[i] to the one that follows
    Vector3d normal = Vector3d::Zero();  ///< outward [-]
    double offset = 0.0;                 ///< normal · x = offset on the face [m]
    bool alive = false;

    double above(const Vector3d& p) const { return normal.dot(p) - offset; }
  };

  /// @param points must outlive the builder
  /// @param corners of the first tetrahedron, which must not be flat
  /// @param rounding distances that differ by less than this count as equal [m]
  HullBuilder(std::span<const Vector3d> points, const std::array<int, 4>& corners, double rounding);

  /// How far the farthest outside point is above a face; 0 when all are inside [m].
  double farthest() const;

  /// Makes the farthest outside point a vertex; there must be one.
  void addFarthest();

  int vertexCount() const { return (alive_count_ + 4) / 2; }  ///< Euler: a closed surface of F triangles
  const std::vector<int>& order() const { return order_; }    ///< points in the order in which they became vertices
  const std::vector<Face>& faces() const { return faces_; }   ///< those that are alive make the surface

  /// True distance of the farthest point that lies outside [m].
  double error() const;

 private:
  struct OutsidePoint {
    int point;
    int face;         ///< the face that it is farthest above
    double distance;  ///< above that face [m]
  };

  /// An edge between a face that goes (whose direction it has) and one that stays.
  struct HorizonEdge {
    int from, to;
    int outside_face;
  };

  void setPlane(Face& face) const;
  void listAlive();
  void assign(OutsidePoint& outside, std::span<const int> candidates) const;
  void dropInside();
  std::size_t chooseNext() const;
  bool isVisible(int face, const Vector3d& p) const;
  void markVisible(int face);
  void findVisible(int start, const Vector3d& p);
  void findHorizon();
  int takeSlot();
  void buildCone(int point);
  void updateOutside();
  double distanceTo(const Vector3d& p) const;

  std::span<const Vector3d> points_;
  double rounding_;
  Vector3d centre_ = Vector3d::Zero();  ///< some point inside
  std::vector<int> order_;
  std::vector<Face> faces_;
  int alive_count_ = 0;
  std::vector<OutsidePoint> outside_;

  // Scratch of addFarthest().
  std::vector<int> visible_, alive_, new_faces_, free_slots_;
  std::vector<char> is_visible_;
  std::vector<HorizonEdge> horizon_;
  std::vector<HorizonEdge> edge_from_;  ///< by point: the horizon edge that starts there
};

}  // namespace footfall
