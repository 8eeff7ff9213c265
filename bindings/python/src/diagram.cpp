#include "footfall/block/diagram.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/shared_ptr.h>

#include <cmath>
#include <sstream>

#include "footfall/base/error.hpp"
#include "footfall/block/linearize.hpp"
#include "footfall/block_io/diagram_drawing.hpp"
#include "footfall/block_library/sinks.hpp"
#include "footfall/diagram/all_blocks.hpp"
#include "footfall/diagram/diagram_source.hpp"
#include "footfall/robot_block/robot_setup.hpp"
#include "python_block.hpp"
#include "views.hpp"

namespace footfall::python {
namespace {

/// A number, text, flag, list or map of Python as a block's parameter.
ParameterValue parameterOf(nb::handle value) {
  if (nb::isinstance<nb::bool_>(value)) return nb::cast<bool>(value);
  if (nb::isinstance<nb::str>(value)) return nb::cast<std::string>(value);
  if (nb::isinstance<nb::dict>(value)) {
    ParameterValue::Map map;
    for (const auto [key, entry] : nb::cast<nb::dict>(value))
      map.emplace_back(nb::cast<std::string>(key), parameterOf(entry));
    return map;
  }
  if (nb::hasattr(value, "tolist")) return parameterOf(value.attr("tolist")());
  if (nb::isinstance<nb::list>(value) || nb::isinstance<nb::tuple>(value)) {
    ParameterValue::List list;
    for (const nb::handle entry : value) list.push_back(parameterOf(entry));
    return list;
  }
  return nb::cast<double>(value);
}

/// The other way: what a file says about a block, for a class of Python.
nb::object objectOf(const ParameterValue& value) {
  if (const auto* flag = std::get_if<bool>(&value.value)) return nb::cast(*flag);
  if (const auto* number = std::get_if<double>(&value.value)) return nb::cast(*number);
  if (const auto* text = std::get_if<std::string>(&value.value)) return nb::cast(*text);
  if (const auto* list = std::get_if<ParameterValue::List>(&value.value)) {
    nb::list objects;
    for (const ParameterValue& item : *list) objects.append(objectOf(item));
    return objects;
  }
  if (const auto* map = std::get_if<ParameterValue::Map>(&value.value)) {
    nb::dict objects;
    for (const auto& [key, item] : *map) objects[key.c_str()] = objectOf(item);
    return objects;
  }
  return nb::none();
}

/// `python:module.Class`: an object of that class, made with the block's parameters.
BlockRegistry::Maker findPythonBlock(const std::string& name) {
  constexpr std::string_view kPrefix = "python:";
  if (!name.starts_with(kPrefix)) return {};
  const std::string path = name.substr(kPrefix.size());
  return [path](const Parameters& parameters) {
    const auto dot = path.rfind('.');
    if (dot == std::string::npos || dot == 0 || dot + 1 == path.size())
      throw Error(parameters.where, "'python:" + path + "' names no class", "python:module.Class");
    const nb::object module = nb::module_::import_(path.substr(0, dot).c_str());
    const nb::object type = nb::getattr(module, path.substr(dot + 1).c_str());
    nb::dict given;
    for (const std::string& key : parameters.names()) given[key.c_str()] = objectOf(parameters.value(key));
    nb::object block = type(**given);
    if (!nb::hasattr(block, "declare") || !nb::hasattr(block, "outputs"))
      throw Error(parameters.where, "'python:" + path + "' is no footfall.Block",
                  "derive the class from footfall.Block");
    return makePythonBlock(std::move(block));
  };
}

Parameters parametersOf(const nb::kwargs& given) {
  Parameters parameters;
  for (const auto [name, value] : given) parameters.set(nb::cast<std::string>(name), parameterOf(value));
  return parameters;
}

/// Puts blocks together; knows the scene that its robot blocks belong to.
class Builder {
 public:
  explicit Builder(const std::optional<std::string>& scene) : registry_(blocksAndPython()) {
    if (scene) environment_ = makeRobotEnvironment(loadScene(*scene));
  }

  void add(const std::string& name, nb::object kind, const nb::kwargs& given) {
    if (!nb::isinstance<nb::str>(kind)) {
      if (given.size() > 0) throw Error(name, "a block written in Python gets its parameters when it is made");
      const std::string type = nb::cast<std::string>(kind.type().attr("__name__"));
      builder_.add(name, std::shared_ptr<const Block>(makePythonBlock(std::move(kind))), type);
      return;
    }
    Parameters parameters = parametersOf(given);
    parameters.environment = environment_;
    builder_.add(name, registry_, nb::cast<std::string>(kind), std::move(parameters));
  }

  void when(const std::string& name, const std::string& source, const std::string& on, bool restart, bool clear) {
    const std::optional<RunCondition::Kind> kind = RunCondition::kindOf(on);
    if (!kind) throw Error("when", "on is '" + on + "'", "is, not, rises, falls or changes");
    builder_.setCondition(name, {*kind, source, restart, clear, ""});
  }

  std::shared_ptr<const Diagram> build(double step, const std::string& solver, double tolerance,
                                       bool solve_loops) const {
    return std::make_shared<const Diagram>(
        builder_.build({.step = step, .solver = solver, .tolerance = tolerance, .solve_loops = solve_loops}));
  }

  DiagramBuilder& builder() { return builder_; }

 private:
  BlockRegistry registry_;
  std::shared_ptr<const Environment> environment_;
  DiagramBuilder builder_;
};

/// A diagram with all that it remembers.
class Running {
 public:
  explicit Running(std::shared_ptr<const Diagram> diagram)
      : diagram_(std::move(diagram)), context_(diagram_->makeContext()) {}

  Context& context() { return context_; }
  const Context& context() const { return context_; }

  bool step() {
    const nb::gil_scoped_release others_may_run;
    return diagram_->step(context_);
  }

  void run(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0.0) throw Error("run", "expected a time of zero or more seconds");
    const auto steps = std::llround(seconds / diagram_->settings().step);
    for (long long i = 0; i < steps; ++i) {
      if (!step()) return;
      if (i % 256 == 255 && PyErr_CheckSignals() != 0) throw nb::python_error();
    }
  }

  /// Times and samples of a Scope, copied.
  nb::object scope(const std::string& path) {
    const ScopeSamples& samples = scopeSamples(*diagram_, context_, path);
    const std::size_t count = samples.count();
    VectorXd times(static_cast<Eigen::Index>(count));
    MatrixXd values(static_cast<Eigen::Index>(count), count == 0 ? 0 : samples.values(0).size());
    for (std::size_t k = 0; k < count; ++k) {
      times[static_cast<Eigen::Index>(k)] = samples.time(k);
      values.row(static_cast<Eigen::Index>(k)) = samples.values(k).transpose();
    }
    return nb::make_tuple(copyOf(times), copyOf(values));
  }

  LinearSystem linearize() const { return footfall::linearize(*diagram_, context_); }
  TrimResult trim(const std::vector<std::string>& free_inputs, double tolerance) {
    return footfall::trim(*diagram_, context_, free_inputs, tolerance);
  }

  nb::bytes save() const {
    std::ostringstream out;
    context_.save(out);
    const std::string bytes = out.str();
    return nb::bytes(bytes.data(), bytes.size());
  }

  void load(const nb::bytes& bytes) {
    std::istringstream in(std::string(bytes.c_str(), bytes.size()));
    context_.load(in, "snapshot");
  }

 private:
  std::shared_ptr<const Diagram> diagram_;
  Context context_;
};

using Self = nb::handle_t<Running>;

nb::object signalView(Self self, const std::string& path) {
  const auto signal = nb::inst_ptr<Running>(self)->context().signal(path);
  using View = nb::ndarray<nb::numpy, const double>;
  return nb::cast(View(signal.data(), {static_cast<std::size_t>(signal.size())}, self));
}

/// The diagram of a scene (the default one where it has none), or of a file that holds nothing else.
std::shared_ptr<const Diagram> loadDiagram(const std::filesystem::path& path) {
  return std::make_shared<const Diagram>(loadDiagramSource(path.string(), {}, blocksAndPython()).diagram);
}

std::vector<std::string> blockPaths(const Diagram& diagram) {
  std::vector<std::string> paths;
  for (const Diagram::BlockInfo& block : diagram.blocks()) paths.push_back(block.path);
  return paths;
}

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

void bindRunning(nb::module_& module) {
  nb::class_<Running>(module, "DiagramRun", "A diagram with its states, signals and time: `diagram.start()`.")
      .def("step", &Running::step, "One base step. False when a block has stopped the run: see stop_reason.")
      .def("run", &Running::run, "seconds"_a, "Steps for this long, or until a block stops the run.")
      .def_prop_ro(
          "time", [](const Running& r) { return r.context().time(); }, "of the states [s]")
      .def_prop_ro(
          "signal_time", [](const Running& r) { return r.context().signalTime(); }, "of the signals [s]")
      .def_prop_ro(
          "stop_reason", [](const Running& r) { return r.context().stopReason(); }, "empty while all is well")
      .def("signal", &signalView, "path"_a,
           nb::sig("def signal(self, path: str) -> numpy.typing.NDArray[numpy.float64]"),
           "'block.port' or 'block.port.field' as a view that changes with every step.")
      .def(
          "set_input",
          [](Running& r, const std::string& name, const Numbers& values) {
            requireNumbers(name, values, values.size());
            r.context().setInput(name, static_cast<const VectorXd&>(values));
          },
          "name"_a, "values"_a, "An input of the diagram; kept until changed.")
      .def("scope", &Running::scope, "path"_a,
           nb::sig("def scope(self, path: str) -> tuple[numpy.typing.NDArray[numpy.float64], "
                   "numpy.typing.NDArray[numpy.float64]]"),
           "What a Scope has seen: times [s], and one row of numbers for each, of all its inputs.")
      .def("linearize", &Running::linearize,
           "A, B, C, D from the inputs of the diagram to its outputs, around the present continuous states.")
      .def(
          "trim",
          [](Running& r, const std::vector<std::string>& free_inputs, double tolerance) {
            return r.trim(free_inputs, tolerance).residual;
          },
          "free_inputs"_a = std::vector<std::string>{}, "tolerance"_a = 1e-10,
          "Goes to an operating point near the present one: all rates are zero there. May change continuous states and "
          "the named "
          "inputs; returns the largest rate that is left.")
      .def("__copy__", [](const Running& r) { return Running(r); })
      .def(
          "__deepcopy__", [](const Running& r, const nb::dict&) { return Running(r); }, "memo"_a,
          nb::sig("def __deepcopy__(self, memo: dict[int, object]) -> DiagramRun"))
      .def("snapshot", &Running::save, "All that it remembers, as bytes, exact to the last bit.")
      .def("restore", &Running::load, "snapshot"_a);
}

}  // namespace

BlockRegistry blocksAndPython() {
  BlockRegistry registry = allBlocks();
  registry.setFinder(&findPythonBlock);
  return registry;
}

void bindDiagram(nb::module_& module) {
  bindBlock(module);
  bindLinearSystem(module);
  bindRunning(module);
  nb::class_<Diagram>(module, "Diagram", "Blocks and lines. Never changes: start() gives something that runs.")
      .def_static("load", &loadDiagram, "path"_a, nb::sig("def load(path: str | os.PathLike[str]) -> Diagram"),
                  "The diagram of a scene, or of a file that holds nothing else.")
      .def("start", [](std::shared_ptr<Diagram> diagram) { return std::make_shared<Running>(std::move(diagram)); })
      .def_prop_ro("blocks", &blockPaths, "their names, through the sub-diagrams")
      .def_prop_ro(
          "dt", [](const Diagram& d) { return d.settings().step; }, "base step [s]")
      .def(
          "to_svg",
          [](const Diagram& d, const std::string& title) { return toSvg(drawDiagram(d, allBlocks(), title)); },
          "title"_a = "", "A drawing.");

  nb::class_<Builder>(module, "DiagramBuilder", R"(Puts a diagram together.

    b = footfall.DiagramBuilder()
    b.add("mine", MyBlock())                # a footfall.Block
    b.add("gain", "Gain", factor=3.0)       # a kind that `footfall blocks` lists
    b.connect("mine.out", "gain.in")
    run = b.build(step=1e-3).start()

`scene` is the path of the scene that blocks of a robot belong to.)")
      .def(nb::init<const std::optional<std::string>&>(), "scene"_a = nb::none())
      .def("add", &Builder::add, "name"_a, "block"_a, "parameters"_a,
           nb::sig("def add(self, name: str, block: object, **parameters: object) -> None"))
      .def(
          "connect",
          [](Builder& b, const std::string& source, const std::string& input) { b.builder().connect(source, input); },
          "source"_a, "input"_a)
      .def(
          "input",
          [](Builder& b, const std::string& name, int size, const std::string& unit) {
            b.builder().input(name, size == 1 ? SignalType::scalar(unit) : SignalType::vector(size, unit));
          },
          "name"_a, "size"_a = 1, "unit"_a = "", "An input of the diagram itself: see DiagramRun.set_input().")
      .def(
          "output",
          [](Builder& b, const std::string& name, const std::string& source) { b.builder().output(name, source); },
          "name"_a, "source"_a)
      .def("when", &Builder::when, "name"_a, "source"_a, "on"_a = "is", "restart"_a = false, "clear"_a = false,
           "Lets a block run only while a signal is true (on='is'), is not ('not'), or at the instants at which it "
           "rises, falls, changes.")
      .def("build", &Builder::build, "step"_a = 1e-3, "solver"_a = "rk4", "tolerance"_a = 1e-6, "solve_loops"_a = false,
           "Checks everything; errors name the blocks.");
}

}  // namespace footfall::python
