#include "python_block.hpp"

#include <nanobind/stl/shared_ptr.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "footfall/base/error.hpp"
#include "footfall/base/suggest.hpp"

namespace footfall::python {
namespace {

SignalType typeOf(int size, const std::string& unit) {
  return size == 1 ? SignalType::scalar(unit) : SignalType::vector(size, unit);
}

template <class Ports>
int portNamed(const Ports& ports, const std::string& name, const char* what) {
  std::vector<std::string> names;
  for (const auto& port : ports) names.push_back(port.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw Error("", std::string("there is no ") + what + " '" + name + "'", suggestOrList(name, names));
  return static_cast<int>(found - names.begin());
}

constexpr int kMostNumbers = 1'000'000;  ///< of a port, and of states

int counted(const std::string& what, int count, int least) {
  if (count < least || count > kMostNumbers)
    throw Error("block", what + " is " + std::to_string(count) + ", expected " + std::to_string(least) + " to " +
                             std::to_string(kMostNumbers));
  return count;
}

template <class Ports>
void requireNewName(const Ports& ports, const std::string& name, const char* what) {
  if (name.empty() || name.find_first_of(". \t\n") != std::string::npos)  // lines could not name it
    throw Error("block", std::string("'") + name + "' cannot be the name of an " + what,
                "names have no dots and no spaces");
  for (const auto& port : ports)
    if (port.name == name) throw Error("block", std::string("it declares two ") + what + "s '" + name + "'");
}

/// What declare(io) gets. Dead after the call: what a block says of itself is fixed then.
struct Declaration {
  BlockInterface interface;
  bool over = false;

  Declaration& alive() {
    if (over) throw Error("block", "its declaration is over", "use what declare(io) gets only inside of it");
    return *this;
  }

  void input(const std::string& name, int size, const std::string& unit) {
    alive();
    requireNewName(interface.inputs, name, "input");
    interface.input(name, typeOf(counted("the size of input '" + name + "'", size, 1), unit));
  }

  void output(const std::string& name, int size, const std::string& unit,
              const std::optional<std::vector<std::string>>& depends_on) {
    alive();
    requireNewName(interface.outputs, name, "output");
    counted("the size of output '" + name + "'", size, 1);
    if (!depends_on) {
      interface.output(name, typeOf(size, unit));
      return;
    }
    std::vector<int> ports;
    for (const std::string& input : *depends_on) ports.push_back(portNamed(interface.inputs, input, "input"));
    interface.output(name, typeOf(size, unit), std::move(ports));
  }
};

/// What the other methods get: one evaluation. Numbers are copied in and out, so that nothing that Python keeps can
/// look into a context that is gone.
struct Instant {
  Evaluation* evaluation;
  const BlockInterface& interface;

  Evaluation& alive() const {
    if (evaluation == nullptr) throw Error("block", "the evaluation is over", "use it only inside of the call");
    return *evaluation;
  }
  Copy input(const std::string& name) const {
    alive();  // or else the block may be gone, and its interface with it
    const int port = portNamed(interface.inputs, name, "input");
    return copyOf(alive().connected(port) ? VectorXd(alive().vector(port)) : VectorXd());
  }
  void setOutput(const std::string& name, const Numbers& values) const {
    alive();
    assign(name, values, alive().outVector(portNamed(interface.outputs, name, "output")));
  }
};

/// Numbers that a method returns would arrive nowhere, and nobody would know.
void requireNothing(const char* method, const nb::object& returned) {
  if (returned.is_none()) return;
  const auto text = nb::cast<std::string>(nb::module_::import_("reprlib").attr("repr")(returned));
  const std::string what = std::string(method) + "() of the block returns " + text + ", expected None: ";
  throw nb::type_error((what + "what a block gives is set, e['out'] = …, e.state = … or e.rate = …").c_str());
}

class PythonBlock : public Block {
 public:
  explicit PythonBlock(nb::object python) : python_(std::move(python)) {
    const auto declaration = std::make_shared<Declaration>();
    struct End {
      Declaration& given;
      ~End() { given.over = true; }
    } end{*declaration};
    requireNothing("declare", python_.attr("declare")(declaration));
    interface_ = declaration->interface;
  }

  void declare(BlockInterface& interface) const override { interface = interface_; }
  void initialize(Evaluation& e) const override { call("initialize", e); }
  void outputs(Evaluation& e) const override { call("outputs", e); }
  void update(Evaluation& e) const override { call("update", e); }
  void derivatives(Evaluation& e) const override { call("derivatives", e); }

 private:
  void call(const char* method, Evaluation& evaluation) const {
    const nb::gil_scoped_acquire gil;
    Instant instant{&evaluation, interface_};
    nb::object given = nb::cast(instant);
    struct End {
      nb::object& given;
      ~End() { nb::inst_ptr<Instant>(given)->evaluation = nullptr; }
    } end{given};
    requireNothing(method, python_.attr(method)(given));
  }

  nb::object python_;
  BlockInterface interface_;
};

}  // namespace

std::unique_ptr<Block> makePythonBlock(nb::object python) {
  const nb::handle type = nb::handle(reinterpret_cast<PyObject*>(&PyType_Type));
  if (nb::isinstance(python, type) || !nb::hasattr(python, "declare") || !nb::hasattr(python, "outputs"))
    throw nb::type_error("a block is the name of its kind, or an object of a class that derives from footfall.Block");
  return std::make_unique<PythonBlock>(std::move(python));
}

void bindBlock(nb::module_& module) {
  nb::class_<Declaration>(module, "BlockInterface", "What a block shows of itself; see Block.declare().")
      .def("input", &Declaration::input, "name"_a, "size"_a = 1, "unit"_a = "",
           "An input: a number, or a row of `size` numbers. `unit` is compared with what is connected; empty: any.")
      .def("output", &Declaration::output, "name"_a, "size"_a = 1, "unit"_a = "", "depends_on"_a = nb::none(),
           "`depends_on` names the inputs that its value depends on at the same instant; default: all so far.")
      .def(
          "discrete_states",
          [](Declaration& d, int count) {
            d.alive().interface.discrete_states = counted("the number of discrete states", count, 0);
          },
          "count"_a, "How many numbers `Evaluation.state` has; zero at the start.")
      .def(
          "continuous_states",
          [](Declaration& d, int count) {
            d.alive().interface.continuous_states = counted("the number of continuous states", count, 0);
          },
          "count"_a, "How many numbers `Evaluation.continuous_state` and its `rate` have; zero at the start.")
      .def(
          "sample_time",
          [](Declaration& d, double period) {
            if (!(period >= 0.0 && std::isfinite(period)))
              throw Error("block", "its sample time is " + std::to_string(period) + " s, expected zero or more");
            d.alive().interface.sample_time = period > 0.0 ? SampleTime::discrete(period) : SampleTime::continuous();
          },
          "period"_a, "In seconds; 0: continuous. Without it: as fast as the fastest input.");

  nb::class_<Instant>(module, "Evaluation",
                      "A block at an instant: `e['in']` is an input, `e['out'] = …` sets an output.")
      .def_prop_ro(
          "time", [](const Instant& i) { return i.alive().time(); }, "[s]")
      .def("__getitem__", &Instant::input, "input"_a)
      .def("__setitem__", &Instant::setOutput, "output"_a, "values"_a)
      .def_prop_rw(
          "state", [](const Instant& i) { return copyOf(VectorXd(i.alive().discrete())); },
          [](const Instant& i, const Numbers& values) { assign("state", values, i.alive().discrete()); },
          "discrete states; set them in initialize() and update()")
      .def_prop_rw(
          "continuous_state", [](const Instant& i) { return copyOf(VectorXd(i.alive().continuous())); },
          [](const Instant& i, const Numbers& values) { assign("continuous_state", values, i.alive().continuous()); },
          "set them in initialize()")
      .def_prop_rw(
          "rate", [](const Instant& i) { return copyOf(VectorXd(i.alive().derivative())); },
          [](const Instant& i, const Numbers& values) { assign("rate", values, i.alive().derivative()); },
          "of the continuous states; set it in derivatives()")
      .def(
          "stop", [](const Instant& i, std::string reason) { i.alive().stop(std::move(reason)); }, "reason"_a,
          "Ends the run after this step.");
}

}  // namespace footfall::python
