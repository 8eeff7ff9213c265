// Moves the configuration with the mean of the velocities at both ends of the step: exact for a thrown stone.
#include <footfall/plugin.hpp>

class Trapezoid : public footfall::Integrator {
 public:
  std::string_view name() const override { return "trapezoid"; }
  void reserve(const footfall::Model& model) override { mean_.resize(model.nv()); }
  void advance(const footfall::FreeStep& step, footfall::VectorXd& q, footfall::VectorXd& nu) override {
    mean_ = 0.5 * (nu + step.nu_free);
    nu = step.nu_free;
    footfall::integrateConfiguration(step.motion.model(), mean_, step.dt, q);
  }

 private:
  footfall::VectorXd mean_;
};

FOOTFALL_INTEGRATOR(Trapezoid)
