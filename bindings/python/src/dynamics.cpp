#include "dynamics.hpp"

#include <nanobind/stl/unique_ptr.h>

#include <optional>

#include "footfall/base/error.hpp"
#include "views.hpp"

namespace footfall::python {

void Engine::update(const VectorXd& q, const VectorXd& nu) {
  requireNumbers("q", q, model().nq());
  requireNumbers("nu", nu, model().nv());
  dynamics_->update(q, nu);
  updated_ = true;
}

const Dynamics& Engine::read() const {
  if (!updated_) throw Error("dynamics", "nothing has been computed yet", "call update(q, nu) first");
  return *dynamics_;
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
Copy inverseDynamics(const Engine& engine, const Numbers& nu_dot) {
  const Dynamics& d = engine.read();
  requireNumbers("nu_dot", nu_dot, d.model().nv());
  return copyOf(VectorXd(massTimes(d, nu_dot) + bias(d)));
}

/// M⁻¹ (S τ − h)
Copy forwardDynamics(const Engine& engine, const Numbers& tau) {
  const Dynamics& d = engine.read();
  requireNumbers("tau", tau, d.model().jointDofs());
  VectorXd x = -bias(d);
  d.model().jointVelocities(x) += tau;
  d.solveMass(x);
  return copyOf(x);
}

Copy frameJacobian(const Engine& engine, const std::string& frame) {
  const Dynamics& d = engine.read();
  MatrixXd J = MatrixXd::Zero(6, d.model().nv());
  d.frameJacobian(d.model().frame(frame), J);
  return copyOf(J);
}

Copy massMatrix(const Engine& engine) {
  const Dynamics& d = engine.read();
  MatrixXd M(d.model().nv(), d.model().nv());
  d.massMatrix(M);
  return copyOf(M);
}

Copy gravity(const Engine& engine) {
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
  nb::class_<Energy>(module, "Energy")
      .def_ro("kinetic", &Energy::kinetic, "[J]")
      .def_ro("potential", &Energy::potential, "of gravity, zero at the world's origin [J]")
      .def_prop_ro("total", &Energy::total, "[J]");

  nb::class_<Engine>(module, "Dynamics", R"(Kinematics and dynamics of a model: M(q) ν̇ + h(q, ν) = S τ + Jᵀ f.

    dynamics = footfall.Dynamics(model)
    dynamics.update(q, nu)
    dynamics.mass_matrix()

Velocities are in world axes: ν = (ṗ, ω of the base if it floats, then the joints).)")
      .def("__init__", &makeEngine, "model"_a, "engine"_a = "native", nb::keep_alive<1, 2>())
      .def("update", &updateEngine, "q"_a, "nu"_a = nb::none(), "Computes at (q, nu); everything below reads.")
      .def_prop_ro("model", &Engine::model, nb::rv_policy::reference_internal)
      .def("mass_matrix", &massMatrix, "M, (nv × nv)")
      .def(
          "bias_forces", [](const Engine& e) { return copyOf(bias(e.read())); },
          "h: Coriolis, centrifugal and gravity (nv) [N, N m]")
      .def("gravity_forces", &gravity, "h at ν = 0 (nv) [N, N m]")
      .def("inverse_dynamics", &inverseDynamics, "nu_dot"_a, "M ν̇ + h (nv) [N, N m]")
      .def("forward_dynamics", &forwardDynamics, "tau"_a,
           "M⁻¹ (S τ − h): acceleration of a robot that touches nothing (nv)")
      .def(
          "center_of_mass", [](const Engine& e) { return copyOf(VectorXd(e.read().centerOfMass())); },
          "in the world [m]")
      .def(
          "momentum", [](const Engine& e) { return copyOf(VectorXd(e.read().momentum())); },
          "linear [N s], then angular about the centre of mass [N m s], world axes")
      .def("energy", [](const Engine& e) { return e.read().energy(); })
      .def(
          "frame_pose",
          [](const Engine& e, const std::string& frame) {
            const Dynamics& d = e.read();
            return copyOf(d.framePose(d.model().frame(frame)));
          },
          "frame"_a, "X_WF, a 4 × 4 matrix [-, m]")
      .def("frame_jacobian", &frameJacobian, "frame"_a, "J with (v, ω) = J ν in world axes, (6 × nv)")
      .def(
          "frame_bias_acceleration",
          [](const Engine& e, const std::string& frame) {
            const Dynamics& d = e.read();
            return copyOf(VectorXd(d.frameBiasAcceleration(d.model().frame(frame))));
          },
          "frame"_a, "J̇ ν (6) [m/s², rad/s²]");
}

}  // namespace footfall::python
