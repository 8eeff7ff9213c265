#pragma once

#include "dynamics/native/link_math.hpp"

/// The maths of one contact: pure functions. T may also be lanes of several contacts of one robot.
namespace footfall::native::FOOTFALL_ISA {

/// A point of a link that touches the ground.
template <class T>
struct ContactPlace {
  Vec3<T> p;         ///< from the base's origin, world axes [m]
  Rotation<T> R_WC;  ///< axes in which its forces are counted; not read when they are those of the world
};

/// Components, along the contact's axes, of the velocity of the body's point there.
template <bool kWorldAxes, class T>
FOOTFALL_INLINE Vec3<T> contactComponents(const ContactPlace<T>& contact, const Spatial<T>& V) {
  const Vec3<T> v = addCross(V.lin, V.ang, contact.p);
  if constexpr (kWorldAxes) return v;
  return rotateBack(contact.R_WC, v);
}

/// The same for the six unit twists of the base.
template <class T>
struct BaseColumns {
  Vec3<T> column[6];
};

template <bool kWorldAxes, class T>
FOOTFALL_INLINE BaseColumns<T> baseColumns(const ContactPlace<T>& contact) {
  const Vec3<T>& p = contact.p;
  const T o = T{}, one = broadcast<T>(1.0);
  BaseColumns<T> base = {{{one, o, o}, {o, one, o}, {o, o, one}, {o, -p.z, p.y}, {p.z, o, -p.x}, {-p.y, p.x, o}}};
  if constexpr (!kWorldAxes) {
    for (Vec3<T>& column : base.column) column = rotateBack(contact.R_WC, column);
  }
  return base;
}

/// Wrench at the base's origin of a force given along the contact's axes: the transpose of contactComponents().
template <bool kWorldAxes, class T>
FOOTFALL_INLINE Spatial<T> contactWrench(const ContactPlace<T>& contact, const Vec3<T>& force) {
  const Vec3<T> f = kWorldAxes ? force : rotate(contact.R_WC, force);
  return {f, cross(contact.p, f)};
}

/// Acceleration of the point, along the contact's axes, of a body with twist V and spatial acceleration A.
template <bool kWorldAxes, class T>
FOOTFALL_INLINE Vec3<T> contactAcceleration(const ContactPlace<T>& contact, const Spatial<T>& V, const Spatial<T>& A) {
  const Vec3<T> velocity = addCross(V.lin, V.ang, contact.p);
  const Vec3<T> a = addCross(addCross(A.lin, A.ang, contact.p), V.ang, velocity);
  if constexpr (kWorldAxes) return a;
  return rotateBack(contact.R_WC, a);
}

}  // namespace footfall::native::FOOTFALL_ISA
