#pragma once

#include "collide/clip.hpp"
#include "collide/round.hpp"

namespace footfall::collide {

/// Contact points of a round solid (the first of the pair) that face something flat or straight. Only those are added
/// that are not deeper than `deepest` [m].
class RoundPoints {
 public:
  RoundPoints(const Pair& pair, const Round& round, double deepest, PointWriter& writer)
      : pair_(pair), round_(round), deepest_(deepest), writer_(writer) {}

  /// Above a face of the second core: rims as on the ground, and what the sides of the face cut off.
  void addAboveFace(const FaceAxis& face);

  /// Corners and edges of the second core below the cap that looks along -normal.
  void addBelowCap(const Vector3d& normal, const std::vector<PairEdge>& edges);

  /// Along edges that are nearly parallel to the axis. Of those that cross it at a small angle the ends, too, where
  /// they are not nearer than `separation`, which is that of the cores along the normal.
  void addAlongSide(const Vector3d& normal, double separation, const std::vector<PairEdge>& edges);

 private:
  void addEndsBeside(const PairEdge& line, const PairEdge& edge, const Vector3d& normal, double separation);
  void add(const Vector3d& p, const Vector3d& normal, double distance, std::uint32_t of_first, std::uint32_t of_second);
  void addRim(bool upper, const FaceAxis& face, const FacePrism& prism);
  void addFlatRim(bool upper, const FaceAxis& face, const FacePrism& prism);
  void addCrossings(bool upper, int side, const FaceAxis& face, const FacePrism& prism);
  void addLine(const FaceAxis& face, const FacePrism& prism);

  const Pair& pair_;
  const Round& round_;
  double deepest_;
  PointWriter& writer_;
};

/// Sine of the tilt up to which a rim can lie flat, as on the ground; a steeper one rolls.
inline constexpr double kNearlyFlatRim = 0.5;
/// Sine of the angle between an axis and a plane up to which a solid lies on its side.
inline constexpr double kNearlyLying = 0.1;

}  // namespace footfall::collide
