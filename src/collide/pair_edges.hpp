#pragma once

#include <array>

#include "collide/pair.hpp"
#include "collide/segments.hpp"

namespace footfall::collide {

inline std::uint32_t featureAlong(const PairEdge& edge, double share) {
  return share == 0.0   ? vertexFeature(edge.ends[0])
         : share == 1.0 ? vertexFeature(edge.ends[1])
                        : edgeFeature(edge.index);
}

/// Where two segments that lie beside each other have an end.
class EndsOfStretch {
 public:
  EndsOfStretch(const PairEdge& a, const PairEdge& b)
      : EndsOfStretch(
            a, b, [&](double s) { return alongSegment(s == 0.0 ? a.from : a.to, b.from, b.to); },
            [&](double t) { return alongSegment(t == 0.0 ? b.from : b.to, a.from, a.to); }) {}

  /// The same with another idea of what is beside an end.
  /// @param beside_a share of b that is beside an end of a, which is 0 or 1
  /// @param beside_b the same for the ends of b
  template <class BesideA, class BesideB>
  EndsOfStretch(const PairEdge& a, const PairEdge& b, BesideA beside_a, BesideB beside_b) {
    for (const double s : {0.0, 1.0}) {
      const double t = beside_a(s);
      if (t >= 0.0 && t <= 1.0) ends_[count_++] = {s == 0.0 ? a.from : a.to, b.from + t * (b.to - b.from), s, t};
    }
    for (const double t : {0.0, 1.0}) {
      const double s = beside_b(t);
      if (s >= 0.0 && s <= 1.0) ends_[count_++] = {a.from + s * (a.to - a.from), t == 0.0 ? b.from : b.to, s, t};
    }
  }

  const NearestOfSegments* begin() const { return ends_.data(); }
  const NearestOfSegments* end() const { return ends_.data() + count_; }

 private:
  std::array<NearestOfSegments, 4> ends_;
  int count_ = 0;
};

/// The angle between them is below the one with this sine, squared.
inline bool areParallelTo(double sine_squared, const PairEdge& a, const PairEdge& b) {
  const Vector3d along_a = a.to - a.from, along_b = b.to - b.from;
  const double lengths = along_a.squaredNorm() * along_b.squaredNorm();
  return lengths > 0.0 && along_a.cross(along_b).squaredNorm() < sine_squared * lengths;
}

inline bool areNearlyParallel(const PairEdge& a, const PairEdge& b) { return areParallelTo(0.01, a, b); }

/// They cross, and yet what hits at the crossing may turn until their ends meet, within a step: these are points, too,
/// where they are nearer than the margin.
inline bool crossAtASmallAngle(const PairEdge& a, const PairEdge& b) {
  return areParallelTo(0.25, a, b) && !areNearlyParallel(a, b);
}

}  // namespace footfall::collide
