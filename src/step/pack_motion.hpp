#pragma once

#include "footfall/simd/internal/pack.hpp"

namespace footfall {

// What PackStep computes entry by entry and robot by robot, compiled for each instruction set. Entry k of robot r is at
// 8 k + r; of contacts, component c of contact i is entry c · contacts + i. Flags of robots are 1 or 0.

/// One number of each of eight robots.
using RobotPack = simd::Pack<8>;

/// The contacts of a pack: the numbers of PackStep that have these names.
struct PackContacts {
  int contacts;
  double dt, normal_x, normal_y, normal_z, ground_gap, restitution;
  double reach;             ///< contacts that are this near count, beside what they come closer in a step [m]
  double touching;          ///< nearer than this is closed [m]
  double sticking;          ///< slower than this along the ground is sticking [m/s]
  double impact_threshold;  ///< [m/s]
  double fall;              ///< of something at rest, in a step [m]
  double deep;              ///< what would end deeper than this, and than it was, has to be lifted [m]
  const double *place, *end_place, *v_middle, *v_middle_end, *v_end, *shift, *gap_shift, *G;
  double *v_start, *impulse, *part, *gap_start, *gap_middle, *active, *open, *next_shift;
};

struct PackMotion {
  /// to ← the posture half a step after `from`. Bases turn as by expQuaternion() from the left, by no more than
  /// kLittleTurn: the next terms of its series are below 1e-18.
  void (*integrate)(int joints, double half_step, const double* from, const double* velocity, double* to);
  /// to ← a · x + b · y
  void (*combine)(int entries, double a, const double* x, double b, const double* y, double* to);
  /// to ← x + b · y for robots that are asked for
  void (*addFor)(const RobotPack& asked, int entries, const double* x, double b, const double* y, double* to);
  /// to ← x for robots that are asked for
  void (*takeFor)(const RobotPack& asked, int entries, const double* x, double* to);

  /// As SecondOrderStep::anySlides(): with what is known in the middle.
  void (*anySlides)(const PackContacts& pack, RobotPack& slides);
  /// Contacts of slow robots are found in the middle, of others at the start. Writes all but gap_shift.
  /// @param others set where something strikes, or nothing is near: such robots have steps of another kind
  void (*findContacts)(const PackContacts& pack, const RobotPack& slow, RobotPack& others);
  /// As SecondOrderStep::setEndShift(), for robots that are asked for.
  /// @param lifts set where something would have to be lifted
  void (*setEndShift)(const PackContacts& pack, const RobotPack& asked, RobotPack& lifts);
  /// As SecondOrderStep::addShiftChanges() [√kg m/s].
  void (*shiftChange)(const PackContacts& pack, RobotPack& change);
  /// What contacts work in the middle, and what of it is accepted: as SecondOrderStep::makesEnergy() where nothing has
  /// been lifted [J].
  void (*contactWork)(const PackContacts& pack, double gravity_share, double turning_share, RobotPack& work,
                      RobotPack& accepted);
};

namespace baseline {
extern const PackMotion pack_motion;
}
#if defined(__x86_64__)
namespace avx2 {
extern const PackMotion pack_motion;
}
namespace avx512 {
extern const PackMotion pack_motion;
}
#endif

}  // namespace footfall
