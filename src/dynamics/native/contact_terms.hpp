#pragma once

#include "dynamics/native/contact_math.hpp"
#include "dynamics/native/factorization.hpp"
#include "dynamics/native/link_sweeps.hpp"

/// Contact velocities, impulses and Jacobian; only the supporting joints of the contacts' links are visited.
namespace footfall::native::FOOTFALL_ISA {

/// Contacts i, i + 1, … of one robot in the lanes of V, or one contact of a pack of robots.
template <bool kWorldAxes, class V, class T>
FOOTFALL_INLINE ContactPlace<V> contactPoint(const ContactSet<T>& set, int i) {
  const int n = set.stride;
  ContactPlace<V> contact;
  contact.p = {load<V>(set.p + i), load<V>(set.p + n + i), load<V>(set.p + 2 * n + i)};
  if constexpr (!kWorldAxes) {
    const auto axis = [&](int c) {
      const double* R = set.R_WC + 3 * c * n + i;
      if constexpr (kChunk<T> == 1) return Vec3<V>{broadcast<V>(R[0]), broadcast<V>(R[n]), broadcast<V>(R[2 * n])};
      return Vec3<V>{load<V>(R), load<V>(R + n), load<V>(R + 2 * n)};
    };
    contact.R_WC = {axis(0), axis(1), axis(2)};
  }
  return contact;
}

template <class V, class T>
FOOTFALL_INLINE Vec3<V> broadcastVector(const Vec3<T>& v) {
  return {broadcast<V>(v.x), broadcast<V>(v.y), broadcast<V>(v.z)};
}

template <class V, bool kWorldAxes, class T>
FOOTFALL_INLINE ContactPlace<V> broadcastContact(const ContactPlace<T>& contact) {
  ContactPlace<V> wide;
  wide.p = broadcastVector<V>(contact.p);
  if constexpr (!kWorldAxes) {
    wide.R_WC = {broadcastVector<V>(contact.R_WC.x), broadcastVector<V>(contact.R_WC.y),
                 broadcastVector<V>(contact.R_WC.z)};
  }
  return wide;
}

template <class T>
void placeContacts(const Scratch<T>& w, ContactSet<T>& set) {
  const int n = set.stride;
  for (int i = 0; i < set.count; ++i) {
    const LinkState<T>& link = w.link[set.link[set.group[i]]];
    const Vec3<double> p_KC = {set.p_KC[i], set.p_KC[n + i], set.p_KC[2 * n + i]};
    const Vec3<T> p = link.p + rotate(link.R_WK, p_KC);
    set.p[i] = p.x, set.p[n + i] = p.y, set.p[2 * n + i] = p.z;
  }
}

// --- velocities and impulses -----------------------------------------------------------------------

/// Velocity of a link when the robot moves with ν.
template <class T>
FOOTFALL_INLINE Spatial<T> linkVelocity(const Tree& tree, const Scratch<T>& w, int k, const T* nu) {
  Spatial<T> V = baseVelocity(tree, nu);
  const int* path = tree.path + tree.path_begin[k];
  for (int d = 0; d <= tree.depth[k]; ++d) {
    V = V + spatial(w.S[path[d]]) * nu[tree.base_dofs + tree.dof[path[d]]];
  }
  return V;
}

template <bool kWorldAxes, class T>
FOOTFALL_INLINE void contactVelocity(const Tree& tree, const Scratch<T>& w, const ContactSet<T>& set, const T* nu,
                                     T* v) {
  Spatial<T> V = zeroSpatial<T>();
  int group = -1;
  for (int i = 0; i < set.count; ++i) {
    if (set.group[i] != group) {
      group = set.group[i];
      V = linkVelocity(tree, w, set.link[group], nu);
    }
    const Vec3<T> c = contactComponents<kWorldAxes>(contactPoint<kWorldAxes, T>(set, i), V);
    v[i] = c.x, v[set.stride + i] = c.y, v[2 * set.stride + i] = c.z;
  }
}

template <bool kWorldAxes, class T>
FOOTFALL_INLINE void contactPlaces(const Scratch<T>& w, const ContactSet<T>& set, T* p_W, T* v) {
  const int n = set.stride;
  for (int i = 0; i < set.count; ++i) {
    p_W[i] = w.p_WB.x + set.p[i], p_W[n + i] = w.p_WB.y + set.p[n + i], p_W[2 * n + i] = w.p_WB.z + set.p[2 * n + i];
    const Spatial<T>& V = w.link[set.link[set.group[i]]].V;
    const Vec3<T> c = contactComponents<kWorldAxes>(contactPoint<kWorldAxes, T>(set, i), V);
    v[i] = c.x, v[n + i] = c.y, v[2 * n + i] = c.z;
  }
}

template <bool kWorldAxes, class T>
FOOTFALL_INLINE void contactBias(const Tree& tree, const Scratch<T>& w, const ContactSet<T>& set, T* a) {
  const Vec3<T> g = broadcastVector<T>(tree.gravity);
  for (int i = 0; i < set.count; ++i) {
    const LinkState<T>& link = w.link[set.link[set.group[i]]];
    const Spatial<T> A = {link.A.lin + g, link.A.ang};
    const Vec3<T> c = contactAcceleration<kWorldAxes>(contactPoint<kWorldAxes, T>(set, i), link.V, A);
    a[i] = c.x, a[set.stride + i] = c.y, a[2 * set.stride + i] = c.z;
  }
}

/// tau += what a wrench on link k is to the joints that carry it.
template <class T>
FOOTFALL_INLINE void addWrench(const Tree& tree, const Scratch<T>& w, int k, const Spatial<T>& wrench, T* tau) {
  if (tree.floating_base) {
    T base[6];
    storeSix(wrench, base);
    for (int i = 0; i < 6; ++i) tau[i] += base[i];
  }
  const int* path = tree.path + tree.path_begin[k];
  for (int d = 0; d <= tree.depth[k]; ++d) {
    tau[tree.base_dofs + tree.dof[path[d]]] += dot(spatial(w.S[path[d]]), wrench);
  }
}

template <bool kWorldAxes, class T>
FOOTFALL_INLINE void addContactImpulse(const Tree& tree, const Scratch<T>& w, const ContactSet<T>& set, const T* p,
                                       T* tau) {
  Spatial<T> sum = zeroSpatial<T>();
  for (int i = 0; i < set.count; ++i) {
    const Vec3<T> impulse = {p[i], p[set.stride + i], p[2 * set.stride + i]};
    sum = sum + contactWrench<kWorldAxes>(contactPoint<kWorldAxes, T>(set, i), impulse);
    const bool link_goes_on = i + 1 < set.count && set.group[i + 1] == set.group[i];
    if (link_goes_on) continue;
    addWrench(tree, w, set.link[set.group[i]], sum, tau);
    sum = zeroSpatial<T>();
  }
}

template <class T>
FOOTFALL_INLINE void storeColumn(const Vec3<T>& column, T* J) {
  J[0] = column.x, J[1] = column.y, J[2] = column.z;
}

template <bool kWorldAxes, class T>
FOOTFALL_INLINE void baseJacobian(const ContactSet<T>& set, T* J, std::ptrdiff_t leading) {
  for (int i = 0; i < set.count; ++i) {
    const BaseColumns<T> base = baseColumns<kWorldAxes>(contactPoint<kWorldAxes, T>(set, i));
    unrolled<6>([&](auto b) FOOTFALL_INLINE_LAMBDA { storeColumn(base.column[b], J + b * leading + 3 * i); });
  }
}

/// The column of a joint with the twist S, for the contacts of one link.
template <bool kWorldAxes, class T>
FOOTFALL_INLINE void jointJacobian(const ContactSet<T>& set, int group, const Spatial<T>& S, T* column) {
  for (int i = 0; i < set.count; ++i) {
    if (set.group[i] != group) continue;
    storeColumn(contactComponents<kWorldAxes>(contactPoint<kWorldAxes, T>(set, i), S), column + 3 * i);
  }
}

/// J, column-major with the given leading dimension; row 3 i + c. Must be zero before.
template <bool kWorldAxes, class T>
FOOTFALL_INLINE void contactJacobian(const Tree& tree, const Scratch<T>& w, const ContactSet<T>& set, T* J,
                                     std::ptrdiff_t leading) {
  if (tree.floating_base) baseJacobian<kWorldAxes>(set, J, leading);
  for (int group = 0; group < set.groups; ++group) {
    const int k = set.link[group];
    const int* path = tree.path + tree.path_begin[k];
    for (int d = 0; d <= tree.depth[k]; ++d) {
      T* column = J + (tree.base_dofs + tree.dof[path[d]]) * leading;
      jointJacobian<kWorldAxes>(set, group, spatial(w.S[path[d]]), column);
    }
  }
}

}  // namespace footfall::native::FOOTFALL_ISA
