#include "footfall/block/linearize.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "footfall/base/error.hpp"
#include "footfall/base/suggest.hpp"

namespace footfall {
namespace {

/// All continuous states and inputs of a context, as one list of numbers.
class Point {
 public:
  Point(const Diagram& diagram, const Context& at) : diagram_(diagram), context_(at) {
    for (int b = 0; b < static_cast<int>(diagram.blocks().size()); ++b)
      for (int i = 0; i < diagram.blocks()[b].interface.continuous_states; ++i) places_.push_back({b, i});
    for (const Diagram::Port& input : diagram.inputs()) inputs_.emplace_back(at.signal(input.name));
  }

  Eigen::Index states() const { return static_cast<Eigen::Index>(places_.size()); }

  double& state(Eigen::Index i) {
    const auto [block, entry] = places_[static_cast<std::size_t>(i)];
    return context_.continuousState(block)[entry];
  }
  double input(std::size_t port, Eigen::Index entry) const { return inputs_[port][entry]; }
  void setInput(std::size_t port, Eigen::Index entry, double value) {
    inputs_[port][entry] = value;
    context_.setInput(diagram_.inputs()[port].name, inputs_[port]);
  }

  VectorXd rates() { return diagram_.rates(context_); }
  VectorXd outputs() {
    diagram_.evaluate(context_);
    std::vector<double> values;
    for (const Diagram::Port& output : diagram_.outputs())
      for (const double value : context_.signal(output.name)) values.push_back(value);
    return Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
  }

  std::string stateName(Eigen::Index i) const {
    const auto [block, entry] = places_[static_cast<std::size_t>(i)];
    const Diagram::BlockInfo& info = diagram_.blocks()[block];
    return info.interface.continuous_states == 1 ? info.path : fmt::format("{}[{}]", info.path, entry);
  }

 private:
  const Diagram& diagram_;
  Context context_;
  std::vector<std::pair<int, int>> places_;
  std::vector<VectorXd> inputs_;
};

double changeOf(double value) { return 6e-6 * std::max(1.0, std::abs(value)); }  // cube root of the rounding

/// How rates and outputs change with one number.
template <class Set>
void column(Point& point, double value, Set set, Eigen::Ref<VectorXd> rates, Eigen::Ref<VectorXd> outputs) {
  const double h = changeOf(value);
  set(value + h);
  const VectorXd rates_above = point.rates(), outputs_above = point.outputs();
  set(value - h);
  const double apart = (value + h) - (value - h);
  rates = (rates_above - point.rates()) / apart;
  outputs = (outputs_above - point.outputs()) / apart;
  set(value);
}

std::vector<std::string> namesOf(const std::vector<Diagram::Port>& ports) {
  std::vector<std::string> names;
  for (const Diagram::Port& port : ports)
    for (int i = 0; i < port.type.size(); ++i)
      names.push_back(port.type.size() == 1 ? port.name : fmt::format("{}[{}]", port.name, i));
  return names;
}

}  // namespace

LinearSystem linearize(const Diagram& diagram, const Context& at) {
  Point point(diagram, at);
  LinearSystem system;
  for (Eigen::Index i = 0; i < point.states(); ++i) system.states.push_back(point.stateName(i));
  system.inputs = namesOf(diagram.inputs());
  system.outputs = namesOf(diagram.outputs());
  const auto outputs = static_cast<Eigen::Index>(system.outputs.size());
  const auto inputs = static_cast<Eigen::Index>(system.inputs.size());
  system.A.resize(point.states(), point.states());
  system.B.resize(point.states(), inputs);
  system.C.resize(outputs, point.states());
  system.D.resize(outputs, inputs);
  for (Eigen::Index i = 0; i < point.states(); ++i)
    column(
        point, point.state(i), [&](double value) { point.state(i) = value; }, system.A.col(i), system.C.col(i));
  Eigen::Index place = 0;
  for (std::size_t port = 0; port < diagram.inputs().size(); ++port)
    for (Eigen::Index i = 0; i < diagram.inputs()[port].type.size(); ++i, ++place)
      column(
          point, point.input(port, i), [&](double value) { point.setInput(port, i, value); }, system.B.col(place),
          system.D.col(place));
  return system;
}

namespace {

/// Which columns of B belong to inputs that may be changed.
std::vector<Eigen::Index> columnsOf(const Diagram& diagram, const std::vector<std::string>& free_inputs) {
  std::vector<Eigen::Index> columns;
  std::vector<std::string> known;
  Eigen::Index place = 0;
  for (const Diagram::Port& port : diagram.inputs()) {
    known.push_back(port.name);
    const bool is_free = std::find(free_inputs.begin(), free_inputs.end(), port.name) != free_inputs.end();
    for (int i = 0; i < port.type.size(); ++i, ++place)
      if (is_free) columns.push_back(place);
  }
  for (const std::string& name : free_inputs)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw Error("", fmt::format("the diagram has no input '{}'", name),
                  known.empty() ? "it has no inputs" : suggestOrList(name, known));
  return columns;
}

void setStates(const Diagram& diagram, Context& context, const VectorXd& states) {
  Eigen::Index place = 0;
  for (int b = 0; b < static_cast<int>(diagram.blocks().size()); ++b) {
    const Eigen::Index count = diagram.blocks()[b].interface.continuous_states;
    if (count > 0) context.continuousState(b) = states.segment(place, count);
    place += count;
  }
}

VectorXd statesOf(const Diagram& diagram, Context& context) {
  VectorXd states(diagram.rates(context).size());
  Eigen::Index place = 0;
  for (int b = 0; b < static_cast<int>(diagram.blocks().size()); ++b) {
    const Eigen::Index count = diagram.blocks()[b].interface.continuous_states;
    if (count > 0) states.segment(place, count) = context.continuousState(b);
    place += count;
  }
  return states;
}

void setInputs(const Diagram& diagram, Context& context, const VectorXd& inputs) {
  Eigen::Index place = 0;
  for (const Diagram::Port& port : diagram.inputs()) {
    context.setInput(port.name, inputs.segment(place, port.type.size()));
    place += port.type.size();
  }
}

VectorXd inputsOf(const Diagram& diagram, const Context& context) {
  std::vector<double> values;
  for (const Diagram::Port& port : diagram.inputs())
    for (const double value : context.signal(port.name)) values.push_back(value);
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

}  // namespace

TrimResult trim(const Diagram& diagram, Context& context, const std::vector<std::string>& free_inputs,
                double tolerance) {
  constexpr int kMostSteps = 50, kMostHalvings = 20;
  const std::vector<Eigen::Index> columns = columnsOf(diagram, free_inputs);
  TrimResult found{statesOf(diagram, context), inputsOf(diagram, context), 0.0};
  VectorXd rates = diagram.rates(context);
  found.residual = rates.size() == 0 ? 0.0 : rates.cwiseAbs().maxCoeff();
  for (int step = 0; !(found.residual <= tolerance) && step < kMostSteps; ++step) {
    const LinearSystem system = linearize(diagram, context);
    MatrixXd slope(rates.size(), rates.size() + static_cast<Eigen::Index>(columns.size()));
    slope.leftCols(rates.size()) = system.A;
    for (std::size_t k = 0; k < columns.size(); ++k)
      slope.col(rates.size() + static_cast<Eigen::Index>(k)) = system.B.col(columns[k]);
    const VectorXd change = -slope.completeOrthogonalDecomposition().solve(rates);  // the smallest one
    double share = 1.0, residual = 0.0;
    for (int halving = 0; halving <= kMostHalvings; ++halving, share *= 0.5) {
      VectorXd inputs = found.inputs;
      for (std::size_t k = 0; k < columns.size(); ++k)
        inputs[columns[k]] += share * change[rates.size() + static_cast<Eigen::Index>(k)];
      const VectorXd states = found.states + share * change.head(rates.size());
      setStates(diagram, context, states);
      setInputs(diagram, context, inputs);
      const VectorXd trial = diagram.rates(context);
      residual = trial.cwiseAbs().maxCoeff();
      if (!(residual < found.residual)) continue;
      found = {states, inputs, residual};
      rates = trial;
      break;
    }
    if (!(residual <= found.residual)) break;
  }
  setStates(diagram, context, found.states);
  setInputs(diagram, context, found.inputs);
  if (found.residual <= tolerance) return found;
  throw Error("", fmt::format("no operating point was found: a rate of {:.2e} is left", found.residual),
              "begin nearer to one, or let more inputs be changed");
}

}  // namespace footfall
