#include "footfall/step/integrator.hpp"

#include <fmt/format.h>

#include "footfall/base/error.hpp"
#include "footfall/base/plugin.hpp"
#include "footfall/contact/loop_motion.hpp"
#include "footfall/step/internal/applied_forces.hpp"
#include "footfall/step/internal/joint_forces.hpp"
#include "step/euler.hpp"
#include "step/midpoint.hpp"
#include "step/prescribed_motion.hpp"
#include "step/rk4.hpp"
#include "step/second_order.hpp"
#include "step/watched_integrator.hpp"

namespace footfall {

void FreeMotion::acceleration(double fraction, VectorXd& q, VectorXd& nu, VectorXd& nu_dot) {
  const int n = model().jointDofs();
  prescribed_.place(fraction, q, nu);
  dynamics_.setImplicitInertia(inertia_);
  dynamics_.update(q, nu);
  dynamics_.biasForces(tau_);
  nu_dot = -tau_;
  applied_.addTo(fraction, q, nu, dynamics_, nu_dot);
  linearizeJointForces(model(), applied_.input, springs_, model().jointPositions(q), model().jointVelocities(nu), 0.0,
                       tau_, inertia_);
  model().jointVelocities(nu_dot) += tau_.head(n);
  prescribed_.accelerate(dynamics_, fraction, nu_dot);
  if (!loops_.any()) return;
  loops_.prepare(dynamics_, fraction == 0.0);
  loops_.constrainAcceleration(dynamics_, nu_dot);
}

double FreeMotion::loopPower(const VectorXd& nu) const {
  if (!loops_.any()) return 0.0;
  tau_.setZero();
  loops_.addForces(dynamics_, loops_.impulses(), tau_);
  return nu.dot(tau_);
}

void FreeMotion::placeAtEnd(VectorXd& q, VectorXd& nu) const { prescribed_.place(1.0, q, nu); }

bool FreeMotion::keepsMomentum() const {
  return model().floating_base && model().further_bodies == 0 && !loops_.tiesToWorld();
}

/// The base rows of generalized forces are their sum and their moment about the base's origin.
Vector6d FreeMotion::momentumRate(double fraction, const VectorXd& q, const VectorXd& nu) const {
  Vector6d rate;
  rate << model().totalMass() * model().gravity, Vector3d::Zero();
  if (!model().floating_base) return rate;
  tau_.setZero();
  applied_.addTo(fraction, q, nu, dynamics_, tau_);
  const Vector3d lever_W = q.head<3>() - dynamics_.centerOfMass();
  rate.head<3>() += tau_.head<3>();
  rate.tail<3>() += tau_.segment<3>(3) + lever_W.cross(tau_.head<3>());
  return rate;
}

std::unique_ptr<Integrator> makeIntegrator(const std::string& name) {
  if (name == "second_order") return std::make_unique<SecondOrder>();
  if (name == "semi_implicit_euler") return std::make_unique<SemiImplicitEuler>();
  if (name == "explicit_euler") return std::make_unique<ExplicitEuler>();
  if (name == "rk4") return std::make_unique<RungeKutta4>();
  if (name == "midpoint") return std::make_unique<Midpoint>();
  if (hasPlugin("integrator", name))
    return watchIntegrator(makeFromPlugin<Integrator>("integrator", name, "footfall_make_integrator"), name);
  throw Error("physics.integrator", fmt::format("there is no integrator '{}'", name),
              "choose second_order, semi_implicit_euler, explicit_euler, rk4 or midpoint, or a plug-in");
}

}  // namespace footfall
