#include "dynamics.hpp"

#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>

#include <cmath>
#include <optional>

#include "copies.hpp"
#include "footfall/base/error.hpp"
#include "views.hpp"

namespace footfall::python {

namespace {

/// As a step does it: what is far from norm one was never a rotation.
void requireRotations(const Model& model, const VectorXd& q) {
  constexpr double kFarFromOne = 1e-2;
  const auto require = [&](Eigen::Index position) {
    const double norm = q.segment<4>(position + 3).norm();
    if (std::abs(norm - 1.0) > kFarFromOne)
      throw Error("q",
                  "the quaternion q[" + std::to_string(position + 3) + "] to q[" + std::to_string(position + 6) +
                      "] as (x, y, z, w) has the norm " + std::to_string(norm) + ", expected 1",
                  "no rotation is (0, 0, 0, 1)");
  };
  require(0);
  for (int body = 0; body < model.free_bodies; ++body) require(model.freePosition(body));
}

}  // namespace

void Engine::update(const VectorXd& q, const VectorXd& nu) {
  requireNumbers("q", q, model().nq());
  requireRotations(model(), q);
  requireNumbers("nu", nu, model().nv());
  if (simulation_ != nullptr) updateToSimulation();
  if (own_) updated_ = own_.get();
  updated_->update(q, nu);
}

void Engine::updateToSimulation() {
  updated_ = &simulation_->dynamics();
  seen_q_ = simulation_->state().q;
  seen_nu_ = simulation_->state().nu;
}

bool Engine::stateHasChanged() const {
  return simulation_->state().q != seen_q_ || simulation_->state().nu != seen_nu_;
}

const Dynamics& Engine::read() {
  if (simulation_ != nullptr && (updated_ == nullptr || stateHasChanged())) updateToSimulation();
  if (updated_ == nullptr) throw Error("dynamics", "nothing has been computed yet", "call update(q, nu) first");
  return *updated_;
}

namespace {

VectorXd massTimes(const Dynamics& d, const VectorXd& x) {
  VectorXd y(x.size());
  d.multiplyMass(x, y);
  return y;
}

VectorXd bias(const Dynamics& d) {
  VectorXd h(d.model().nv());
  d.biasForces(h);
  return h;
}

/// M ν̇ + h
Copy inverseDynamics(Engine& engine, const Numbers& nu_dot) {
  const Dynamics& d = engine.read();
  requireNumbers("nu_dot", nu_dot, d.model().nv());
  return copyOf(VectorXd(massTimes(d, nu_dot) + bias(d)));
}

/// M⁻¹ (S τ − h)
Copy forwardDynamics(Engine& engine, const Numbers& tau) {
  const Dynamics& d = engine.read();
  requireNumbers("tau", tau, d.model().jointDofs());
  VectorXd x = -bias(d);
  d.model().jointVelocities(x) += tau;
  d.solveMass(x);
  return copyOf(x);
}

Copy frameJacobian(Engine& engine, const std::string& frame) {
  const Dynamics& d = engine.read();
  MatrixXd J = MatrixXd::Zero(6, d.model().nv());
  d.frameJacobian(d.model().frame(frame), J);
  return copyOf(J);
}

Copy massMatrix(Engine& engine) {
  const Dynamics& d = engine.read();
  MatrixXd M(d.model().nv(), d.model().nv());
  d.massMatrix(M);
  return copyOf(M);
}

Copy gravity(Engine& engine) {
  const Dynamics& d = engine.read();
  VectorXd g(d.model().nv());
  d.gravityForces(g);
  return copyOf(g);
}

void makeEngine(Engine* self, const Model& model, const std::string& engine) {
  new (self) Engine(makeDynamics(engine, model));
}

void updateEngine(Engine& self, const Numbers& q, const std::optional<Numbers>& nu) {
  if (nu) return self.update(q, *nu);
  self.update(q, VectorXd::Zero(self.model().nv()));
}

}  // namespace

void bindDynamics(nb::module_& module) {
  nb::class_<Energy> energy(module, "Energy",
                            "Of a robot and the bodies beside it, at the instant at which it was asked for.");
  energy.def_ro("kinetic", &Energy::kinetic, "[J]")
      .def_ro("potential", &Energy::potential, "of gravity, zero at the world's origin [J]")
      .def_prop_ro("total", &Energy::total,
                   "kinetic and potential [J]; what springs hold is not in it: logs have that as `energy.elastic`")
      .def("__repr__", [](const Energy& e) {
        return nb::str("Energy(kinetic={:.9g} J, potential={:.9g} J)").format(e.kinetic, e.potential);
      });
  bindPickle(
      energy, [](const Energy& e) { return std::tuple(e.kinetic, e.potential); },
      [](const std::tuple<double, double>& packed) {
        return Energy{std::get<0>(packed), std::get<1>(packed)};
      });

  nb::class_<Engine> engine(module, "Dynamics", R"(Kinematics and dynamics of a model: M(q) ν̇ + h(q, ν) = S τ + Jᵀ f.

    dynamics = footfall.Dynamics(model)
    dynamics.update(q, nu)
    dynamics.mass_matrix()

Velocities are in world axes: ν = (ṗ, ω of the base if it floats, then the joints).)");
  engine.def("__init__", &makeEngine, "model"_a, "engine"_a = "native", nb::keep_alive<1, 2>())
      .def("update", &updateEngine, "q"_a, "nu"_a = nb::none(), "Computes at (q, nu); everything below reads.")
      .def_prop_ro("model", &Engine::model, nb::rv_policy::reference_internal)
      .def("mass_matrix", &massMatrix, "M, (nv × nv)")
      .def(
          "bias_forces", [](Engine& e) { return copyOf(bias(e.read())); },
          "h: Coriolis, centrifugal and gravity (nv) [N, N m]")
      .def("gravity_forces", &gravity, "h at ν = 0 (nv) [N, N m]")
      .def("inverse_dynamics", &inverseDynamics, "nu_dot"_a, "M ν̇ + h (nv) [N, N m]")
      .def("forward_dynamics", &forwardDynamics, "tau"_a,
           "M⁻¹ (S τ − h): acceleration of a robot that touches nothing (nv)")
      .def(
          "center_of_mass", [](Engine& e) { return copyOf(VectorXd(e.read().centerOfMass())); },
          "of everything that the model has: the robot and the bodies of the scene together, in the world (3) [m]")
      .def(
          "momentum", [](Engine& e) { return copyOf(VectorXd(e.read().momentum())); },
          "of the robot and the bodies of the scene together: linear [N s], then angular about their centre of mass [N "
          "m "
          "s], world axes (6)")
      .def(
          "energy", [](Engine& e) { return e.read().energy(); }, "kinetic, and potential of gravity [J]")
      .def(
          "frame_pose",
          [](Engine& e, const std::string& frame) {
            const Dynamics& d = e.read();
            return copyOf(d.framePose(d.model().frame(frame)));
          },
          "frame"_a, "X_WF, a 4 × 4 matrix [-, m]")
      .def("frame_jacobian", &frameJacobian, "frame"_a, "J with (v, ω) = J ν in world axes, (6 × nv)")
      .def(
          "frame_bias_acceleration",
          [](Engine& e, const std::string& frame) {
            const Dynamics& d = e.read();
            return copyOf(VectorXd(d.frameBiasAcceleration(d.model().frame(frame))));
          },
          "frame"_a, "J̇ ν (6) [m/s², rad/s²]");
  refuseCopies(engine, "Dynamics are not copied: make another one with footfall.Dynamics(model)");
}

}  // namespace footfall::python
