// A plug-in with one block: somebody's FMU as a part of a diagram.

#include <fmt/format.h>

#include <algorithm>
#include <istream>
#include <ostream>

#include "footfall/base/suggest.hpp"
#include "footfall/block.hpp"
#include "import/imported_fmu.hpp"

namespace footfall::fmu {
namespace {

using Causality = ImportedVariable::Causality;

/// A port of the block: one variable, or several in a row.
struct Port {
  std::string name, unit;
  std::vector<const ImportedVariable*> variables;
  int size = 0;
};

/// An instance and how it came to be.
class InstanceMemory : public BlockMemory {
 public:
  using Start = std::vector<std::pair<const ImportedVariable*, double>>;

  InstanceMemory(std::shared_ptr<const ImportedFmu> fmu, Start start) : fmu_(std::move(fmu)), start_(std::move(start)) {
    instance_ = fmu_->instantiate(fmu_->description().model_name);
    for (const auto& [variable, value] : start_) instance_->set(*variable, {&value, 1});
    instance_->initialize(0.0);
  }

  ImportedInstance& instance() { return *instance_; }

  std::unique_ptr<BlockMemory> clone() const override {
    auto copy = std::make_unique<InstanceMemory>(fmu_, start_);
    copy->instance_->load(bytes());
    return copy;
  }
  void save(std::ostream& out) const override {
    const std::string state = bytes();
    const std::uint64_t size = state.size();
    out.write(reinterpret_cast<const char*>(&size), sizeof size);
    out << state;
  }
  void load(std::istream& in) override {
    std::uint64_t size = 0;
    in.read(reinterpret_cast<char*>(&size), sizeof size);
    constexpr std::uint64_t kMost = std::uint64_t{1} << 32;
    if (!in || size > kMost) throw Error(fmu_->path(), "the saved state of the FMU is damaged");
    std::string state(size, '\0');
    in.read(state.data(), static_cast<std::streamsize>(size));
    instance_->load(state);
  }

 private:
  std::string bytes() const {
    if (!fmu_->description().can_save)
      throw Error(fmu_->path(), "this FMU cannot give its state away, so the diagram cannot be copied or saved");
    return instance_->save();
  }

  std::shared_ptr<const ImportedFmu> fmu_;
  Start start_;
  std::unique_ptr<ImportedInstance> instance_;
};

/// Dots separate blocks, ports and fields in a diagram.
std::string portName(std::string variable) {
  std::replace(variable.begin(), variable.end(), '.', '_');
  std::erase(variable, '\'');
  return variable;
}

}  // namespace

class FmuBlock : public Block {
 public:
  static BlockDescription description() {
    return {
        "Fmu",
        "co-simulation",
        "An FMU (FMI 2.0 or 3.0, co-simulation), such as a controller from Simulink or Modelica",
        {{"file", "the FMU, looked for beside the file of the diagram", "", "", true, "file"},
         {"step", "communication step", "", "s", true},
         {"parameters", "start values by the names of variables: {Kp: 3}", "{}", "", false},
         {"inputs", "ports that join variables: {torque: [tau.l_knee, tau.r_knee]}", "one for each input", "", false},
         {"outputs", "the same for outputs", "one for each output", "", false}},
        {{"…", "one for each input of the FMU, dots in names replaced by underscores"}},
        {{"…", "one for each output of the FMU"}},
        "At each communication point the outputs are those that the FMU has reached; then it is given its inputs and "
        "makes a step with them. Outputs so never depend on inputs of the same instant."};
  }

  explicit FmuBlock(const Parameters& p)
      : fmu_(std::make_shared<ImportedFmu>(namedFile(p, "file").string())), step_(p.number("step", Quantity::time)) {
    if (!(step_ > 0.0)) throw p.error("step", fmt::format("is {} s, expected a time above zero", step_));
    inputs_ = ports(p, "inputs", Causality::input);
    outputs_ = ports(p, "outputs", Causality::output);
    if (!p.has("parameters")) return;
    const auto* map = std::get_if<ParameterValue::Map>(&p.value("parameters").value);
    if (map == nullptr) throw p.error("parameters", "is no map", "write {name: value}");
    for (const auto& [name, value] : *map) {
      const double* number = std::get_if<double>(&value.value);
      if (number == nullptr) throw p.error("parameters", fmt::format("gives '{}' something that is no number", name));
      start_.emplace_back(&variable(p, "parameters", name, Causality::parameter), *number);
    }
  }

  void declare(BlockInterface& io) const override {
    for (const Port& port : inputs_) io.input(port.name, typeOf(port));
    for (const Port& port : outputs_) io.output(port.name, typeOf(port), {});
    io.sample_time = SampleTime::discrete(step_);
  }

  std::unique_ptr<BlockMemory> makeMemory() const override { return std::make_unique<InstanceMemory>(fmu_, start_); }

  void outputs(Evaluation& e) const override {
    ImportedInstance& instance = e.memory<InstanceMemory>().instance();
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      std::span<double> rest = e.out(static_cast<int>(i));
      for (const ImportedVariable* variable : outputs_[i].variables) {
        instance.get(*variable, rest.first(static_cast<std::size_t>(variable->size)));
        rest = rest.subspan(static_cast<std::size_t>(variable->size));
      }
    }
  }

  void update(Evaluation& e) const override {
    ImportedInstance& instance = e.memory<InstanceMemory>().instance();
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      std::span<const double> rest = e.in(static_cast<int>(i));
      for (const ImportedVariable* variable : inputs_[i].variables) {
        instance.set(*variable, rest.first(static_cast<std::size_t>(variable->size)));
        rest = rest.subspan(static_cast<std::size_t>(variable->size));
      }
    }
    instance.step(e.time(), step_);
  }

 private:
  static SignalType typeOf(const Port& port) {
    const bool scalar = port.variables.size() == 1 && !port.variables[0]->is_array;
    return scalar ? SignalType::scalar(port.unit) : SignalType::vector(port.size, port.unit);
  }

  const ImportedVariable& variable(const Parameters& p, const char* parameter, const std::string& name,
                                   Causality causality) const {
    std::vector<std::string> known;
    for (const ImportedVariable* candidate : fmu_->description().with(causality)) {
      if (candidate->name == name) return *candidate;
      known.push_back(candidate->name);
    }
    throw p.error(parameter, fmt::format("names '{}', which the FMU does not have", name), suggestOrList(name, known));
  }

  std::vector<Port> ports(const Parameters& p, const char* parameter, Causality causality) const {
    std::vector<Port> ports;
    if (!p.has(parameter)) {
      for (const ImportedVariable* v : fmu_->description().with(causality))
        ports.push_back({portName(v->name), v->unit, {v}, v->size});
      return ports;
    }
    const auto* map = std::get_if<ParameterValue::Map>(&p.value(parameter).value);
    if (map == nullptr) throw p.error(parameter, "is no map", "write {port: [variables]}");
    for (const auto& [name, value] : *map) {
      Parameters one = p;
      one.set(parameter, value);
      Port port{name, "", {}, 0};
      for (const std::string& variable_name : one.texts(parameter)) {
        const ImportedVariable& found = variable(p, parameter, variable_name, causality);
        port.unit = port.variables.empty() || port.unit == found.unit ? found.unit : "";
        port.variables.push_back(&found);
        port.size += found.size;
      }
      ports.push_back(std::move(port));
    }
    return ports;
  }

  std::shared_ptr<const ImportedFmu> fmu_;
  double step_;
  std::vector<Port> inputs_, outputs_;
  InstanceMemory::Start start_;
};

}  // namespace footfall::fmu

FOOTFALL_BLOCK(footfall::fmu::FmuBlock)
