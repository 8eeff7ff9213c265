#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "collide/polytope_kernel.hpp"
#include "footfall/collide/manifold.hpp"

namespace footfall::collide {

/// One of two solids, in the frame C of their pair: axes of the world, origin in the first solid's frame S. Far from
/// the origin of the world nothing is lost.
struct Part {
  const Solid& solid;
  const Polytope& core;
  Pose X_CS;

  /// Of the layer around the core; cylinders and circles have none, nor a core.
  double layer() const { return solid.isRound() ? 0.0 : solid.radius; }
  Vector3d vertex(int i) const { return X_CS * core.vertices[i]; }
  /// The vertex that is lowest along a direction of S.
  int lowestVertex(const Vector3d& direction_S) const {
    double along;
    return polytopeKernel().lowest(core.vertexTableCount(), core.vertex_table.data(), direction_S.data(), &along);
  }
  Vector3d faceNormal(int i) const { return X_CS.R * core.faces[i].normal; }
};

/// Two solids in their canonical order. Normals point from the second to the first.
struct Pair {
  Part first, second;
  double margin;  ///< between surfaces [m]
  double size;    ///< both together [m]

  double layers() const { return first.layer() + second.layer(); }
  double coreMargin() const { return margin + layers(); }
  double rounding() const { return 1e-12 * size; }  ///< distances that differ by less are equal [m]
  /// What faces and caps are preferred by, to what is curved: the direction of the latter is known to its root. [m]
  double preference() const { return 1e-14 * size; }
  double tiny() const { return 1e-9 * size; }  ///< points that are nearer to each other are one [m]
};

// Which part of a solid: 16 bits.
inline std::uint32_t vertexFeature(int i) { return static_cast<std::uint32_t>(i) & 0x3fff; }
inline std::uint32_t edgeFeature(int i) { return 0x4000u | (static_cast<std::uint32_t>(i) & 0x3fff); }
inline std::uint32_t faceFeature(int i) { return 0x8000u | (static_cast<std::uint32_t>(i) & 0x3fff); }
inline std::uint32_t pairFeature(std::uint32_t of_first, std::uint32_t of_second) { return of_first << 16 | of_second; }

/// Takes points as the canonical order sees them, leaves out those that are too far or there already, and writes the
/// others as the caller sees them.
class PointWriter {
 public:
  PointWriter(const Pair& pair, const Vector3d& origin_W, bool swapped, std::vector<ManifoldPoint>& out)
      : pair_(pair), origin_W_(origin_W), swapped_(swapped), out_(out), begin_(out.size()) {}

  /// @param p_C on the surface of the first solid
  /// @param normal from the second to the first
  void add(const Vector3d& p_C, const Vector3d& normal, double gap, std::uint32_t feature);

  /// The same for points of cores: the layers around them are taken off.
  void addOfCores(const Vector3d& p_C, const Vector3d& normal, double distance, std::uint32_t feature) {
    add(p_C - pair_.first.layer() * normal, normal, distance - pair_.layers(), feature);
  }

  std::size_t count() const { return out_.size() - begin_; }

 private:
  const Pair& pair_;
  Vector3d origin_W_;
  bool swapped_;
  std::vector<ManifoldPoint>& out_;
  std::size_t begin_;
};

inline bool isPoint(const Part& part) { return !part.solid.isRound() && part.core.dimension == 0; }

/// An edge in the frame of the pair; of a point one without length.
struct PairEdge {
  Vector3d from = Vector3d::Zero(), to = Vector3d::Zero();
  std::array<Vector3d, 2> inward = {Vector3d::Zero(), Vector3d::Zero()};
  int index = 0;
  std::array<int, 2> ends = {0, 0};
};

/// A corner of a polygon that is clipped.
struct ClipCorner {
  Vector3d p;
  double beyond;  ///< distance outside of the side that clips [m]
  int edge;       ///< towards the next corner: an edge of the incident solid, or -1 - side of the reference face
  std::uint32_t feature;  ///< already as of the pair
};

struct Scratch::Lists {
  std::vector<ClipCorner> polygon, clipped;
  std::vector<int> near_of_first, near_of_second;  ///< edges that can be nearest to each other
  std::vector<PairEdge> edges_of_first, edges_of_second;
  std::vector<double> along;   ///< some direction, of all vertices [m]
  std::vector<double> bounds;  ///< of what faces separate [m]; or distances of edges, squared [m²]
  struct AskedFace {
    int face;
    double separation;  ///< [m]
  };
  std::vector<AskedFace> asked;
};

}  // namespace footfall::collide
