#include "footfall/simulate/integrator.hpp"

#include <fmt/format.h>

#include "footfall/base/error.hpp"
#include "footfall/base/plugin.hpp"
#include "footfall/contact/loop_motion.hpp"
#include "simulate/euler.hpp"
#include "simulate/joint_forces.hpp"
#include "simulate/midpoint.hpp"
#include "simulate/prescribed_motion.hpp"
#include "simulate/rk4.hpp"
#include "simulate/second_order.hpp"

namespace footfall {

void FreeMotion::acceleration(double fraction, VectorXd& q, VectorXd& nu, VectorXd& nu_dot) {
  const int n = model().jointDofs();
  prescribed_.place(fraction, q, nu);
  dynamics_.setImplicitInertia(inertia_);
  dynamics_.update(q, nu);
  dynamics_.biasForces(tau_);
  nu_dot = -tau_;
  for (const ExternalWrench& w : input_.wrenches) dynamics_.addWrench(w.link, w.p_LP, w.wrench_W, nu_dot);
  if (input_.generalized.size() > 0) nu_dot += input_.generalized;
  linearizeJointForces(model(), input_, springs_, q.tail(n), nu.tail(n), 0.0, tau_, inertia_);
  nu_dot.tail(n) += tau_.head(n);
  prescribed_.accelerate(dynamics_, fraction, nu_dot);
  if (!loops_.any()) return;
  dynamics_.prepareLoops();
  loops_.constrainAcceleration(dynamics_, nu_dot);
}

void FreeMotion::placeAtEnd(VectorXd& q, VectorXd& nu) const { prescribed_.place(1.0, q, nu); }

bool FreeMotion::keepsMomentum() const { return model().floating_base && !loops_.tiesToWorld(); }

Vector6d FreeMotion::momentumRate() const {
  Vector6d rate;
  rate << dynamics_.model().totalMass() * dynamics_.model().gravity, Vector3d::Zero();
  const Vector3d com = dynamics_.centerOfMass();
  for (const ExternalWrench& w : input_.wrenches) {
    const Vector3d p_WP = dynamics_.linkPose(w.link) * w.p_LP;
    rate.head<3>() += w.wrench_W.head<3>();
    rate.tail<3>() += w.wrench_W.tail<3>() + (p_WP - com).cross(w.wrench_W.head<3>());
  }
  if (input_.generalized.size() > 0 && dynamics_.model().floating_base) {
    const Vector6d w = input_.generalized.head<6>();
    const Vector3d p_WB = dynamics_.linkPose(LinkIndex(0)).p;
    rate.head<3>() += w.head<3>();
    rate.tail<3>() += w.tail<3>() + (p_WB - com).cross(w.head<3>());
  }
  return rate;
}

std::unique_ptr<Integrator> makeIntegrator(const std::string& name) {
  if (name == "second_order") return std::make_unique<SecondOrder>();
  if (name == "semi_implicit_euler") return std::make_unique<SemiImplicitEuler>();
  if (name == "explicit_euler") return std::make_unique<ExplicitEuler>();
  if (name == "rk4") return std::make_unique<RungeKutta4>();
  if (name == "midpoint") return std::make_unique<Midpoint>();
  if (hasPlugin("integrator", name)) return makeFromPlugin<Integrator>("integrator", name, "footfall_make_integrator");
  throw Error("physics.integrator", fmt::format("there is no integrator '{}'", name),
              "choose second_order, semi_implicit_euler, explicit_euler, rk4 or midpoint, or a plug-in");
}

}  // namespace footfall
