#pragma once

#include "dynamics/native/contact_math.hpp"
#include "dynamics/native/link_sweeps.hpp"

/// Where the points of loops are, how far they are from closed, and how they accelerate.
namespace footfall::native::FOOTFALL_ISA {

/// A tie in the world: axes, and where both links have its point, from the base's origin.
struct PlacedTie {
  Rotation<double> R_WF;
  Vec3<double> p_a, p_b;

  FOOTFALL_INLINE Vec3<double> gap() const { return rotateBack(R_WF, p_b - p_a); }
};

/// place(k): of link k.
template <class Place>
FOOTFALL_INLINE PlacedTie placeTie(const LoopTie& tie, const Vec3<double>& p_WB, Place place) {
  PlacedTie placed{tie.R_AF, tie.p_A - p_WB, tie.p_B - p_WB};
  if (tie.link_a >= 0) {
    const LinkPlace a = place(tie.link_a);
    placed.R_WF = {rotate(a.R_WK, tie.R_AF.x), rotate(a.R_WK, tie.R_AF.y), rotate(a.R_WK, tie.R_AF.z)};
    placed.p_a = a.p + rotate(a.R_WK, tie.p_A);
  }
  if (tie.link_b >= 0) {
    const LinkPlace b = place(tie.link_b);
    placed.p_b = b.p + rotate(b.R_WK, tie.p_B);
  }
  return placed;
}

FOOTFALL_INLINE LinkPlace placeAtUpdate(const Scratch<double>& w, int k) { return {w.link[k].R_WK, w.link[k].p}; }

/// Calls f(row, component) for the rows of a tie.
template <class F>
FOOTFALL_INLINE void forRows(const LoopTie& tie, const Vec3<double>& components, F f) {
  if (tie.row[0] >= 0) f(tie.row[0], components.x);
  if (tie.row[1] >= 0) f(tie.row[1], components.y);
  if (tie.row[2] >= 0) f(tie.row[2], components.z);
}

FOOTFALL_INLINE void writeScrew(const Spatial<double>& wrench, int lane, double* screw) {
  double six[6];
  storeSix(wrench, six);
  for (int c = 0; c < 6; ++c) screw[48 * (lane / 8) + 8 * c + lane % 8] = six[c];
}

/// Gaps and screws of all rows at the last update. Both velocities of a row are taken at the point of link b: so a row
/// is the rate of its gap, wherever a slider has got to.
inline void placeTies(const Scratch<double>& w, LoopSet& set) {
  for (int t = 0; t < set.ties; ++t) {
    const LoopTie& tie = set.tie[t];
    const PlacedTie placed = placeTie(tie, w.p_WB, [&](int k) { return placeAtUpdate(w, k); });
    forRows(tie, placed.gap(), [&](int row, double gap) { set.gap[row] = gap; });
    const Vec3<double> axes[3] = {placed.R_WF.x, placed.R_WF.y, placed.R_WF.z};
    for (int c = 0; c < 3; ++c) {
      if (tie.row[c] < 0) continue;
      writeScrew({axes[c], cross(placed.p_b, axes[c])}, set.lane[tie.row[c]], set.screw);
    }
  }
}

// --- at another configuration ----------------------------------------------------------------------

/// Links beyond the moving joints; what carries both links of a loop may stay where it was at the last update.
FOOTFALL_INLINE void placeMovingLinks(const Tree& tree, const Scratch<double>& w, LoopSet& set, const double* q) {
  for (int m = 0; m < set.moving; ++m) set.position[m] = q[7 + tree.dof[set.moving_joint[m]]];
  for (int b = 0; b < set.balls; ++b)
    set.position[set.ball[b]] = halfAngle(ballPosition(tree, q, set.moving_joint[set.ball[b]]));
  sineCosine(set.moving, set.position, set.sine, set.cosine);
  for (int b = 0; b < set.balls; ++b) {
    const int m = set.ball[b];
    writeBallQuaternion(ballPosition(tree, q, set.moving_joint[m]), set.position[m], set.sine + m);
  }
  if (set.moves[0]) {
    set.place[0] = {jointAxes(tree.constants[0], rotationOfQuaternion(q[3], q[4], q[5], q[6])), {0.0, 0.0, 0.0}};
  }
  int next_ball = 0;
  for (int m = 0; m < set.moving; ++m) {
    const int k = set.moving_joint[m], parent = tree.parent[k];
    const LinkConstants& link = tree.constants[k];
    const LinkPlace before = set.moves[parent] ? set.place[parent] : placeAtUpdate(w, parent);
    const Rotation<double> R = jointAxes(link, before.R_WK);
    const Vec3<double> p = before.p + rotate(before.R_WK, link.p_PK);
    if (next_ball < set.balls && m == set.ball[next_ball]) {
      // All three joints of a ball move, or none.
      const Rotation<double> turned = turn(R, ballRotation(set.sine + m, set.cosine + m));
      set.place[k] = set.place[k + 1] = {R, p};
      set.place[k + 2] = {jointAxes(tree.constants[k + 2], turned), p};
      m += 2;
      ++next_ball;
    } else if (tree.prismatic[k]) {
      set.place[k] = {R, p + R.z * set.position[m]};
    } else {
      set.place[k] = {turnAboutZ(R, set.sine[m], set.cosine[m]), p};
    }
  }
}

/// Gaps of all rows at the configuration q.
inline void loopGapsAt(const Tree& tree, const Scratch<double>& w, LoopSet& set, const double* q, double* gap) {
  placeMovingLinks(tree, w, set, q);
  const Vec3<double> p_WB = set.moves[0] ? Vec3<double>{q[0], q[1], q[2]} : w.p_WB;
  const auto place = [&](int k) { return set.moves[k] ? set.place[k] : placeAtUpdate(w, k); };
  for (int t = 0; t < set.ties; ++t) {
    const PlacedTie placed = placeTie(set.tie[t], p_WB, place);
    forRows(set.tie[t], placed.gap(), [&](int row, double value) { gap[row] = value; });
  }
}

// --- accelerations ---------------------------------------------------------------------------------

/// J̇ ν of all rows at the last update.
inline void loopBias(const Tree& tree, const Scratch<double>& w, const LoopSet& set, double* a) {
  for (int t = 0; t < set.ties; ++t) {
    const LoopTie& tie = set.tie[t];
    const PlacedTie placed = placeTie(tie, w.p_WB, [&](int k) { return placeAtUpdate(w, k); });
    const ContactPlace<double> point = {placed.p_b, placed.R_WF};
    const auto velocityOf = [&](int k) { return k < 0 ? zeroSpatial<double>() : w.link[k].V; };
    const auto accelerationOf = [&](int k) {
      if (k < 0) return Vec3<double>{0.0, 0.0, 0.0};
      const Spatial<double> A = {w.link[k].A.lin + tree.gravity, w.link[k].A.ang};
      return contactAcceleration<true>(point, w.link[k].V, A);
    };
    const Spatial<double> V_a = velocityOf(tie.link_a);
    // What slides in link a with v while a turns: the axis turns with it, and so does the place where a is looked at.
    const Vec3<double> v = contactComponents<true>(point, velocityOf(tie.link_b)) - contactComponents<true>(point, V_a);
    const Vec3<double> relative = accelerationOf(tie.link_b) - accelerationOf(tie.link_a) - cross(V_a.ang, v) * 2.0;
    forRows(tie, rotateBack(placed.R_WF, relative), [&](int row, double value) { a[row] = value; });
  }
}

}  // namespace footfall::native::FOOTFALL_ISA
