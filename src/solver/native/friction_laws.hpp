#pragma once

#include "solver/native/vectors.hpp"

// The three friction laws: what the solver needs to know of each, for one contact (Real is a double) or for as many
// as a register holds (Real is a pack).

namespace footfall::FOOTFALL_ISA {

/// Two tangential components and the normal one, of an impulse or a velocity.
template <class Real>
struct Vector3 {
  Real x, y, n;
};

/// One contact's three rows of the Newton system:  C (v + dv) + D dp = right, with dv the change of its velocity.
struct LocalEquations {
  double C[3][3] = {};
  double D[3][3] = {};
  double right[3] = {};
  bool sticks = false;  ///< C is the identity, D and right are zero
};

inline LocalEquations stickingEquations() {
  LocalEquations e;
  for (int k = 0; k < 3; ++k) e.C[k][k] = 1.0;
  e.sticks = true;
  return e;
}

/// a_n² − |a_t|², without cancellation.
inline double hyperbolic(const Vector3<double>& a) {
  const double t = squareRoot(a.x * a.x + a.y * a.y);
  return (a.n - t) * (a.n + t);
}

/// The largest step for which a + step·d stays in the cone |a_t| <= a_n: smallest positive root of a quadratic.
inline double stepInsideCone(const Vector3<double>& a, const Vector3<double>& d) {
  const double A = d.n * d.n - d.x * d.x - d.y * d.y, B = a.n * d.n - a.x * d.x - a.y * d.y;
  const double C = larger(hyperbolic(a), 0.0);
  const double discriminant = B * B - A * C;
  if (!(discriminant >= 0.0)) return infinity();
  const double root = squareRoot(discriminant);
  if (B > 0.0) return A < 0.0 ? -(B + root) / A : infinity();  // two forms of the same root, each without cancellation
  if (root - B > 0.0) return C / (root - B);
  return A >= 0.0 && d.n >= 0.0 ? infinity() : 0.0;  // from the tip
}

/// Length of a scaled impulse's tangential part is limited by a disc of this radius: the factor that brings it back.
template <class Real>
inline Real discFactor(Real x, Real y, Real radius) {
  const Real length2 = x * x + y * y;
  const Real outside = radius / squareRoot(larger(length2, Real{} + 1e-300));
  return choose(length2 > radius * radius, outside, Real{} + 1.0);
}

template <class Real>
inline Real clampTo(Real x, Real radius) {
  return smaller(larger(x, -radius), radius);
}

/// As far as a positive number can go with slope d until it is zero.
inline double stepToZero(double a, double d) { return a > 0.0 && d < 0.0 ? -a / d : infinity(); }

constexpr double kOnTheSurface = 1e-9;  ///< relative distance to the limit of friction that counts as none

/// Coulomb friction on the true cone.
struct Cone {
  /// Square of the natural map (contactResidual() defines it).
  template <class Real>
  static Real residualSquared(Real g, Real mu, const Vector3<Real>& p, const Vector3<Real>& v) {
    const Real zero = Real{};
    const Real qx = g * p.x, qy = g * p.y, qn = g * p.n;
    const Real ax = qx - v.x, ay = qy - v.y;
    const Real factor = discFactor(ax, ay, mu * larger(qn, zero));
    const Real rx = qx - factor * ax;
    const Real ry = qy - factor * ay;
    const Real rn = qn - larger(qn - v.n, zero);
    return rx * rx + ry * ry + rn * rn;
  }

  /// Brings an impulse back into the cone: normal part first, then the tangential part at that height.
  template <class Real>
  static void project(Real mu, Vector3<Real>& p) {
    p.n = larger(p.n, Real{});
    const Real factor = discFactor(p.x, p.y, mu * p.n);
    p.x *= factor;
    p.y *= factor;
  }

  /// How far an impulse inside the cone can go along d until it slides or opens. One that slides goes on doing so.
  static double stepToNextState(double mu, const Vector3<double>& p, const Vector3<double>& d) {
    const double opens = stepToZero(p.n, d.n);
    const Vector3<double> a = {p.x, p.y, mu * p.n};
    if (!(hyperbolic(a) > kOnTheSurface * a.n * a.n)) return opens;
    return smaller(opens, stepInsideCone(a, {d.x, d.y, mu * d.n}));
  }

  /// The normal velocity that must vanish in contact.
  static double normalVelocity(double, const Vector3<double>& v) { return v.n; }

  /// Linearised Alart–Curnier map of a closed contact. It slides along t; o is the direction across.
  static LocalEquations linearise(double g, double mu, const Vector3<double>& p, const Vector3<double>& v) {
    const double ax = g * p.x - v.x, ay = g * p.y - v.y;
    const double radius = mu * (g * p.n - v.n);
    const double length2 = ax * ax + ay * ay;
    if (length2 < radius * radius) return stickingEquations();
    const double length = squareRoot(length2);
    const double tx = length > 0.0 ? ax / length : 1.0;
    const double ty = length > 0.0 ? ay / length : 0.0;
    const double ox = -ty, oy = tx;
    const double share = length > 0.0 ? radius / length : 0.0;

    // Along t the impulse stays on the cone, across (o) it turns with the sliding direction. The two equations are
    // turned into the x and y axes, which makes the matrix nearly symmetric and pivoting needless.
    const double along = -g * (tx * p.x + ty * p.y - mu * p.n);
    const double across = -g * (ox * p.x + oy * p.y) + share * (ox * v.x + oy * v.y);
    const double t[2] = {tx, ty}, o[2] = {ox, oy};
    LocalEquations e;
    for (int a = 0; a < 2; ++a) {
      for (int c = 0; c < 2; ++c) {
        e.C[a][c] = share * o[a] * o[c];
        e.D[a][c] = g * (t[a] * t[c] + (1.0 - share) * o[a] * o[c]);
      }
      e.D[a][2] = -mu * g * t[a];
      e.right[a] = along * t[a] + across * o[a];
    }
    e.C[2][2] = 1.0;
    return e;
  }
};

/// Row of a pyramid's axis: free to stick, or sliding with the impulse on the face `side` (+1 or -1).
inline void linearisePyramidAxis(int axis, double g, double mu, double p, double p_n, double v, double radius,
                                 LocalEquations& e, int& side) {
  const double a = g * p - v;
  side = a >= radius ? 1 : (a <= -radius ? -1 : 0);
  if (side == 0) {
    e.C[axis][axis] = 1.0;
    return;
  }
  e.D[axis][axis] = g;
  e.D[axis][2] = -side * mu * g;
  e.right[axis] = -g * (p - side * mu * p_n);
}

/// Coulomb friction, each tangential axis by itself.
struct Pyramid {
  template <class Real>
  static Real residualSquared(Real g, Real mu, const Vector3<Real>& p, const Vector3<Real>& v) {
    const Real zero = Real{};
    const Real qx = g * p.x, qy = g * p.y, qn = g * p.n;
    const Real radius = mu * larger(qn, zero);
    const Real rx = qx - clampTo(qx - v.x, radius);
    const Real ry = qy - clampTo(qy - v.y, radius);
    const Real rn = qn - larger(qn - v.n, zero);
    return rx * rx + ry * ry + rn * rn;
  }

  template <class Real>
  static void project(Real mu, Vector3<Real>& p) {
    p.n = larger(p.n, Real{});
    p.x = clampTo(p.x, mu * p.n);
    p.y = clampTo(p.y, mu * p.n);
  }

  static double stepToNextState(double mu, const Vector3<double>& p, const Vector3<double>& d) {
    double step = stepToZero(p.n, d.n);
    for (const double side : {-1.0, 1.0}) {
      for (const bool slack_x : {true, false}) {
        const double slack = mu * p.n - side * (slack_x ? p.x : p.y);
        if (slack > kOnTheSurface * mu * p.n)
          step = smaller(step, stepToZero(slack, mu * d.n - side * (slack_x ? d.x : d.y)));
      }
    }
    return step;
  }

  static double normalVelocity(double, const Vector3<double>& v) { return v.n; }

  static LocalEquations linearise(double g, double mu, const Vector3<double>& p, const Vector3<double>& v) {
    LocalEquations e;
    int side_x, side_y;
    lineariseAxes(g, mu, p, v, v.n, e, side_x, side_y);
    return e;
  }

  static void lineariseAxes(double g, double mu, const Vector3<double>& p, const Vector3<double>& v, double v_n,
                            LocalEquations& e, int& side_x, int& side_y) {
    const double radius = mu * (g * p.n - v_n);
    linearisePyramidAxis(0, g, mu, p.x, p.n, v.x, radius, e, side_x);
    linearisePyramidAxis(1, g, mu, p.y, p.n, v.y, radius, e, side_y);
    e.C[2][2] = 1.0;
    e.sticks = side_x == 0 && side_y == 0;
  }
};

/// The published QP inside the pyramid: the Coulomb pyramid with the normal velocity lessened by mu (|v_x| + |v_y|).
struct ConvexPyramid : Pyramid {
  template <class Real>
  static Real residualSquared(Real g, Real mu, const Vector3<Real>& p, const Vector3<Real>& v) {
    const Real v_n = v.n - mu * (magnitude(v.x) + magnitude(v.y));
    return Pyramid::residualSquared(g, mu, p, Vector3<Real>{v.x, v.y, v_n});
  }

  static double normalVelocity(double mu, const Vector3<double>& v) {
    return v.n - mu * (magnitude(v.x) + magnitude(v.y));
  }

  static LocalEquations linearise(double g, double mu, const Vector3<double>& p, const Vector3<double>& v) {
    LocalEquations e;
    int side_x, side_y;
    Pyramid::lineariseAxes(g, mu, p, v, normalVelocity(mu, v), e, side_x, side_y);
    e.C[2][0] = mu * side_x;  // friction on the face `side` opposes the velocity: |v_x| = -side v_x
    e.C[2][1] = mu * side_y;
    return e;
  }
};

}  // namespace footfall::FOOTFALL_ISA
