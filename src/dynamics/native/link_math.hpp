#pragma once

#include "dynamics/native/scalar.hpp"

/// The maths of one link: pure functions, no traversal and no storage. All spatial vectors are at the base's origin in
/// world axes, so that nothing has to be transformed on the way along a limb. T: a scalar or lanes of scalars.
namespace footfall::native::FOOTFALL_ISA {

// --- vectors ---------------------------------------------------------------------------------------

template <class T>
FOOTFALL_INLINE Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

template <class T>
FOOTFALL_INLINE Vec3<T> operator-(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

template <class T, class S>
FOOTFALL_INLINE Vec3<T> operator*(const Vec3<T>& a, const S& s) {
  return {a.x * s, a.y * s, a.z * s};
}

template <class T>
FOOTFALL_INLINE Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// c + a × b, in an order that suits fused multiply-adds.
template <class T>
FOOTFALL_INLINE Vec3<T> addCross(const Vec3<T>& c, const Vec3<T>& a, const Vec3<T>& b) {
  return {c.x + a.y * b.z - a.z * b.y, c.y + a.z * b.x - a.x * b.z, c.z + a.x * b.y - a.y * b.x};
}

template <class T>
FOOTFALL_INLINE T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class T, class S>
FOOTFALL_INLINE Vec3<T> rotate(const Rotation<T>& R, const Vec3<S>& v) {
  return R.x * v.x + R.y * v.y + R.z * v.z;
}

template <class T>
FOOTFALL_INLINE Vec3<T> rotateBack(const Rotation<T>& R, const Vec3<T>& v) {
  return {dot(R.x, v), dot(R.y, v), dot(R.z, v)};
}

// --- twists and wrenches ---------------------------------------------------------------------------

template <class T>
FOOTFALL_INLINE Spatial<T> zeroSpatial() {
  return {{T{}, T{}, T{}}, {T{}, T{}, T{}}};
}

template <class T>
FOOTFALL_INLINE Spatial<T> operator+(const Spatial<T>& a, const Spatial<T>& b) {
  return {a.lin + b.lin, a.ang + b.ang};
}

template <class T>
FOOTFALL_INLINE Spatial<T> operator*(const Spatial<T>& a, const T& s) {
  return {a.lin * s, a.ang * s};
}

template <class T>
FOOTFALL_INLINE T dot(const Spatial<T>& a, const Spatial<T>& b) {
  return dot(a.lin, b.lin) + dot(a.ang, b.ang);
}

template <class T>
FOOTFALL_INLINE Spatial<T> spatial(const Six<T>& s) {
  return {{s.v[0], s.v[1], s.v[2]}, {s.v[3], s.v[4], s.v[5]}};
}

template <class T>
FOOTFALL_INLINE void storeSix(const Spatial<T>& s, T* v) {
  v[0] = s.lin.x, v[1] = s.lin.y, v[2] = s.lin.z;
  v[3] = s.ang.x, v[4] = s.ang.y, v[5] = s.ang.z;
}

/// Rate of a twist that is carried along with V.
template <class T>
FOOTFALL_INLINE Spatial<T> addTwistCross(const Spatial<T>& a, const Spatial<T>& V, const Spatial<T>& twist) {
  return {addCross(addCross(a.lin, V.ang, twist.lin), V.lin, twist.ang), addCross(a.ang, V.ang, twist.ang)};
}

/// Rate of a momentum that is carried along with V.
template <class T>
FOOTFALL_INLINE Spatial<T> addWrenchCross(const Spatial<T>& a, const Spatial<T>& V, const Spatial<T>& momentum) {
  return {addCross(a.lin, V.ang, momentum.lin), addCross(addCross(a.ang, V.ang, momentum.ang), V.lin, momentum.lin)};
}

// --- inertia ---------------------------------------------------------------------------------------

template <class T>
FOOTFALL_INLINE Inertia<T> operator+(const Inertia<T>& a, const Inertia<T>& b) {
  return {a.first + b.first, a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
}

template <class T>
FOOTFALL_INLINE Load<T> operator+(const Load<T>& a, const Load<T>& b) {
  return {a.inertia + b.inertia, a.force + b.force};
}

template <class T, class Mass>
FOOTFALL_INLINE Spatial<T> multiply(const Mass& mass, const Inertia<T>& I, const Spatial<T>& V) {
  const Vec3<T>& w = V.ang;
  const Vec3<T> turning = {I.xx * w.x + I.xy * w.y + I.xz * w.z, I.xy * w.x + I.yy * w.y + I.yz * w.z,
                           I.xz * w.x + I.yz * w.y + I.zz * w.z};
  return {addCross(V.lin * mass, w, I.first), addCross(turning, I.first, V.lin)};
}

/// Mass distribution of a link of which each robot has its own: the part of LinkConstants that linkInertia() needs.
template <class T>
struct OwnInertia {
  Vec3<T> com;
  T mass, a, b, e, f, zz;
};

template <class T>
FOOTFALL_INLINE OwnInertia<T> ownInertia(const LinkConstants& link, const OwnMass<T>& own) {
  const T& s = own.turning;
  return {own.com, own.mass, s * link.a, s * link.b, s * link.e, s * link.f, s * link.zz};
}

/// Inertia of a link whose frame K has the axes R_WK and the origin p.
template <class Link, class T>
FOOTFALL_INLINE Inertia<T> linkInertia(const Link& link, const Rotation<T>& R_WK, const Vec3<T>& p) {
  const Vec3<T> c = p + rotate(R_WK, link.com);
  const Vec3<T> mc = c * link.mass;
  // R (I_com - zz 1) Rᵀ with the structure of I_com in K
  const Vec3<T> X = R_WK.x * link.a + R_WK.z * link.e;
  const Vec3<T> Y = R_WK.y * link.b + R_WK.z * link.f;
  const Vec3<T> Z = R_WK.x * link.e + R_WK.y * link.f;
  const Rotation<T>& R = R_WK;
  const T cxx = c.x * mc.x, cyy = c.y * mc.y, czz = c.z * mc.z;
  return {mc,
          X.x * R.x.x + Y.x * R.y.x + Z.x * R.z.x + (cyy + czz) + link.zz,
          X.x * R.x.y + Y.x * R.y.y + Z.x * R.z.y - c.x * mc.y,
          X.x * R.x.z + Y.x * R.y.z + Z.x * R.z.z - c.x * mc.z,
          X.y * R.x.y + Y.y * R.y.y + Z.y * R.z.y + (cxx + czz) + link.zz,
          X.y * R.x.z + Y.y * R.y.z + Z.y * R.z.z - c.y * mc.z,
          X.z * R.x.z + Y.z * R.y.z + Z.z * R.z.z + (cxx + cyy) + link.zz};
}

// --- kinematics ------------------------------------------------------------------------------------

/// Rotation from a unit quaternion (x, y, z, w).
template <class T>
FOOTFALL_INLINE Rotation<T> rotationOfQuaternion(const T& x, const T& y, const T& z, const T& w) {
  const T tx = x + x, ty = y + y, tz = z + z;
  const T xx = tx * x, yy = ty * y, zz = tz * z, xy = tx * y, xz = tx * z, yz = ty * z;
  const T wx = tx * w, wy = ty * w, wz = tz * w;
  return {{1.0 - yy - zz, xy + wz, xz - wy}, {xy - wz, 1.0 - xx - zz, yz + wx}, {xz + wy, yz - wx, 1.0 - xx - yy}};
}

/// Axes of a link's frame before its joint turns.
template <class T>
FOOTFALL_INLINE Rotation<T> jointAxes(const LinkConstants& link, const Rotation<T>& R_WP) {
  return {rotate(R_WP, link.R_PK.x), rotate(R_WP, link.R_PK.y), rotate(R_WP, link.R_PK.z)};
}

template <class T>
FOOTFALL_INLINE Rotation<T> turnAboutZ(const Rotation<T>& R, const T& sine, const T& cosine) {
  return {R.x * cosine + R.y * sine, R.y * cosine - R.x * sine, R.z};
}

/// R, then turned by another rotation whose columns are in R's axes.
template <class T>
FOOTFALL_INLINE Rotation<T> turn(const Rotation<T>& R, const Rotation<T>& by) {
  return {rotate(R, by.x), rotate(R, by.y), rotate(R, by.z)};
}

/// Twist of a body that turns about the axis through p with unit speed.
template <class T>
FOOTFALL_INLINE Spatial<T> turningTwist(const Vec3<T>& axis, const Vec3<T>& p) {
  return {cross(p, axis), axis};
}

template <class T>
FOOTFALL_INLINE Spatial<T> slidingTwist(const Vec3<T>& axis) {
  return {axis, {T{}, T{}, T{}}};
}

// --- dynamics --------------------------------------------------------------------------------------

/// Acceleration of the base at ν̇ = 0, less gravity. ν̇ counts the base's origin as it moves, a spatial acceleration the
/// point that passes by: they differ by ω × v.
template <class T>
FOOTFALL_INLINE Spatial<T> baseAcceleration(const Vec3<double>& gravity, const Spatial<T>& V) {
  const Vec3<T> up = {broadcast<T>(-gravity.x), broadcast<T>(-gravity.y), broadcast<T>(-gravity.z)};
  return {addCross(up, V.lin, V.ang), {T{}, T{}, T{}}};
}

/// Force that a link needs to move with V and A (Newton and Euler).
template <class T, class Mass>
FOOTFALL_INLINE Spatial<T> linkForce(const Mass& mass, const Inertia<T>& I, const Spatial<T>& V, const Spatial<T>& A) {
  return addWrenchCross(multiply(mass, I, A), V, multiply(mass, I, V));
}

}  // namespace footfall::native::FOOTFALL_ISA
