#include "diagram.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <tuple>

#include "copies.hpp"
#include "footfall/base/error.hpp"
#include "footfall/block_io/diagram_drawing.hpp"
#include "footfall/diagram/all_blocks.hpp"
#include "footfall/diagram/signal_channels.hpp"
#include "footfall/robot_block/robot_setup.hpp"
#include "python_block.hpp"

namespace footfall::python {
namespace {

/// A number, text, flag, list or map of Python as a block's parameter.
ParameterValue parameterOf(const std::string& name, nb::handle value) {
  if (nb::isinstance<nb::bool_>(value)) return nb::cast<bool>(value);
  if (nb::isinstance<nb::str>(value)) return nb::cast<std::string>(value);
  if (nb::isinstance<nb::dict>(value)) {
    ParameterValue::Map map;
    for (const auto [key, entry] : nb::cast<nb::dict>(value))
      map.emplace_back(nb::cast<std::string>(key), parameterOf(name, entry));
    return map;
  }
  if (nb::hasattr(value, "tolist")) return parameterOf(name, nb::object(value.attr("tolist")()));
  if (nb::isinstance<nb::list>(value) || nb::isinstance<nb::tuple>(value)) {
    ParameterValue::List list;
    for (const nb::handle entry : value) list.push_back(parameterOf(name, entry));
    return list;
  }
  double number = 0.0;
  if (!nb::try_cast(value, number))
    throw nb::type_error(("parameter '" + name + "' is of the type " +
                          nb::cast<std::string>(value.type().attr("__name__")) +
                          ", expected a number, a text, a flag, a list or a dict")
                             .c_str());
  if (std::isnan(number)) throw Error("parameter '" + name + "'", "it is not a number");
  return number;
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

/// An object of `module.Class`, made with the block's parameters.
std::unique_ptr<Block> makeNamedBlock(const std::string& path, const Parameters& parameters) {
  const auto dot = path.rfind('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == path.size())
    throw Error(parameters.where, "'python:" + path + "' names no class", "python:module.Class");
  const nb::object module = nb::module_::import_(path.substr(0, dot).c_str());
  const nb::object type = nb::getattr(module, path.substr(dot + 1).c_str());
  nb::dict given;
  for (const std::string& key : parameters.names()) given[key.c_str()] = objectOf(parameters.value(key));
  nb::object block = type(**given);
  if (!nb::hasattr(block, "declare") || !nb::hasattr(block, "outputs"))  // with the place in the file
    throw Error(parameters.where, "'python:" + path + "' is no footfall.Block", "derive the class from footfall.Block");
  return makePythonBlock(std::move(block));
}

/// What went wrong in Python, said with the place in the user's file; the exception of Python is its cause.
[[noreturn]] void raiseWithPlace(nb::python_error& error, const std::string& path, const Parameters& parameters) {
  if (!error.matches(PyExc_Exception)) throw error;  // Ctrl-C
  const std::string kind = nb::cast<std::string>(error.type().attr("__name__"));
  const std::string reason = kind + ": " + nb::cast<std::string>(nb::str(error.value()));
  const Error with_place(parameters.where, "'python:" + path + "' cannot be made: " + reason,
                         "is its folder on PYTHONPATH, and does the class take these parameters?");
  nb::raise_from(error, nb::module_::import_("footfall._core").attr("Error").ptr(), "%s", with_place.what());
}

/// `python:module.Class` is a kind of block.
BlockRegistry::Maker findPythonBlock(const std::string& name) {
  constexpr std::string_view kPrefix = "python:";
  if (!name.starts_with(kPrefix)) return {};
  return [path = name.substr(kPrefix.size())](const Parameters& parameters) -> std::unique_ptr<Block> {
    try {
      return makeNamedBlock(path, parameters);
    } catch (nb::python_error& error) {
      raiseWithPlace(error, path, parameters);
    }
  };
}

Parameters parametersOf(const nb::kwargs& given) {
  Parameters parameters;
  for (const auto [key, value] : given) {
    const auto name = nb::cast<std::string>(key);
    parameters.set(name, parameterOf(name, value));
  }
  return parameters;
}

/// A scene or a diagram as people give it: a path, a text or a dict, with changes of its keys.
struct GivenScene {
  std::string source;  ///< path or text
  bool is_text;
  std::map<std::string, std::string> set;

  GivenScene(const nb::object& scene, const nb::object& changes) {
    const nb::module_ scenes = nb::module_::import_("footfall._scene");
    std::tie(source, is_text) = nb::cast<std::pair<std::string, bool>>(scenes.attr("source")(scene));
    set = nb::cast<std::map<std::string, std::string>>(scenes.attr("overrides")(changes));
  }
  std::vector<SceneOverride> overrides() const { return {set.begin(), set.end()}; }
  /// What makes the same again, also in another folder.
  std::string again() const { return is_text ? source : std::filesystem::absolute(source).string(); }
};

/// Puts blocks together; knows the scene that its robot blocks belong to, and what it was told, for pickles.
class Builder {
 public:
  Builder(const nb::object& scene, const nb::object& set) : registry_(blocksAndPython()) {
    if (scene.is_none()) {
      if (!set.is_none()) throw Error("DiagramBuilder", "set is given, but no scene whose keys it could change");
      return;
    }
    const GivenScene given(scene, set);
    scene_ = given.is_text ? parseScene(given.source, "scene", given.overrides())
                           : loadScene(given.source, given.overrides());
    environment_ = makeRobotEnvironment(*scene_);
    made_of_ = nb::make_tuple(given.again(), given.set);
  }

  void add(const std::string& name, const nb::object& kind, const nb::kwargs& given) {
    Parameters parameters = parametersOf(given);
    nb::dict told;
    for (const std::string& key : parameters.names()) told[key.c_str()] = objectOf(parameters.value(key));
    if (nb::isinstance<nb::str>(kind)) {
      parameters.environment = environment_;
      builder_.add(name, registry_, nb::cast<std::string>(kind), std::move(parameters));
    } else {
      if (!given.empty()) throw Error(name, "a block written in Python gets its parameters when it is made");
      const std::string type = nb::cast<std::string>(kind.type().attr("__name__"));
      builder_.add(name, std::shared_ptr<const Block>(makePythonBlock(kind)), type);
    }
    remember("add", nb::make_tuple(name, kind), told);
  }

  void connect(const std::string& source, const std::string& input) {
    builder_.connect(source, input);
    remember("connect", nb::make_tuple(source, input));
  }

  void input(const std::string& name, int size, const std::string& unit) {
    constexpr int kLargest = 1'000'000;
    if (size < 1 || size > kLargest)
      throw Error(name, "its size is " + std::to_string(size) + ", expected 1 to " + std::to_string(kLargest));
    builder_.input(name, size == 1 ? SignalType::scalar(unit) : SignalType::vector(size, unit));
    remember("input", nb::make_tuple(name, size, unit));
  }

  void output(const std::string& name, const std::string& source) {
    builder_.output(name, source);
    remember("output", nb::make_tuple(name, source));
  }

  void when(const std::string& name, const std::string& source, const std::string& on, bool restart, bool clear) {
    const std::optional<RunCondition::Kind> kind = RunCondition::kindOf(on);
    if (!kind) throw Error("when", "on is '" + on + "'", "is, not, rises, falls or changes");
    builder_.setCondition(name, {*kind, source, restart, clear, ""});
    remember("when", nb::make_tuple(name, source, on, restart, clear));
  }

  MadeDiagram build(std::optional<double> asked_step, const std::string& solver, double tolerance,
                    bool solve_loops) const {
    const double step = asked_step ? *asked_step : scene_ ? scene_->physics.step : DiagramSettings().step;
    if (tolerance != DiagramSettings().tolerance && solver != "rk45")
      throw Error("build", "tolerance is given, but the solver is '" + solver + "'",
                  "rk45 has one; others have steps of a fixed length");
    Diagram diagram =
        builder_.build({.step = step, .solver = solver, .tolerance = tolerance, .solve_loops = solve_loops});
    return {
        std::make_shared<const DiagramSource>(DiagramSource{{}, {}, scene_, std::move(diagram)}),
        nb::make_tuple("parts", made_of_, told_.attr("copy")(), nb::make_tuple(step, solver, tolerance, solve_loops))};
  }

 private:
  void remember(const char* call, const nb::object& arguments, const nb::dict& named = {}) {
    told_.append(nb::make_tuple(call, arguments, named));
  }

  BlockRegistry registry_;
  std::optional<Scene> scene_;
  std::shared_ptr<const Environment> environment_;
  DiagramBuilder builder_;
  nb::object made_of_ = nb::make_tuple();  ///< its arguments
  nb::list told_;                          ///< (method, arguments, named arguments) of each call
};

/// The diagram of a scene (the default one where it has none), or of a file that holds nothing else.
MadeDiagram loadDiagram(const nb::object& scene, const nb::object& changes) {
  const GivenScene given(scene, changes);
  const BlockRegistry blocks = blocksAndPython();
  return {std::make_shared<const DiagramSource>(
              given.is_text ? parseDiagramSource(given.source, "diagram", given.overrides(), blocks)
                            : loadDiagramSource(given.source, given.overrides(), blocks)),
          nb::make_tuple("file", given.again(), given.set)};
}

std::vector<std::string> blockPaths(const MadeDiagram& made) {
  std::vector<std::string> paths;
  for (const Diagram::BlockInfo& block : made.diagram().blocks()) paths.push_back(block.path);
  return paths;
}

std::vector<std::string> namesOf(const std::vector<Diagram::Port>& ports) {
  std::vector<std::string> names;
  for (const Diagram::Port& port : ports) names.push_back(port.name);
  return names;
}

nb::tuple reduce(const MadeDiagram& made) {
  return nb::make_tuple(nb::module_::import_("footfall._diagram").attr("_diagram_again"), made.made_of);
}

void bindMadeDiagram(nb::module_& module) {
  nb::class_<MadeDiagram>(module, "Diagram", R"(Blocks and lines. Never changes: start() gives something that runs.

A pickle holds what it was made of: the path of its file, or what its builder was told.)")
      .def_static(
          "load", &loadDiagram, "path"_a, "set"_a = nb::none(),
          nb::sig("def load(path: str | os.PathLike[str] | collections.abc.Mapping[str, object], "
                  "set: collections.abc.Mapping[str, object] | None = None) -> Diagram"),
          R"(The diagram of a scene, or of a file that holds nothing else: its path, its text, or a dict of the same shape.

`set` changes keys as the command's --set does: `set={"diagram.blocks.controller.kp": 200}` of a scene, `"blocks.…"` of a diagram alone.)")
      .def("start", &startRun, nb::sig("def start(self) -> DiagramRun"), "A run of it, at time 0.")
      .def_prop_ro("blocks", &blockPaths, "their names, through the sub-diagrams")
      .def_prop_ro(
          "inputs", [](const MadeDiagram& made) { return namesOf(made.diagram().inputs()); },
          "names, for DiagramRun.set_input()")
      .def_prop_ro(
          "outputs", [](const MadeDiagram& made) { return namesOf(made.diagram().outputs()); }, "names")
      .def_prop_ro(
          "signals", [](const MadeDiagram& made) { return allSignals(made.diagram()); },
          "names, for DiagramRun.signal(); outputs of sub-diagrams are further names of some of them")
      .def_prop_ro(
          "dt", [](const MadeDiagram& made) { return made.diagram().settings().step; }, "base step [s]")
      .def("__repr__",
           [](const MadeDiagram& made) {
             return "<footfall.Diagram of " + std::to_string(made.diagram().blocks().size()) + " blocks>";
           })
      .def("__copy__", [](const MadeDiagram& made) { return made; })
      .def(
          "__deepcopy__", [](const MadeDiagram& made, const nb::dict&) { return made; }, "memo"_a,
          nb::sig("def __deepcopy__(self, memo: dict[int, object]) -> Diagram"))
      .def("__reduce__", &reduce, nb::sig("def __reduce__(self) -> tuple[object, ...]"))
      .def(
          "to_svg",
          [](const MadeDiagram& made, const std::string& title) {
            return toSvg(drawDiagram(made.diagram(), allBlocks(), title));
          },
          "title"_a = "", "A drawing.");
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
  bindMadeDiagram(module);
  bindDiagramRun(module);
  nb::class_<Builder> type(module, "DiagramBuilder", R"(Puts a diagram together.

    b = footfall.DiagramBuilder()
    b.add("mine", MyBlock())                # a footfall.Block
    b.add("gain", "Gain", factor=3.0)       # a kind that `footfall blocks` lists
    b.connect("mine.out", "gain.in")
    run = b.build(step=1e-3).start()

`scene` is the scene that blocks of a robot belong to: its path, its text, or a dict of the same shape; `set` changes its keys, as that of
Simulation does.)");
  type.def(nb::init<const nb::object&, const nb::object&>(), "scene"_a = nb::none(), "set"_a = nb::none(),
           nb::sig("def __init__(self, scene: str | os.PathLike[str] | collections.abc.Mapping[str, object] | None = "
                   "None, set: collections.abc.Mapping[str, object] | None = None) -> None"))
      .def("add", &Builder::add, "name"_a, "block"_a, "parameters"_a,
           nb::sig("def add(self, name: str, block: object, **parameters: object) -> None"),
           "A block: the name of its kind with its parameters, or a footfall.Block.")
      .def("connect", &Builder::connect, "source"_a, "input"_a,
           "A line from 'block.port', 'block.bus.field' or an input of the diagram, to 'block.port'.")
      .def("input", &Builder::input, "name"_a, "size"_a = 1, "unit"_a = "",
           "An input of the diagram itself: see DiagramRun.set_input().")
      .def("output", &Builder::output, "name"_a, "source"_a, "An output of the diagram itself: a signal by this name.")
      .def("when", &Builder::when, "name"_a, "source"_a, "on"_a = "is", "restart"_a = false, "clear"_a = false,
           "Lets a block run only while a signal is true (on='is'), is not ('not'), or at the instants at which it "
           "rises, falls, changes.")
      .def(
          "build", &Builder::build, "step"_a = nb::none(), "solver"_a = "rk4", "tolerance"_a = 1e-6,
          "solve_loops"_a = false,
          "Checks everything; errors name the blocks. `step` is the base step [s]; default: physics.step of the scene, "
          "or 1 ms.");
  refuseCopies(type, "a DiagramBuilder is not copied: what it builds is");
}

}  // namespace footfall::python
