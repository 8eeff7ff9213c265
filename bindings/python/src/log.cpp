#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>

#include <memory>

#include "copies.hpp"
#include "footfall/base/suggest.hpp"
#include "footfall/log/log_reader.hpp"
#include "footfall/record/state_reader.hpp"
#include "state.hpp"
#include "views.hpp"

namespace footfall::python {
namespace {

Copy columnsOf(const LogReader& log, const std::vector<int>& columns) {
  const std::vector<double> values = log.read(columns, {0, log.rows()});
  const auto rows = static_cast<Eigen::Index>(log.rows());
  return copyOf(MatrixXd(Eigen::Map<const MatrixXd>(values.data(), rows, static_cast<Eigen::Index>(columns.size()))));
}

/// All that a name means: a channel with its components, a column, or a pattern.
nb::object valuesOf(const LogReader& log, const std::string& name) {
  const Array table = columnsOf(log, log.matchingColumns(name)).array;
  const nb::object array = nb::cast(table);
  if (table.shape(1) == 1) return array[nb::make_tuple(nb::ellipsis(), 0)];
  return array;
}

std::vector<std::string> units(const LogReader& log) {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < log.columns().size(); ++i) list.push_back(log.unit(static_cast<int>(i)));
  return list;
}

/// Rows and numbers of all entries of a list.
nb::tuple entriesOf(const LogReader& log, const std::string& name) {
  const int list = log.findList(name);
  if (list < 0) {
    std::vector<std::string> names;
    for (const EntryList& known : log.lists()) names.push_back(known.name);
    throw Error(log.path(), "the log has no list '" + name + "'",
                names.empty() ? "it has no lists: .csv logs have none" : suggestOrList(name, names));
  }
  const ListEntries entries = log.entries(list, {0, log.rows()});
  const auto width = static_cast<Eigen::Index>(log.lists()[static_cast<std::size_t>(list)].size());
  const auto count = static_cast<Eigen::Index>(entries.first.back());
  VectorXd rows(count);
  for (std::size_t row = 0; row < log.rows(); ++row)
    for (std::size_t e = entries.first[row]; e < entries.first[row + 1]; ++e)
      rows[static_cast<Eigen::Index>(e)] = static_cast<double>(row);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return nb::make_tuple(copyOf(rows),
                        copyOf(MatrixXd(Eigen::Map<const RowMajor>(entries.values.data(), count, width))));
}

nb::dict listsOf(const LogReader& log) {
  nb::dict lists;
  for (const EntryList& list : log.lists()) lists[list.name.c_str()] = list.channels;
  return lists;
}

/// The state of a row; counted from the end where it is below zero.
NamedState stateOf(const LogReader& log, std::int64_t row, const Model& model) {
  const auto rows = static_cast<std::int64_t>(log.rows());
  if (row < -rows || row >= rows)
    throw Error(log.path(), "there is no row " + std::to_string(row) + ", expected one of " + std::to_string(-rows) +
                                " to " + std::to_string(rows - 1));
  return {StateReader(log, model).at(static_cast<std::size_t>(row < 0 ? row + rows : row)), model};
}

std::vector<int> allColumns(const LogReader& log) {
  std::vector<int> all(log.columns().size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
  return all;
}

}  // namespace

void bindLog(nb::module_& module) {
  nb::class_<Channel> channel(module, "Channel", "One quantity of a log.");
  channel.def_ro("name", &Channel::name)
      .def_ro("unit", &Channel::unit, "'-' for plain numbers")
      .def_ro("components", &Channel::components, "names of its columns; empty: it is one")
      .def("__repr__", [](const Channel& c) { return "Channel('" + c.name + "' [" + c.unit + "])"; });
  bindPickle(
      channel, [](const Channel& c) { return std::tuple(c.name, c.unit, c.components, c.group); },
      [](const std::tuple<std::string, std::string, std::vector<std::string>, std::string>& packed) {
        const auto& [name, unit, components, group] = packed;
        return Channel{name, unit, components, group};
      });

  nb::class_<LogReader>(module, "_Log")
      .def_prop_ro("path", &LogReader::path)
      .def_prop_ro(
          "notes",
          [](const LogReader& log) {
            nb::dict notes;
            for (const auto& [key, value] : log.notes()) notes[key.c_str()] = value;
            return notes;
          },
          nb::for_getter(nb::sig("def notes(self, /) -> dict[str, str]")), "what the log says about itself")
      .def_prop_ro("channels", [](const LogReader& log) { return log.channels(); })
      .def_prop_ro(
          "columns", [](const LogReader& log) { return log.columns(); }, "names of the columns")
      .def_prop_ro("units", &units, "of the columns")
      .def_prop_ro("damage", &LogReader::damage, "empty, or what is missing at the end of the file")
      .def_prop_ro(
          "time",
          [](const LogReader& log) {
            const auto& times = log.times();
            return copyOf(VectorXd(Eigen::Map<const VectorXd>(times.data(), static_cast<Eigen::Index>(times.size()))));
          },
          "[s]")
      .def("__len__", &LogReader::rows, "number of rows")
      .def("__getitem__", &valuesOf, "name"_a,
           nb::sig("def __getitem__(self, name: str) -> numpy.typing.NDArray[numpy.float64]"),
           "The values of a channel, a column or a pattern such as `l_sole.*`: (rows) or (rows × columns).")
      .def_prop_ro("lists", &listsOf, nb::for_getter(nb::sig("def lists(self, /) -> dict[str, list[Channel]]")),
                   "channels of the lists, of whose entries a row has any number")
      .def("_entries", &entriesOf, "name"_a,
           nb::sig("def _entries(self, name: str) -> tuple[numpy.typing.NDArray[numpy.float64], "
                   "numpy.typing.NDArray[numpy.float64]]"))
      .def("_state", &stateOf, "row"_a, "model"_a)
      .def("_table", [](const LogReader& log) { return columnsOf(log, allColumns(log)); });

  module.def("_open_log", &openLog, "path"_a);
}

}  // namespace footfall::python
