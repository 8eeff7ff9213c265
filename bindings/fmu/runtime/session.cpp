#include "runtime/session.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "footfall/base/error.hpp"
#include "runtime/simulator.hpp"

namespace footfall::fmu {
namespace fs = std::filesystem;

namespace {

std::vector<SceneOverride> readOverrides(const fs::path& path) {
  std::vector<SceneOverride> overrides;
  std::ifstream file(path);
  if (!file) throw Error(path.string(), "the file is missing from the resources of the FMU", "export the FMU again");
  for (std::string line; std::getline(file, line);) {
    const auto equals = line.find('=');
    if (equals == std::string::npos) throw Error(path.string(), fmt::format("'{}' is no key=value", line));
    overrides.emplace_back(line.substr(0, equals), line.substr(equals + 1));
  }
  return overrides;
}

void writeNumbers(std::ostream& out, const std::vector<double>& values) {
  const std::uint64_t count = values.size();
  out.write(reinterpret_cast<const char*>(&count), sizeof count);
  out.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(count * sizeof(double)));
}

/// Exactly as many as are expected.
void readNumbers(std::istream& in, std::vector<double>& values) {
  std::uint64_t count = 0;
  in.read(reinterpret_cast<char*>(&count), sizeof count);
  if (!in || count != values.size()) throw Error("FMU state", "it was saved by another FMU");
  in.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(count * sizeof(double)));
}

}  // namespace

struct Session::Parts {
  explicit Parts(fs::path folder) : resources(std::move(folder)), overrides(readOverrides(resources / kOverridesFile)) {
    build();
    layVariables();
  }

  /// The simulation at its start, with the parameters as they are now.
  void build() {
    std::vector<SceneOverride> all = overrides;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (parameters[i] != parameter_infos[i].start)
        all.emplace_back(parameter_infos[i].key, fmt::format("{:.17g}", parameters[i]));
    simulator = makeSimulator((resources / kSceneFile).string(), all);
    if (variables.empty()) {
      parameter_infos = simulator->parameters();
      for (const SceneParameter& parameter : parameter_infos) parameters.push_back(parameter.start);
    }
    if (inputs.empty()) inputs = startInputs();
    parameters_changed = false;
    outputs_valid = false;
  }

  std::vector<double> startInputs() const {
    std::vector<double> values;
    for (const Signal& signal : simulator->inputs())
      values.insert(values.end(), static_cast<std::size_t>(signal.size()), signal.start);
    return values;
  }

  void layVariables() {
    add({0, "time", "Simulated time", "s", Causality::independent, {}, {}});
    for (const SceneParameter& parameter : parameter_infos)
      add({0, parameter.key, parameter.help, parameter.unit, Causality::parameter, {}, {parameter.start}});
    first_input = next;
    for (const Signal& signal : simulator->inputs())
      add({0, signal.name, signal.description, signal.unit, Causality::input, signal.components,
           std::vector<double>(static_cast<std::size_t>(signal.size()), signal.start), signal.units});
    first_output = next;
    for (const Signal& signal : simulator->outputs())
      add({0, signal.name, signal.description, signal.unit, Causality::output, signal.components, {}, signal.units});
    outputs.resize(next - first_output);
  }

  void add(Variable variable) {
    variable.reference = next;
    next += static_cast<ValueReference>(variable.size());
    for (ValueReference r = variable.reference; r < next; ++r) owner.push_back(static_cast<int>(variables.size()));
    variables.push_back(std::move(variable));
  }

  const Variable& variableOf(ValueReference reference) const {
    if (reference >= next)
      throw Error(
          "", fmt::format("there is no variable with the value reference {}, expected 0 to {}", reference, next - 1));
    return variables[static_cast<std::size_t>(owner[reference])];
  }

  void refreshOutputs() {
    if (parameters_changed) build();
    if (outputs_valid) return;
    if (simulator->feedsThrough()) simulator->setInputs(inputs, simulator->time());
    const std::span<const double> values = simulator->outputValues();
    outputs.assign(values.begin(), values.end());
    outputs_valid = true;
  }

  fs::path resources;
  std::vector<SceneOverride> overrides;
  std::vector<SceneParameter> parameter_infos;
  std::unique_ptr<Simulator> simulator;

  std::vector<Variable> variables;
  std::vector<int> owner;  ///< variable of each reference
  ValueReference next = 0, first_input = 0, first_output = 0;

  bool running = false;             ///< parameters are fixed
  bool parameters_changed = false;  ///< and the simulation does not know yet
  std::vector<double> parameters, inputs, outputs;
  double start_time = 0.0, time = 0.0;
  bool outputs_valid = false;
};

Session::Session(fs::path resources) : parts_(std::make_unique<Parts>(std::move(resources))) {}
Session::~Session() = default;

const std::vector<Variable>& Session::variables() const { return parts_->variables; }
double Session::internalStep() const { return parts_->simulator->step(); }
double Session::duration() const { return parts_->simulator->duration(); }
double Session::time() const { return parts_->time; }

int Session::sizeOf(ValueReference reference) const {
  const Variable& variable = parts_->variableOf(reference);
  return variable.reference == reference ? variable.size() : 1;
}

double Session::get(ValueReference reference) {
  Parts& p = *parts_;
  switch (p.variableOf(reference).causality) {
    case Causality::independent:
      return p.time;
    case Causality::parameter:
      return p.parameters[reference - 1];
    case Causality::input:
      return p.inputs[reference - p.first_input];
    case Causality::output:
      p.refreshOutputs();
      return p.outputs[reference - p.first_output];
  }
  return 0.0;
}

void Session::set(ValueReference reference, double value) {
  Parts& p = *parts_;
  const Variable& variable = p.variableOf(reference);
  if (!std::isfinite(value))
    throw Error(variable.name, fmt::format("the value is {}, expected a finite number", value));
  switch (variable.causality) {
    case Causality::parameter:
      if (p.running)
        throw Error(variable.name, "a fixed parameter cannot be set any more", "set it before initialization");
      p.parameters_changed = p.parameters_changed || p.parameters[reference - 1] != value;
      p.parameters[reference - 1] = value;
      break;
    case Causality::input:
      p.inputs[reference - p.first_input] = value;
      if (p.simulator->feedsThrough()) p.outputs_valid = false;
      break;
    default:
      throw Error(variable.name, "it is no input and no parameter, and cannot be set");
  }
}

void Session::initialize(double start_time) {
  Parts& p = *parts_;
  if (!std::isfinite(start_time))
    throw Error("startTime", fmt::format("it is {}, expected a finite number", start_time));
  p.start_time = p.time = start_time;
}

void Session::fixParameters() {
  if (parts_->parameters_changed) parts_->build();
  parts_->running = true;
}

void Session::doStep(double communication_point, double step_size) {
  Parts& p = *parts_;
  if (!p.running) throw Error("doStep", "the FMU is not initialized");
  if (!(step_size > 0.0) || !std::isfinite(step_size))
    throw Error("doStep", fmt::format("the step size is {} s, expected a number above zero", step_size));
  // Communication points are sums in the host's arithmetic: they agree to rounding.
  const double tolerance = 1e-9 * std::max(1.0, std::abs(p.time));
  if (std::abs(communication_point - p.time) > tolerance)
    throw Error("doStep",
                fmt::format("the communication point is {} s, but the FMU is at {} s", communication_point, p.time));
  const double end = communication_point + step_size;
  p.simulator->setInputs(p.inputs, end - p.start_time);
  p.outputs_valid = false;
  const double slack = 1e-6 * p.simulator->step();
  while (p.start_time + p.simulator->time() + p.simulator->step() <= end + slack) p.simulator->advance();
  p.time = end;
}

void Session::terminate() { parts_->simulator->finish(); }

void Session::reset() {
  Parts& p = *parts_;
  for (std::size_t i = 0; i < p.parameters.size(); ++i) p.parameters[i] = p.parameter_infos[i].start;
  p.build();
  p.inputs = p.startInputs();
  p.running = false;
  p.start_time = p.time = 0.0;
}

std::unique_ptr<Session::Memory> Session::save() {
  Parts& p = *parts_;
  p.refreshOutputs();
  return std::make_unique<Memory>(
      Memory{p.running, p.parameters, p.inputs, p.outputs, p.start_time, p.time, p.simulator->save()});
}

void Session::restore(const Memory& memory) {
  Parts& p = *parts_;
  if (memory.parameters != p.parameters) {
    p.parameters = memory.parameters;
    p.build();
  }
  p.simulator->load(memory.simulator);
  p.running = memory.running;
  p.inputs = memory.inputs;
  p.outputs = memory.outputs;
  p.outputs_valid = true;  // mean forces of the last step are no state: they come with the memory
  p.start_time = memory.start_time;
  p.time = memory.time;
}

std::string Session::serialize(const Memory& memory) {
  std::ostringstream out;
  writeNumbers(out, {memory.running ? 1.0 : 0.0, memory.start_time, memory.time});
  for (const auto* values : {&memory.parameters, &memory.inputs, &memory.outputs}) writeNumbers(out, *values);
  out << memory.simulator;
  return out.str();
}

std::unique_ptr<Session::Memory> Session::deserialize(std::span<const char> bytes) const {
  std::istringstream in(std::string(bytes.begin(), bytes.end()));
  std::vector<double> header(3);
  readNumbers(in, header);
  auto memory = std::make_unique<Memory>();
  memory->running = header[0] != 0.0;
  memory->start_time = header[1];
  memory->time = header[2];
  memory->parameters.resize(parts_->parameters.size());
  memory->inputs.resize(parts_->inputs.size());
  memory->outputs.resize(parts_->outputs.size());
  for (auto* values : {&memory->parameters, &memory->inputs, &memory->outputs}) readNumbers(in, *values);
  memory->simulator.assign(std::istreambuf_iterator<char>(in), {});
  return memory;
}

}  // namespace footfall::fmu
