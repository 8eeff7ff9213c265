#pragma once

#include <array>

#include "footfall/step/integrator.hpp"

namespace footfall {

/// The classical Runge–Kutta scheme of fourth order, on SO(3) in the manner of Munthe-Kaas.
class RungeKutta4 : public Integrator {
 public:
  std::string_view name() const override { return "rk4"; }
  int order() const override { return 4; }
  void reserve(const Model& model) override;
  void advance(const FreeStep& step, VectorXd& q, VectorXd& nu) override;

 private:
  struct Slope {
    VectorXd
        q_dot;  ///< as a velocity: the base's angular part is the rate of the rotation vector since the start (6 + n)
    VectorXd nu_dot;  ///< (nv)
  };
  std::array<Slope, 4> slopes_;
  VectorXd nu_, q_, displacement_;
};

}  // namespace footfall
