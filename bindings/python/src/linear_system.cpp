#include "footfall/base/error.hpp"
#include "footfall/block/linearize.hpp"
#include "views.hpp"

namespace footfall::python {

void bindLinearSystem(nb::module_& module) {
  nb::class_<LinearSystem>(
      module, "LinearSystem",
      "ẋ = A x + B u, y = C x + D u; with dt > 0: x⁺ = A x + B u. Differences from the operating point.")
      .def_prop_ro("A", [](const LinearSystem& s) { return copyOf(s.A); })
      .def_prop_ro("B", [](const LinearSystem& s) { return copyOf(s.B); })
      .def_prop_ro("C", [](const LinearSystem& s) { return copyOf(s.C); })
      .def_prop_ro("D", [](const LinearSystem& s) { return copyOf(s.D); })
      .def_ro("states", &LinearSystem::states, "names")
      .def_ro("inputs", &LinearSystem::inputs, "names")
      .def_ro("outputs", &LinearSystem::outputs, "names")
      .def_ro("dt", &LinearSystem::step, "[s]; 0: continuous")
      .def("__repr__",
           [](const LinearSystem& s) {
             const std::string time = s.step > 0.0
                                          ? "steps of " + nb::cast<std::string>(nb::repr(nb::float_(s.step))) + " s"
                                          : std::string("continuous");
             return "<footfall.LinearSystem, " + time + ": " + std::to_string(s.states.size()) + " states, " +
                    std::to_string(s.inputs.size()) + " inputs, " + std::to_string(s.outputs.size()) + " outputs>";
           })
      .def(
          "__getstate__",
          [](const LinearSystem& s) {
            return nb::make_tuple(copyOf(s.A), copyOf(s.B), copyOf(s.C), copyOf(s.D), s.states, s.inputs, s.outputs,
                                  s.step);
          },
          nb::sig("def __getstate__(self) -> tuple[object, ...]"))
      .def(
          "__setstate__",
          [](LinearSystem& self, const nb::tuple& packed) {
            if (nb::len(packed) != 8) throw Error("linear system", "this pickle does not hold one of this version");
            using Names = std::vector<std::string>;
            new (&self) LinearSystem{nb::cast<MatrixXd>(packed[0]), nb::cast<MatrixXd>(packed[1]),
                                     nb::cast<MatrixXd>(packed[2]), nb::cast<MatrixXd>(packed[3]),
                                     nb::cast<Names>(packed[4]),    nb::cast<Names>(packed[5]),
                                     nb::cast<Names>(packed[6]),    nb::cast<double>(packed[7])};
          },
          nb::sig("def __setstate__(self, packed: tuple[object, ...], /) -> None"));
}

}  // namespace footfall::python
