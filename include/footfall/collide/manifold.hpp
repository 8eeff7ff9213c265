#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "footfall/collide/solid.hpp"

namespace footfall::collide {

/// A place where two solids touch, or could soon: p_WA - p_WB = gap · normal_W.
struct ManifoldPoint {
  Vector3d p_WA = Vector3d::Zero();      ///< on the surface of A [m]
  Vector3d p_WB = Vector3d::Zero();      ///< on the surface of B [m]
  Vector3d normal_W = Vector3d::Zero();  ///< from B towards A; a unit vector [-]
  double gap = 0.0;                      ///< signed distance along the normal, negative inside [m]
  std::uint32_t feature = 0;             ///< which corner, edge or face of each meet; the same from step to step
};

/// Scratch memory of manifold(): a fresh one gives the same bits. One for each thread.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(Scratch&&) noexcept;
  Scratch& operator=(Scratch&&) noexcept;

  struct Lists;
  Lists& lists() { return *lists_; }

 private:
  std::unique_ptr<Lists> lists_;
};

/// A direction along which two solids were farther apart than the margin when they were asked last. While they move
/// little it tells at once that they still are: it changes no answer, only how soon there is one.
struct Apart {
  Vector3d direction_S = Vector3d::Zero();  ///< in the frame of the one that comes first; zero: none is known
};

/// Appends every contact point of two solids whose gap is below `margin`; docs/collide.md says which points there are.
///
/// Seen from the other side, manifold(b, a), the points are the same ones in the same order with A and B exchanged and
/// the normal turned round, to the bit: the kinds are brought into order first, equal kinds by Placed::key. (Two
/// solids of one kind with the same key are taken as they come; the points then agree to rounding.)
///
/// Allocates nothing once `scratch` and `out` have had to hold as much before.
/// @param apart of these two, read and written; may be null
void manifold(const Placed& a, const Placed& b, double margin, Scratch& scratch, std::vector<ManifoldPoint>& out,
              Apart* apart = nullptr);

}  // namespace footfall::collide
