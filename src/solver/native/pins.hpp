#pragma once

#include "solver/native/constants.hpp"
#include "solver/native/friction_laws.hpp"

// How contacts are held at the limits of friction while load is shared out anew without any change of velocity
// (minimum_norm.hpp).

namespace footfall::FOOTFALL_ISA {

/// Pins of one contact for the true cone: to its surface, and where it slides to the direction of friction as well.
struct ConePins {
  bool at_zero = false;     ///< carries nothing
  bool on_surface = false;  ///< |p_t| = mu p_n
  bool slides = false;      ///< on the surface, and the direction is that of sliding
  double inset = 0.0;       ///< how far to stay inside the surface, for it is curved [N s]
  double stiffness = 0.0;   ///< curvature of the surface times the impulse that presses against it [-]

  void pinSliding(double mu, const Vector3<double>& v, double tolerance) {
    slides = on_surface = mu == 0.0 || v.x * v.x + v.y * v.y > tolerance * tolerance;
  }

  /// Longest step along dp; pins the contact to the surface if that blocks the step.
  double stepOrPin(double mu, const Vector3<double>& p, const Vector3<double>& dp) {
    if (slides) return dp.n < 0.0 ? -p.n / dp.n : infinity();
    const double x = p.x + dp.x, y = p.y + dp.y, n = p.n + dp.n;
    const double excess = squareRoot(x * x + y * y) - mu * n;
    if (excess <= 1e-12 * mu * p.n && n >= 0.0) return infinity();
    const double step = stepInsideCone({p.x, p.y, mu * p.n}, {dp.x, dp.y, mu * dp.n});
    const double length = squareRoot(p.x * p.x + p.y * p.y);
    if (step >= NormRules::kBlocked || length == 0.0) return step;
    if (on_surface) {
      const double across = (p.x * dp.y - p.y * dp.x) / length;
      inset = smaller(0.75 * across * across / length, 0.25 * length);
      stiffness *= 2.0;
    } else {
      stiffness = larger(excess, 0.0) / ((1.0 + mu * mu) * length);
    }
    on_surface = true;
    return step;
  }

  /// Equations that hold the pins and leave the rest free. t is the direction of friction, o the one across.
  LocalEquations equations(double g, double mu, const Vector3<double>& p, double weight) const {
    if (!on_surface) return stickingEquations();
    const double length = squareRoot(p.x * p.x + p.y * p.y);
    const double tx = length > 0.0 ? p.x / length : 1.0;
    const double ty = length > 0.0 ? p.y / length : 0.0;
    LocalEquations e;
    e.D[0][0] = g * tx;
    e.D[0][1] = g * ty;
    e.D[0][2] = -g * mu;
    e.right[0] = g * (mu * p.n - length - inset);
    const double turning = slides ? g : weight * stiffness;
    e.D[1][0] = -turning * ty;
    e.D[1][1] = turning * tx;
    if (!slides) {
      e.C[1][0] = -ty;
      e.C[1][1] = tx;
    }
    e.C[2][0] = mu * tx;
    e.C[2][1] = mu * ty;
    e.C[2][2] = 1.0;
    return e;
  }

  /// Whether the pins are needed: without them the contact would give way to this pull by leaving the cone.
  bool hold(double mu, const Vector3<double>& p, const Vector3<double>& pull) const {
    if (!on_surface || slides) return true;
    return p.x * pull.x + p.y * pull.y <= mu * pull.n * squareRoot(p.x * p.x + p.y * p.y);
  }
};

/// Pin of one axis of a pyramid.
struct AxisPin {
  int side = 0;         ///< face on which the axis is held: +1, −1, or 0 for free
  bool slides = false;  ///< held there because it moves

  void pinSliding(double mu, double v, double tolerance) {
    side = v > tolerance || mu == 0.0 ? -1 : (v < -tolerance ? 1 : 0);
    slides = side != 0;
  }
  double stepOrPin(double mu, double p, double p_n, double dp, double dp_n) {
    if (side != 0) return infinity();
    const int towards = dp > 0.0 ? 1 : -1;
    const double closing = towards * dp - mu * dp_n;
    const double step = closing > 0.0 ? larger(mu * p_n - towards * p, 0.0) / closing : infinity();
    if (step < NormRules::kBlocked) side = towards;
    return step;
  }
  void writeEquation(int axis, double g, double mu, double p, double p_n, LocalEquations& e) const {
    if (side == 0) {
      e.C[axis][axis] = 1.0;
      return;
    }
    e.D[axis][axis] = g * side;
    e.D[axis][2] = -g * mu;
    e.right[axis] = g * (mu * p_n - side * p);
  }
  bool hold(double pull) const { return slides || side * pull <= 0.0; }
};

/// Pins of one contact for both pyramids.
struct PyramidPins {
  bool at_zero = false;  ///< carries nothing
  AxisPin x, y;

  void pinSliding(double mu, const Vector3<double>& v, double tolerance) {
    x.pinSliding(mu, v.x, tolerance);
    y.pinSliding(mu, v.y, tolerance);
  }
  double stepOrPin(double mu, const Vector3<double>& p, const Vector3<double>& dp) {
    const double step = dp.n < 0.0 ? -p.n / dp.n : infinity();
    const double step_x = x.stepOrPin(mu, p.x, p.n, dp.x, dp.n), step_y = y.stepOrPin(mu, p.y, p.n, dp.y, dp.n);
    return smaller(step, smaller(step_x, step_y));
  }
  LocalEquations equations(double g, double mu, const Vector3<double>& p, double) const {
    if (x.side == 0 && y.side == 0) return stickingEquations();
    LocalEquations e;
    x.writeEquation(0, g, mu, p.x, p.n, e);
    y.writeEquation(1, g, mu, p.y, p.n, e);
    e.C[2][0] = mu * x.side;
    e.C[2][1] = mu * y.side;
    e.C[2][2] = 1.0;
    return e;
  }
  bool hold(double, const Vector3<double>&, const Vector3<double>& pull) const {
    return x.hold(pull.x) && y.hold(pull.y);
  }
};

}  // namespace footfall::FOOTFALL_ISA
