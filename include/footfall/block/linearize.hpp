#pragma once

#include <string>
#include <vector>

#include "footfall/block/diagram.hpp"

namespace footfall {

/// A system that is linear: ẋ = A x + B u, y = C x + D u; or, with a step, x⁺ = A x + B u from one instant to the next.
/// x, u and y are differences from the operating point.
struct LinearSystem {
  MatrixXd A, B, C, D;
  std::vector<std::string> states, inputs, outputs;  ///< names of rows and columns
  double step = 0.0;                                 ///< 0: continuous [s]
};

/// What happens to blocks that are no part of ẋ = f(x, u): those that remember something which is no continuous state
/// (a delay, a robot), and those that run at discrete instants.
enum class DiscreteBlocks {
  refuse,  ///< Error that names them
  hold     ///< their outputs stay as they are: what goes through them is left out
};

/// Of the continuous states of a diagram around a context, from its inputs to its outputs, by central differences.
/// Exact for linear diagrams to rounding (1e-10), else to second order in a change of 6e-6.
LinearSystem linearize(const Diagram& diagram, const Context& at, DiscreteBlocks discrete = DiscreteBlocks::refuse);

/// An operating point: continuous states and inputs at which all rates are zero.
struct TrimResult {
  VectorXd states, inputs;  ///< in the order of linearize()
  double residual = 0.0;    ///< largest rate that is left
};

/// Looks for an operating point near a context, by Gauss and Newton's method: changes the continuous states, and the
/// inputs that are named, as little as possible. Throws Error when the rates do not vanish.
TrimResult trim(const Diagram& diagram, Context& context, const std::vector<std::string>& free_inputs = {},
                double tolerance = 1e-10, DiscreteBlocks discrete = DiscreteBlocks::refuse);

}  // namespace footfall
