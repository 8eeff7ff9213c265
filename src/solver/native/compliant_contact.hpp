#pragma once

#include "solver/native/friction_laws.hpp"

// One contact that gives way a little: where it moves with velocity v into the ground or along it, it pushes back with
// v = −compliance · impulse, up to the limit of friction. Impulses are functions of velocities then, and for a
// vanishing compliance they obey Coulomb's law.

namespace footfall::FOOTFALL_ISA {

enum class ContactState { open, sticks, slides, sticks_on_one_axis };

/// What a contact answers to its velocity, and how that changes: minus compliance times the derivative of the impulse
/// is
///     sum of size · d dᵀ  (tangential)  +  (n − drag) nᵀ  (where closed),      n the normal direction.
struct Response {
  Vector3<double> impulse;
  ContactState state;
  bool closed;            ///< the normal impulse follows the velocity
  double drag_x, drag_y;  ///< mu times the direction of sliding
  struct Direction {
    double size, x, y;
  };
  Direction direction[2];
  int directions;

  void addDirection(double size, double x, double y) { direction[directions++] = {size, x, y}; }
};

/// Friction of a compliant contact for a law, with its bound `radius` given.
template <class Law>
struct CompliantFriction;

template <>
struct CompliantFriction<Cone> {
  template <class Real>
  static void push(Real compliance, Real radius, const Vector3<Real>& v, Vector3<Real>& p) {
    const Real length2 = v.x * v.x + v.y * v.y, reach = compliance * radius;
    const Real sliding = radius / squareRoot(larger(length2, Real{} + 1e-300));
    const Real factor = choose(length2 > reach * reach, sliding, 1.0 / compliance);
    p.x = -factor * v.x;
    p.y = -factor * v.y;
  }

  /// Needs response.impulse.
  static void linearise(double compliance, double mu, double radius, const Vector3<double>& v, Response& response) {
    const double length2 = v.x * v.x + v.y * v.y, reach = compliance * radius;
    if (!(length2 > reach * reach)) {
      response.state = ContactState::sticks;
      response.addDirection(1.0, 1.0, 0.0);
      response.addDirection(1.0, 0.0, 1.0);
      return;
    }
    const double inverse = 1.0 / squareRoot(length2), tx = v.x * inverse, ty = v.y * inverse;
    response.state = ContactState::slides;
    response.addDirection(reach * inverse, -ty, tx);
    response.drag_x = mu * tx;
    response.drag_y = mu * ty;
  }
};

template <>
struct CompliantFriction<Pyramid> {
  template <class Real>
  static void push(Real compliance, Real radius, const Vector3<Real>& v, Vector3<Real>& p) {
    p.x = clampTo(-v.x / compliance, radius);
    p.y = clampTo(-v.y / compliance, radius);
  }

  static void linearise(double compliance, double mu, double radius, const Vector3<double>& v, Response& response) {
    const double reach = compliance * radius;
    const bool slides_x = magnitude(v.x) > reach, slides_y = magnitude(v.y) > reach;
    if (slides_x)
      response.drag_x = v.x > 0.0 ? mu : -mu;
    else
      response.addDirection(1.0, 1.0, 0.0);
    if (slides_y)
      response.drag_y = v.y > 0.0 ? mu : -mu;
    else
      response.addDirection(1.0, 0.0, 1.0);
    response.state = slides_x && slides_y   ? ContactState::slides
                     : slides_x || slides_y ? ContactState::sticks_on_one_axis
                                            : ContactState::sticks;
  }
};

}  // namespace footfall::FOOTFALL_ISA
