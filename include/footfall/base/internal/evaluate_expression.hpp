#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "footfall/base/expression.hpp"

namespace footfall {

/// What an operation makes of its last operand b, and of the one before it, a.
template <class T>
T applyOperation(Expression::Operation operation, const T& a, const T& b) {
  using Operation = Expression::Operation;
  using std::abs, std::cos, std::exp, std::log, std::max, std::min, std::pow, std::sin, std::sqrt, std::tan;
  switch (operation) {
    case Operation::add:
      return a + b;
    case Operation::subtract:
      return a - b;
    case Operation::multiply:
      return a * b;
    case Operation::divide:
      return a / b;
    case Operation::power:
      return pow(a, b);
    case Operation::min:
      return min(a, b);
    case Operation::max:
      return max(a, b);
    case Operation::negate:
      return -b;
    case Operation::sin:
      return sin(b);
    case Operation::cos:
      return cos(b);
    case Operation::tan:
      return tan(b);
    case Operation::exp:
      return exp(b);
    case Operation::log:
      return log(b);
    case Operation::sqrt:
      return sqrt(b);
    case Operation::abs:
      return abs(b);
    default:
      return b;
  }
}

/// The value of an expression in any kind of numbers (with derivatives, intervals).
/// @param number   makes one of a double
/// @param variable gives the value of a variable by its place
template <class T, class Number, class Variable>
T evaluateExpression(const Expression& expression, Number number, Variable variable) {
  std::array<T, Expression::kStack + 1> stack{};  // one unused below, so that every operation may look at two
  int top = 0;
  for (const Expression::Instruction& instruction : expression.program()) {
    if (instruction.operation == Expression::Operation::number) {
      stack[++top] = number(instruction.number);
    } else if (instruction.operation == Expression::Operation::variable) {
      stack[++top] = variable(instruction.variable);
    } else {
      const T result = applyOperation(instruction.operation, stack[top - 1], stack[top]);
      top -= operandsOf(instruction.operation) - 1;
      stack[top] = result;
    }
  }
  return stack[top];
}

}  // namespace footfall
