// A level ground that does what its parameter `fault` says once something is near it.
#include <cmath>
#include <stdexcept>

#include "footfall/plugin.hpp"

class Faulty : public footfall::Terrain {
 public:
  explicit Faulty(const footfall::TerrainParameters& p) : fault_(static_cast<int>(p.number("fault", 0))) {
    if (fault_ == 1) throw 42;
  }
  footfall::SurfacePoint at(const footfall::Vector3d& p_W, footfall::TimeSpan) const override {
    footfall::SurfacePoint point;
    point.gap = p_W.z();
    point.friction = 0.5;
    if (p_W.z() > 0.1) return point;
    if (fault_ == 2) throw std::runtime_error("the map has a hole");
    if (fault_ == 3) throw 42;
    if (fault_ == 4) point.friction = -1.0;
    if (fault_ == 5) point.friction = std::nan("");
    if (fault_ == 6) point.R_WC.setZero();
    if (fault_ == 7) point.R_WC = -point.R_WC;
    if (fault_ == 8) point.gap = std::nan("");
    return point;
  }

 private:
  int fault_;
};

FOOTFALL_TERRAIN(Faulty)
