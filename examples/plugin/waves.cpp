// A ground of gentle waves along x: height = amplitude sin(2π x / length).
#include <cmath>
#include <footfall/plugin.hpp>
#include <numbers>

class Waves : public footfall::Terrain {
 public:
  explicit Waves(const footfall::TerrainParameters& p)
      : amplitude_(p.number("amplitude", 0.02)),
        wave_number_(2.0 * std::numbers::pi / p.number("length", 1.0)),
        p_WT_(p.X_WT.p),
        material_(p.material) {}

  footfall::SurfacePoint at(const footfall::Vector3d& p_W, footfall::TimeSpan) const override {
    const double phase = wave_number_ * (p_W.x() - p_WT_.x());
    const double slope = amplitude_ * wave_number_ * std::cos(phase);
    const footfall::Vector3d normal = footfall::Vector3d(-slope, 0.0, 1.0).normalized();
    footfall::SurfacePoint surface;
    // Along the normal: exact where it touches, which is where it counts.
    surface.gap = (p_W.z() - p_WT_.z() - amplitude_ * std::sin(phase)) * normal.z();
    surface.R_WC << footfall::Vector3d::UnitY().cross(normal), footfall::Vector3d::UnitY(), normal;
    surface.friction = material_.friction;
    surface.restitution = material_.restitution;
    return surface;
  }

 private:
  double amplitude_;    ///< [m]
  double wave_number_;  ///< [rad/m]
  footfall::Vector3d p_WT_;
  footfall::Material material_;
};

FOOTFALL_TERRAIN(Waves)
