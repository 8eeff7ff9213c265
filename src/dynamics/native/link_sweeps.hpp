#pragma once

#include "dynamics/native/link_math.hpp"

/// The ways along the tree: outward for motion, inward for forces and inertias.
namespace footfall::native::FOOTFALL_ISA {

/// The state of the link before, kept in registers while a limb is followed.
template <class T>
struct Motion {
  Rotation<T> R;
  Vec3<T> p;
  Spatial<T> V, A;
};

// --- outward ---------------------------------------------------------------------------------------

/// Calls one(k) for every joint with one coordinate, and ball(k) for the first of the three joints of every ball, in
/// their order.
template <class One, class Ball>
FOOTFALL_INLINE void forJoints(const Tree& tree, One one, Ball ball) {
  int k = 1;
  for (int b = 0; b < tree.balls; ++b) {
    for (; k < tree.ball[b]; ++k) one(k);
    ball(k);
    k += 3;
  }
  for (; k < tree.links; ++k) one(k);
}

/// Half of the angle of a rotation vector, and never zero: the quotient of its sine and of itself is 1 in the limit.
template <class T>
FOOTFALL_INLINE T halfAngle(const Vec3<T>& theta) {
  constexpr double kTiny = 1e-280;
  return squareRoot(dot(theta, theta) + broadcast<T>(kTiny)) * 0.5;
}

/// The quaternion of the ball whose half angle has the sine and cosine that stand at its first joint.
template <class T>
FOOTFALL_INLINE void writeBallQuaternion(const Vec3<T>& theta, const T& half_angle, T* sine) {
  const T ratio = sine[0] / (half_angle + half_angle);
  sine[0] = theta.x * ratio, sine[1] = theta.y * ratio, sine[2] = theta.z * ratio;
}

template <class T>
FOOTFALL_INLINE Vec3<T> ballPosition(const Tree& tree, const T* q, int k) {
  return {q[7 + tree.dof[k]], q[7 + tree.dof[k + 1]], q[7 + tree.dof[k + 2]]};
}

template <class T>
FOOTFALL_INLINE Rotation<T> ballRotation(const T* sine, const T* cosine) {
  return rotationOfQuaternion(sine[0], sine[1], sine[2], cosine[0]);
}

template <class T>
FOOTFALL_INLINE void readJointPositions(const Tree& tree, const T* q, Scratch<T>& w) {
  for (int k = 1; k < tree.links; ++k) w.position[k] = q[7 + tree.dof[k]];
  for (int b = 0; b < tree.balls; ++b) w.position[tree.ball[b]] = halfAngle(ballPosition(tree, q, tree.ball[b]));
  sineCosine(tree.links * Width<T>::kRobots, reinterpret_cast<const double*>(w.position),
             reinterpret_cast<double*>(w.sine), reinterpret_cast<double*>(w.cosine));
  for (int b = 0; b < tree.balls; ++b) {
    const int k = tree.ball[b];
    writeBallQuaternion(ballPosition(tree, q, k), w.position[k], w.sine + k);
  }
}

template <class T>
FOOTFALL_INLINE void readJointVelocities(const Tree& tree, const T* nu, Scratch<T>& w) {
  for (int k = 1; k < tree.links; ++k) w.velocity[k] = nu[tree.base_dofs + tree.dof[k]];
}

template <class T>
FOOTFALL_INLINE Spatial<T> baseVelocity(const Tree& tree, const T* nu) {
  if (!tree.floating_base) return zeroSpatial<T>();
  return {{nu[0], nu[1], nu[2]}, {nu[3], nu[4], nu[5]}};
}

template <class T>
FOOTFALL_INLINE Motion<T> placeBase(const Tree& tree, const T* q, const T* nu, Scratch<T>& w) {
  w.p_WB = {q[0], q[1], q[2]};
  Motion<T> m;
  m.R = jointAxes(tree.constants[0], rotationOfQuaternion(q[3], q[4], q[5], q[6]));
  m.p = {T{}, T{}, T{}};
  m.V = baseVelocity(tree, nu);
  m.A = baseAcceleration(tree.gravity, m.V);
  return m;
}

/// From the parent's motion to the link's; returns the joint's twist of unit speed.
template <class T>
FOOTFALL_INLINE Spatial<T> placeLink(const Tree& tree, const Scratch<T>& w, int k, Motion<T>& m) {
  const LinkConstants& link = tree.constants[k];
  const Rotation<T> R = jointAxes(link, m.R);
  m.p = m.p + rotate(m.R, link.p_PK);
  if (tree.prismatic[k]) [[unlikely]] {
    m.R = R;
    m.p = m.p + R.z * w.position[k];
    return slidingTwist(R.z);
  }
  m.R = turnAboutZ(R, w.sine[k], w.cosine[k]);
  return turningTwist(R.z, m.p);
}

/// Adds the joint's own motion to that of the parent.
template <class T>
FOOTFALL_INLINE void addJointMotion(const Spatial<T>& S, const T& speed, Spatial<T>& V, Spatial<T>& A) {
  const Spatial<T> own = S * speed;
  V = V + own;
  A = addTwistCross(A, V, own);
}

/// What a sweep outward leaves behind: how links move, or beside that what the sweep inward needs.
enum class Outward { motions, all };

template <Outward kWhat, class T>
FOOTFALL_INLINE void storeLink(const Tree& tree, Scratch<T>& w, int k, const Motion<T>& m) {
  w.link[k] = {m.R, m.p, m.V, m.A};
  if constexpr (Width<T>::kRobots == 1 && kWhat == Outward::all) {
    w.inertia[k] = linkInertia(tree.constants[k], m.R, m.p);
  }
}

template <Outward kWhat, class T>
FOOTFALL_INLINE void storeAxis(const Spatial<T>& S, Scratch<T>& w, int k) {
  if constexpr (kWhat == Outward::all) storeSix(S, w.S[k].v);
}

/// Adds the motion of a part of a ball. The three axes stay in the joint frame, whatever the other parts do: their
/// rates are those of the parent's motion.
template <class T>
FOOTFALL_INLINE void addBallMotion(const Spatial<T>& V_parent, const Spatial<T>& S, const T& speed, Spatial<T>& V,
                                   Spatial<T>& A) {
  const Spatial<T> own = S * speed;
  V = V + own;
  A = addTwistCross(A, V_parent, own);
}

/// The three links of a ball, from the parent's motion: two without mass that have the axes of the joint frame, and
/// the one that has turned.
template <Outward kWhat, class T>
FOOTFALL_INLINE void placeBall(const Tree& tree, Scratch<T>& w, int k, Motion<T>& m) {
  const Spatial<T> V_parent = m.V;
  const LinkConstants& first = tree.constants[k];
  const Rotation<T> R_WJ = jointAxes(first, m.R);
  m.p = m.p + rotate(m.R, first.p_PK);
  const Vec3<T> axes[3] = {R_WJ.x, R_WJ.y, R_WJ.z};
  m.R = R_WJ;
  for (int part = 0; part < 3; ++part) {
    if (part == 2) m.R = jointAxes(tree.constants[k + 2], turn(R_WJ, ballRotation(w.sine + k, w.cosine + k)));
    const Spatial<T> S = turningTwist(axes[part], m.p);
    storeAxis<kWhat>(S, w, k + part);
    addBallMotion(V_parent, S, w.velocity[k + part], m.V, m.A);
    storeLink<kWhat>(tree, w, k + part, m);
  }
}

/// From the motion of the parent to that of the link that a joint with one coordinate moves.
template <Outward kWhat, class T>
FOOTFALL_INLINE void followJoint(const Tree& tree, Scratch<T>& w, int k, Motion<T>& m) {
  const Spatial<T> S = placeLink(tree, w, k, m);
  storeAxis<kWhat>(S, w, k);
  addJointMotion(S, w.velocity[k], m.V, m.A);
  storeLink<kWhat>(tree, w, k, m);
}

/// Where the joints and the base are, and how fast they move: what links are placed by.
template <Outward kWhat, class T>
FOOTFALL_INLINE Motion<T> readMotion(const Tree& tree, const T* q, const T* nu, Scratch<T>& w) {
  readJointPositions(tree, q, w);
  readJointVelocities(tree, nu, w);
  const Motion<T> m = placeBase(tree, q, nu, w);
  storeLink<kWhat>(tree, w, 0, m);
  return m;
}

/// Poses, velocities and accelerations of all links, and their inertias and axes.
template <Outward kWhat, class T>
void sweepOutward(const Tree& tree, const T* q, const T* nu, Scratch<T>& w) {
  Motion<T> m = readMotion<kWhat>(tree, q, nu, w);
  const auto follow = [&](int k) FOOTFALL_INLINE_LAMBDA {
    const int parent = tree.parent[k];
    if (parent != k - 1) m = {w.link[parent].R_WK, w.link[parent].p, w.link[parent].V, w.link[parent].A};
  };
  forJoints(
      tree,
      [&](int k) FOOTFALL_INLINE_LAMBDA {
        follow(k);
        followJoint<kWhat>(tree, w, k, m);
      },
      [&](int k) FOOTFALL_INLINE_LAMBDA {
        follow(k);
        placeBall<kWhat>(tree, w, k, m);
      });
}

/// The same without inertias and axes, of some links, parents first; what is not listed of their ways is known. Of
/// robots without ball joints.
template <class T>
void placeLinks(const Tree& tree, Scratch<T>& w, const int* links, int count) {
  Motion<T> m{};
  int last = -1;
  for (int i = 0; i < count; ++i) {
    const int k = links[i], parent = tree.parent[k];
    if (parent != last) m = {w.link[parent].R_WK, w.link[parent].p, w.link[parent].V, w.link[parent].A};
    followJoint<Outward::motions>(tree, w, k, m);
    last = k;
  }
}

/// What a sweep for motions alone has left out.
template <class T>
void addInertias(const Tree& tree, Scratch<T>& w) {
  if constexpr (Width<T>::kRobots != 1) return;
  for (int k = 0; k < tree.links; ++k) {
    w.inertia[k] = linkInertia(tree.constants[k], w.link[k].R_WK, w.link[k].p);
  }
}

/// Velocities and accelerations alone, where the poses are already known.
template <class T>
void sweepVelocitiesOutward(const Tree& tree, const T* nu, Scratch<T>& w) {
  readJointVelocities(tree, nu, w);
  w.link[0].V = baseVelocity(tree, nu);
  w.link[0].A = baseAcceleration(tree.gravity, w.link[0].V);
  forJoints(
      tree,
      [&](int k) FOOTFALL_INLINE_LAMBDA {
        LinkState<T>& link = w.link[k];
        const LinkState<T>& parent = w.link[tree.parent[k]];
        Spatial<T> V = parent.V, A = parent.A;
        addJointMotion(spatial(w.S[k]), w.velocity[k], V, A);
        link.V = V, link.A = A;
      },
      [&](int k) FOOTFALL_INLINE_LAMBDA {
        const Spatial<T> V_parent = w.link[tree.parent[k]].V;
        Spatial<T> V = V_parent, A = w.link[tree.parent[k]].A;
        for (int part = k; part < k + 3; ++part) {
          addBallMotion(V_parent, spatial(w.S[part]), w.velocity[part], V, A);
          w.link[part].V = V, w.link[part].A = A;
        }
      });
}

// --- inward ----------------------------------------------------------------------------------------

template <class T>
FOOTFALL_INLINE void clear(T& value) {
  std::memset(static_cast<void*>(&value), 0, sizeof(T));
}

/// Of link k alone: remembered, or computed again for a pack, where memory is scarcer than products.
template <class T>
FOOTFALL_INLINE decltype(auto) inertiaOf(const Tree& tree, const Scratch<T>& w, int k) {
  if constexpr (Width<T>::kRobots == 1) {
    return static_cast<const Inertia<T>&>(w.inertia[k]);
  } else {
    if (w.own_mass != nullptr)
      return linkInertia(ownInertia(tree.constants[k], w.own_mass[k]), w.link[k].R_WK, w.link[k].p);
    return linkInertia(tree.constants[k], w.link[k].R_WK, w.link[k].p);
  }
}

/// Calls f(mass, mass of the subtree) of link k: numbers that all robots share, or one for each.
template <class T, class F>
FOOTFALL_INLINE decltype(auto) withMass(const Tree& tree, const Scratch<T>& w, int k, F f) {
  if constexpr (Width<T>::kRobots != 1) {
    if (w.own_mass != nullptr) return f(w.own_mass[k].mass, w.own_mass[k].subtree_mass);
  }
  return f(tree.constants[k].mass, tree.constants[k].subtree_mass);
}

template <class T>
FOOTFALL_INLINE T wholeMass(const Tree& tree, const Scratch<T>& w) {
  if constexpr (Width<T>::kRobots != 1) {
    if (w.own_mass != nullptr) return w.own_mass[0].subtree_mass;
  }
  return broadcast<T>(tree.constants[0].subtree_mass);
}

template <class T>
Totals<T> sumOverLinks(const Tree& tree, const Scratch<T>& w) {
  Totals<T> totals{};
  T twice = T{};
  for (int k = 0; k < tree.links; ++k) {
    const Inertia<T>& I = inertiaOf(tree, w, k);
    const Spatial<T> momentum = withMass(tree, w, k, [&](const auto& mass, const auto&) FOOTFALL_INLINE_LAMBDA {
      return multiply(mass, I, w.link[k].V);
    });
    totals.momentum = totals.momentum + momentum;
    totals.first = totals.first + I.first;
    twice = twice + dot(momentum, w.link[k].V);
  }
  totals.kinetic_energy = twice * 0.5;
  return totals;
}

/// Force that link k alone needs for its motion.
template <class T>
FOOTFALL_INLINE Spatial<T> forceOn(const Tree& tree, const Scratch<T>& w, int k, const Inertia<T>& I) {
  return withMass(tree, w, k, [&](const auto& mass, const auto&) FOOTFALL_INLINE_LAMBDA {
    return linkForce(mass, I, w.link[k].V, w.link[k].A);
  });
}

/// Row of joint k of the mass matrix: the force of its subtree when the joint accelerates, as all joints below feel it.
template <class T>
FOOTFALL_INLINE void writeMassRow(const Tree& tree, Scratch<T>& w, int k, const Inertia<T>& subtree) {
  const Spatial<T> S = spatial(w.S[k]);
  const Spatial<T> force = withMass(
      tree, w, k, [&](const auto&, const auto& mass) FOOTFALL_INLINE_LAMBDA { return multiply(mass, subtree, S); });
  T* row = w.M + w.row[k];
  if (tree.floating_base) storeSix(force, row);
  row += w.row_base;
  const int* path = tree.path + tree.path_begin[k];
  const int depth = tree.depth[k];
  for (int d = 0; d < depth; ++d) row[d] = dot(force, spatial(w.S[path[d]]));
  row[depth] = dot(force, S) + tree.reflected[k];
}

/// Rows of the base: the inertia of the whole robot.
template <class T>
FOOTFALL_INLINE void writeBaseMass(const T& m, const Inertia<T>& I, Six<T>* rows) {
  const T o = T{};
  const Vec3<T>& c = I.first;
  const T dense[6][6] = {{m, o, o, o, c.z, -c.y},          {o, m, o, -c.z, o, c.x},
                         {o, o, m, c.y, -c.x, o},          {o, -c.z, c.y, I.xx, I.xy, I.xz},
                         {c.z, o, -c.x, I.xy, I.yy, I.yz}, {-c.y, c.x, o, I.xz, I.yz, I.zz}};
  for (int r = 0; r < 6; ++r) {
    for (int c6 = 0; c6 < 6; ++c6) rows[r].v[c6] = dense[r][c6];
  }
}

template <class T>
FOOTFALL_INLINE void clearBranches(const Tree& tree, Scratch<T>& w) {
  for (int k = 0; k < tree.links; ++k) {
    if (tree.branches[k]) clear(w.branch[k]);
  }
}

/// The next link of a limb hands its load down in registers, a tip starts from zero; side branches leave theirs in
/// w.branch.
template <class T>
FOOTFALL_INLINE void gatherLoad(const Tree& tree, const Scratch<T>& w, int k, Load<T>& load) {
  const Inertia<T>& I = inertiaOf(tree, w, k);
  load = {load.inertia + I, load.force + forceOn(tree, w, k, I)};
  if (tree.branches[k]) load = load + w.branch[k];
}

template <class T>
FOOTFALL_INLINE void addCouplings(const Tree& tree, Scratch<T>& w) {
  for (int c = 0; c < tree.couplings; ++c) {
    const PathCoupling& coupling = tree.coupling[c];
    w.M[w.row[coupling.joint] + w.row_base + coupling.depth] += broadcast<T>(coupling.inertia);
  }
}

/// The mass matrix and the bias forces, from the links' inertias and motions.
template <class T>
void sweepInward(const Tree& tree, Scratch<T>& w) {
  clearBranches(tree, w);
  Load<T> load{};
  for (int k = tree.links - 1; k > 0; --k) {
    gatherLoad(tree, w, k, load);
    w.h[k] = dot(spatial(w.S[k]), load.force);
    writeMassRow(tree, w, k, load.inertia);
    const int parent = tree.parent[k];
    if (parent == k - 1) continue;
    w.branch[parent] = w.branch[parent] + load;
    load = Load<T>{};
  }
  gatherLoad(tree, w, 0, load);
  w.h_base = load.force;
  writeBaseMass(wholeMass(tree, w), load.inertia, w.M_base);
  addCouplings(tree, w);
}

/// Adds up the forces on the links: what every joint has to hold. force(k): needed by link k alone.
template <class T, class ForceOfLink>
FOOTFALL_INLINE Spatial<T> sumForces(const Tree& tree, Scratch<T>& w, T* joint_force, ForceOfLink force) {
  for (int k = 0; k < tree.links; ++k) w.branch[k].force = force(k);
  for (int k = tree.links - 1; k > 0; --k) {
    const Spatial<T> f = w.branch[k].force;
    joint_force[k] = dot(spatial(w.S[k]), f);
    Spatial<T>& below = w.branch[tree.parent[k]].force;
    below = below + f;
  }
  return w.branch[0].force;
}

template <class T>
void sweepForcesInward(const Tree& tree, Scratch<T>& w) {
  w.h_base = sumForces(tree, w, w.h, [&](int k) { return forceOn(tree, w, k, inertiaOf(tree, w, k)); });
}

/// h at ν = 0: in w.x for the joints; returns that of the base.
template <class T>
Spatial<T> sweepGravityInward(const Tree& tree, Scratch<T>& w) {
  const Vec3<double>& g = tree.gravity;
  const Spatial<T> up = {{broadcast<T>(-g.x), broadcast<T>(-g.y), broadcast<T>(-g.z)}, {T{}, T{}, T{}}};
  return sumForces(tree, w, w.x, [&](int k) {
    return withMass(tree, w, k, [&](const auto& mass, const auto&) FOOTFALL_INLINE_LAMBDA {
      return multiply(mass, inertiaOf(tree, w, k), up);
    });
  });
}

}  // namespace footfall::native::FOOTFALL_ISA
