#pragma once

#include <Eigen/Core>
#include <cmath>

#include "physics/scene_tools.hpp"

namespace footfall::physics {

/// Lengths and masses of models/four_bar.urdf; angles turn from x towards −z, as a rotation about y does.
struct FourBar {
  static constexpr double ground = 0.5, crank = 0.15, coupler = 0.45, rocker = 0.35;
  static constexpr double m_crank = 0.3, m_coupler = 0.9, m_rocker = 0.7, width = 0.02;

  static double inertia(double m, double length) { return m / 12.0 * (length * length + width * width); }

  /// Angles of coupler and rocker, both from x, at the crank angle θ; the rocker stands on the side of −z or z.
  static Eigen::Vector2d angles(double theta, double side) {
    const Eigen::Vector2d B(crank * std::cos(theta), crank * std::sin(theta)), D(ground, 0.0);
    const Eigen::Vector2d d = D - B;
    const double r = d.norm();
    const double at_B = std::acos((coupler * coupler + r * r - rocker * rocker) / (2.0 * coupler * r));
    const double beta = std::atan2(d.y(), d.x()) + side * at_B;
    const Eigen::Vector2d C = B + coupler * Eigen::Vector2d(std::cos(beta), std::sin(beta));
    return {beta, std::atan2(C.y() - D.y(), C.x() - D.x())};
  }

  /// Rates of both angles for one radian of the crank.
  static Eigen::Vector2d rates(double theta, double side) {
    const Eigen::Vector2d a = angles(theta, side);
    return {crank * std::sin(theta - a[1]) / (coupler * std::sin(a[1] - a[0])),
            crank * std::sin(theta - a[0]) / (rocker * std::sin(a[1] - a[0]))};
  }

  /// Inertia that the crank feels: T = I(θ) θ̇²/2.
  static double crankInertia(double theta, double side) {
    const double beta = angles(theta, side)[0];
    const Eigen::Vector2d k = rates(theta, side);
    const double h = 0.5 * coupler;
    const double com_speed_2 = crank * crank + h * h * k[0] * k[0] + 2.0 * crank * h * k[0] * std::cos(theta - beta);
    return inertia(m_crank, crank) + m_crank * crank * crank / 4.0 + m_coupler * com_speed_2 +
           inertia(m_coupler, coupler) * k[0] * k[0] +
           (inertia(m_rocker, rocker) + m_rocker * rocker * rocker / 4.0) * k[1] * k[1];
  }

  /// dV/dθ: heights are minus the second coordinate.
  static double gravityTorque(double theta, double side) {
    const Eigen::Vector2d a = angles(theta, side), k = rates(theta, side);
    const double down = m_crank * crank / 2.0 * std::cos(theta) +
                        m_coupler * (crank * std::cos(theta) + coupler / 2.0 * std::cos(a[0]) * k[0]) +
                        m_rocker * rocker / 2.0 * std::cos(a[1]) * k[1];
    return -kGravity * down;
  }

  /// τ = I θ̈ + I' θ̇²/2 + V', with I' by differences of fourth order.
  static double torque(double theta, double side, double rate, double acceleration) {
    const double e = 1e-3;
    const auto I = [&](double x) { return crankInertia(theta + x, side); };
    const double slope = (8.0 * (I(e) - I(-e)) - (I(2 * e) - I(-2 * e))) / (12.0 * e);
    return I(0.0) * acceleration + 0.5 * slope * rate * rate + gravityTorque(theta, side);
  }

  /// Joint positions of the model.
  static Vector3d joints(double theta, double side) {
    const Eigen::Vector2d a = angles(theta, side);
    return {theta, a[0] - theta, a[1]};
  }
};

}  // namespace footfall::physics
