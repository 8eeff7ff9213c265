// What footfall.study needs of libfootfall: cases that run, study files with line numbers, units, nearest names.

#include <nanobind/stl/pair.h>

#include <stdexcept>

#include "case_run.hpp"
#include "footfall/base/error.hpp"
#include "footfall/base/suggest.hpp"
#include "footfall/base/units.hpp"
#include "footfall/keys/internal/yaml_lines.hpp"
#include "views.hpp"

namespace footfall::python {
namespace {

using Changes = std::vector<std::pair<std::string, std::string>>;

std::vector<std::pair<std::string, std::string>> columns(CaseRunner& runner, const Changes& changes) {
  std::vector<std::pair<std::string, std::string>> list;
  for (const Column& column : runner.columns(changes)) list.emplace_back(column.name, column.unit);
  return list;
}

nb::tuple run(CaseRunner& runner, const Changes& changes, const std::vector<std::string>& wanted) {
  const CaseTable table = runner.run(changes, wanted);
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto rows = static_cast<Eigen::Index>(table.rows), width = static_cast<Eigen::Index>(wanted.size());
  const MatrixXd values = Eigen::Map<const Rows>(table.values.data(), rows, width);
  return nb::make_tuple(copyOf(values), table.failure);
}

/// A number with whatever unit it has, in SI units; Hz stays Hz.
double inSiUnits(const std::string& text) {
  for (const Quantity quantity : {Quantity::plain, Quantity::position, Quantity::time, Quantity::frequency,
                                  Quantity::joint_rate, Quantity::acceleration, Quantity::force, Quantity::moment}) {
    try {
      return parseQuantity(text, quantity);
    } catch (const std::invalid_argument&) {
      // perhaps the next
    }
  }
  throw Error("", "'" + text + "' is not a number with a unit that is known here");
}

}  // namespace

void bindStudy(nb::module_& module) {
  nb::class_<CaseRunner>(module, "_CaseRunner", "A scene or diagram that is run again and again with other values.")
      .def(nb::init<std::string>(), "path"_a)
      .def("check", &CaseRunner::check, "changes"_a)
      .def("columns", &columns, "changes"_a, "names and units of all columns that a log would have")
      .def("run", &run, "changes"_a, "columns"_a,
           nb::sig("def run(self, changes: collections.abc.Sequence[tuple[str, str]], columns: "
                   "collections.abc.Sequence[str]) -> tuple[numpy.typing.NDArray[numpy.float64], str]"),
           "rows × columns, and why the run ended early (or an empty text)");
  module.def("_yaml_with_lines", &yamlWithLines, "text"_a, "source"_a);
  module.def("_in_si_units", &inSiUnits, "text"_a);
  module.def(
      "_suggest",
      [](const std::string& name, const std::vector<std::string>& known) { return suggestOrList(name, known); },
      "name"_a, "known"_a);
}

}  // namespace footfall::python
