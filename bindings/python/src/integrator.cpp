#include <nanobind/stl/shared_ptr.h>

#include "contact_model.hpp"
#include "footfall/base/error.hpp"

namespace footfall::python {
namespace {

/// What an integrator in Python gets. Dead after the call: users may keep it longer than the step lives.
struct StepInPython {
  const FreeStep* step = nullptr;
  VectorXd q, nu;

  const FreeStep& alive() const {
    if (step == nullptr) throw Error("step", "it is over", "use what advance(step) gets only inside of it");
    return *step;
  }
};

class PythonIntegrator : public Integrator {
 public:
  explicit PythonIntegrator(nb::object python) : python_(std::move(python)) {
    name_ = nb::cast<std::string>(python_.type().attr("__name__"));
  }

  std::string_view name() const override { return name_; }
  void reserve(const Model&) override {}

  void advance(const FreeStep& step, VectorXd& q, VectorXd& nu) override {
    const nb::gil_scoped_acquire gil;
    const auto given = std::make_shared<StepInPython>(StepInPython{&step, q, nu});
    struct End {
      StepInPython& given;
      ~End() { given.step = nullptr; }
    } end{*given};
    const nb::object answer = python_.attr("advance")(given);
    if (!nb::isinstance<nb::tuple>(answer) || nb::len(answer) != 2)
      throw Error(name_ + ".advance", "expected the new (q, nu)");
    q = numbersFrom(name_ + ".advance: q", nb::object(answer[0]), q.size());
    nu = numbersFrom(name_ + ".advance: nu", nb::object(answer[1]), nu.size());
  }

 private:
  nb::object python_;
  std::string name_;
};

Copy acceleration(const StepInPython& self, const Numbers& q, const Numbers& nu, double fraction) {
  const Model& model = self.alive().motion.model();
  requireNumbers("q", q, model.nq());
  requireNumbers("nu", nu, model.nv());
  VectorXd at_q = q, at_nu = nu, nu_dot(model.nv());
  self.alive().motion.acceleration(fraction, at_q, at_nu, nu_dot);
  return copyOf(nu_dot);
}

Copy move(const StepInPython& self, const Numbers& q, const Numbers& nu, double dt) {
  const Model& model = self.alive().motion.model();
  requireNumbers("q", q, model.nq());
  requireNumbers("nu", nu, model.nv());
  VectorXd moved = q;
  integrateConfiguration(model, nu, dt, moved);
  return copyOf(moved);
}

}  // namespace

std::unique_ptr<Integrator> makePythonIntegrator(nb::object python) {
  return std::make_unique<PythonIntegrator>(std::move(python));
}

void bindIntegrator(nb::module_& module) {
  nb::class_<StepInPython>(module, "FreeStep", "What an Integrator gets for one step of a robot that touches nothing.")
      .def_prop_ro(
          "dt", [](const StepInPython& s) { return s.alive().dt; }, "[s]")
      .def_prop_ro(
          "q", [](const StepInPython& s) { return copyOf(s.q); }, "at the start (nq)")
      .def_prop_ro(
          "nu", [](const StepInPython& s) { return copyOf(s.nu); }, "at the start (nv)")
      .def_prop_ro(
          "nu_free", [](const StepInPython& s) { return copyOf(s.alive().nu_free); },
          "velocity after one Euler step, springs and dampers implicit (nv)")
      .def("acceleration", &acceleration, "q"_a, "nu"_a, "fraction"_a = 0.0,
           "ν̇ at (q, ν) (nv); joints with a given motion are where they are after this fraction of the step")
      .def("move", &move, "q"_a, "nu"_a, "dt"_a, "q moved by the velocity nu during dt; rotations stay rotations");
}

}  // namespace footfall::python
