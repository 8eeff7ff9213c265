#pragma once

#include "block/diagram_parts.hpp"

namespace footfall {

/// A diagram and a context while they take a step.
class DiagramRun {
 public:
  DiagramRun(const Diagram::Parts& diagram, Context::Parts& context, DiagramObserver* observer)
      : diagram_(diagram), c_(context), observer_(observer) {}

  /// Outputs at the present instant.
  void evaluate();
  /// Of the continuous states at the present instant.
  VectorXd rates();
  /// Outputs, then continuous states, then discrete ones; false when a block has stopped the run.
  bool step();

 private:
  using Entry = Diagram::Parts::Entry;

  bool runs(int gate) const { return gate < 0 || c_.open[gate] != 0; }
  void decide(int gate);
  void clearOutputs(int block);
  void rememberGates();
  void outputs(const Entry& entry, double time);
  std::size_t run(const std::vector<Entry>& entries, std::size_t place, double time);
  void minorOutputs(double time);
  void jump(double time);
  void updates();
  [[noreturn]] void rethrow(const class Error& error, int block) const;

  // continuous_states.cpp
  void integrate();
  void slopes(double time);
  void stage(double time, double h, double weight);
  void moveFromStart(const std::vector<double>& slope, double h);
  void integrateAdaptively();
  double tryStep(double time, double h);
  void acceptStep();
  struct Bracket {
    double before, behind;  ///< lengths of steps [s]
  };
  Bracket locateCrossing(double time, double h);
  void findCrossings(double time, std::vector<double>& values);
  bool crossed() const;

  // loop_solver.cpp
  using Entries = std::span<const Entry>;
  void solveLoop(int loop, Entries entries, double time);
  void loopDefect(const Diagram::Parts::Loop& loop, Entries entries, const VectorXd& at, VectorXd& defect, double time);

  const Diagram::Parts& diagram_;
  Context::Parts& c_;
  DiagramObserver* observer_;
};

}  // namespace footfall
