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
  /// Outputs, then continuous states, then discrete ones; false when a block has stopped the run.
  bool step();

 private:
  using Entry = Diagram::Parts::Entry;

  void outputs(const Entry& entry, double time);
  void updates();
  void integrate();
  void slopes();
  void stage(double time, double h, double weight);
  void moveFromStart(const std::vector<double>& slope, double h);
  [[noreturn]] void rethrow(const class Error& error, int block) const;

  const Diagram::Parts& diagram_;
  Context::Parts& c_;
  DiagramObserver* observer_;
};

}  // namespace footfall
