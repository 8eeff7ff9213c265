#include "footfall/block/linearize.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "footfall/base/error.hpp"
#include "footfall/base/suggest.hpp"

namespace footfall {
namespace {

/// All continuous states of a context, then all its inputs, as one list of numbers.
class Point {
 public:
  Point(const Diagram& diagram, Context& context) : diagram_(diagram), context_(context) {
    for (int b = 0; b < static_cast<int>(diagram.blocks().size()); ++b) {
      const int count = diagram.blocks()[b].interface.continuous_states;
      for (int i = 0; i < count; ++i)
        names_.push_back(count == 1 ? diagram.blocks()[b].path : fmt::format("{}[{}]", diagram.blocks()[b].path, i));
      if (count > 0) blocks_.push_back(b);
    }
  }

  const std::vector<std::string>& stateNames() const { return names_; }
  Eigen::Index states() const { return static_cast<Eigen::Index>(names_.size()); }

  VectorXd numbers() {
    std::vector<double> all;
    for (const int block : blocks_)
      for (const double value : context_.continuousState(block)) all.push_back(value);
    append(diagram_.inputs(), all);
    return vectorOf(all);
  }
  void set(const VectorXd& numbers) {
    Eigen::Index place = 0;
    for (const int block : blocks_) {
      auto state = context_.continuousState(block);
      state = numbers.segment(place, state.size());
      place += state.size();
    }
    for (const Diagram::Port& port : diagram_.inputs()) {
      context_.setInput(port.name, numbers.segment(place, port.type.size()));
      place += port.type.size();
    }
  }

  VectorXd rates() { return diagram_.rates(context_); }
  VectorXd outputs() {
    diagram_.evaluate(context_);
    std::vector<double> all;
    append(diagram_.outputs(), all);
    return vectorOf(all);
  }

 private:
  void append(const std::vector<Diagram::Port>& ports, std::vector<double>& all) const {
    for (const Diagram::Port& port : ports)
      for (const double value : context_.signal(port.name)) all.push_back(value);
  }
  static VectorXd vectorOf(const std::vector<double>& all) {
    return Eigen::Map<const VectorXd>(all.data(), static_cast<Eigen::Index>(all.size()));
  }

  const Diagram& diagram_;
  Context& context_;
  std::vector<int> blocks_;  ///< with continuous states
  std::vector<std::string> names_;
};

/// How rates and outputs change with each of the numbers.
struct Slopes {
  MatrixXd rates, outputs;
};

Slopes slopesAt(Point& point) {
  const VectorXd at = point.numbers();
  Slopes slopes{MatrixXd(point.states(), at.size()), MatrixXd(point.outputs().size(), at.size())};
  for (Eigen::Index i = 0; i < at.size(); ++i) {
    const double h = 6e-6 * std::max(1.0, std::abs(at[i]));  // cube root of the rounding
    VectorXd moved = at;
    moved[i] = at[i] + h;
    point.set(moved);
    const VectorXd rates = point.rates(), outputs = point.outputs();
    moved[i] = at[i] - h;
    point.set(moved);
    const double apart = (at[i] + h) - (at[i] - h);
    slopes.rates.col(i) = (rates - point.rates()) / apart;
    slopes.outputs.col(i) = (outputs - point.outputs()) / apart;
  }
  point.set(at);
  return slopes;
}

std::vector<std::string> namesOf(const std::vector<Diagram::Port>& ports) {
  std::vector<std::string> names;
  for (const Diagram::Port& port : ports)
    for (int i = 0; i < port.type.size(); ++i)
      names.push_back(port.type.size() == 1 ? port.name : fmt::format("{}[{}]", port.name, i));
  return names;
}

/// It keeps something from instant to instant that no rate moves. What a block with continuous states remembers beside
/// these belongs to events: an integrator knows whether it was just reset.
bool holdsItsOutputs(const Diagram::BlockInfo& block) {
  if (block.interface.outputs.empty() || block.interface.continuous_states > 0) return false;
  return block.interface.discrete_states > 0 || block.sample_time.kind == SampleTime::Kind::discrete ||
         block.block->makeMemory() != nullptr;
}

void requireContinuous(const Diagram& diagram, const char* asked_for, DiscreteBlocks discrete) {
  if (discrete == DiscreteBlocks::hold) return;
  std::string list;
  bool has_robot = false;
  for (const Diagram::BlockInfo& block : diagram.blocks()) {
    if (!holdsItsOutputs(block)) continue;
    list += fmt::format("{}'{}' ({})", list.empty() ? "" : ", ", block.path, block.kind);
    has_robot |= block.kind == "Robot";
  }
  if (list.empty()) return;
  throw Error(asked_for,
              fmt::format("these blocks have states that are not continuous, or run at discrete instants: {}", list),
              std::string(has_robot ? "of a robot with its contacts, Simulation.linearize() gives a step; " : "") +
                  "only continuous states can be linearised and trimmed: leave these blocks out, or have their outputs "
                  "held as they are (Python: hold_discrete=True)");
}

}  // namespace

LinearSystem linearize(const Diagram& diagram, const Context& at, DiscreteBlocks discrete) {
  requireContinuous(diagram, "linearize", discrete);
  Context context = at;
  Point point(diagram, context);
  const Slopes slopes = slopesAt(point);
  const Eigen::Index states = point.states(), inputs = slopes.rates.cols() - states;
  return {slopes.rates.leftCols(states),
          slopes.rates.rightCols(inputs),
          slopes.outputs.leftCols(states),
          slopes.outputs.rightCols(inputs),
          point.stateNames(),
          namesOf(diagram.inputs()),
          namesOf(diagram.outputs()),
          0.0};
}

namespace {

/// Places of the numbers that may be changed: all states, and the named inputs.
std::vector<Eigen::Index> freePlaces(const Diagram& diagram, Eigen::Index states,
                                     const std::vector<std::string>& free_inputs) {
  std::vector<Eigen::Index> places(static_cast<std::size_t>(states));
  std::iota(places.begin(), places.end(), 0);
  std::vector<std::string> known;
  Eigen::Index place = states;
  for (const Diagram::Port& port : diagram.inputs()) {
    known.push_back(port.name);
    const bool is_free = std::find(free_inputs.begin(), free_inputs.end(), port.name) != free_inputs.end();
    for (int i = 0; i < port.type.size(); ++i, ++place)
      if (is_free) places.push_back(place);
  }
  for (const std::string& name : free_inputs)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw Error("", fmt::format("the diagram has no input '{}'", name),
                  known.empty() ? "it has no inputs" : suggestOrList(name, known));
  return places;
}

double largest(const VectorXd& rates) { return rates.size() == 0 ? 0.0 : rates.cwiseAbs().maxCoeff(); }

}  // namespace

TrimResult trim(const Diagram& diagram, Context& context, const std::vector<std::string>& free_inputs, double tolerance,
                DiscreteBlocks discrete) {
  requireContinuous(diagram, "trim", discrete);
  constexpr int kMostSteps = 50, kMostHalvings = 20;
  Point point(diagram, context);
  const std::vector<Eigen::Index> places = freePlaces(diagram, point.states(), free_inputs);
  VectorXd at = point.numbers(), rates = point.rates();
  double residual = largest(rates);
  bool improves = true;
  for (int step = 0; !(residual <= tolerance) && improves && step < kMostSteps; ++step) {
    const MatrixXd slope = slopesAt(point).rates(Eigen::all, places);
    const VectorXd change = -slope.completeOrthogonalDecomposition().solve(rates);  // the smallest one
    improves = false;
    for (double share = 1.0; !improves && share >= std::ldexp(1.0, -kMostHalvings); share *= 0.5) {
      VectorXd trial = at;
      for (std::size_t k = 0; k < places.size(); ++k) trial[places[k]] += share * change[static_cast<Eigen::Index>(k)];
      point.set(trial);
      const VectorXd trial_rates = point.rates();
      improves = largest(trial_rates) < residual;
      if (!improves) continue;
      at = trial;
      rates = trial_rates;
      residual = largest(rates);
    }
    point.set(at);
  }
  if (residual <= tolerance) return {at.head(point.states()), at.tail(at.size() - point.states()), residual};
  throw Error("", fmt::format("no operating point was found: a rate of {:.2e} is left", residual),
              "begin nearer to one, or let more inputs be changed");
}

}  // namespace footfall
