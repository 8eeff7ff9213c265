#pragma once

#include <string>
#include <vector>

namespace footfall {

/// A formula as a program: operands first, then what is done with them.
///
/// Numbers, variables, pi; + - * / ^ and brackets; sin, cos, tan, exp, log, sqrt, abs of one argument; min, max, pow of
/// two.
class Expression {
 public:
  enum class Operation {
    number,
    variable,
    add,
    subtract,
    multiply,
    divide,
    power,
    negate,
    sin,
    cos,
    tan,
    exp,
    log,
    sqrt,
    abs,
    min,
    max
  };
  struct Instruction {
    Operation operation;
    double number = 0.0;
    int variable = -1;  ///< place in the list of variables
  };

  /// Operands that a program may have waiting at the same time.
  static constexpr int kStack = 32;

  /// Throws Error at `where` that names the place in the text.
  Expression(const std::string& text, const std::vector<std::string>& variables, const std::string& where);

  const std::vector<Instruction>& program() const { return program_; }
  /// @param variables as many numbers as there were names
  double at(const double* variables) const;

 private:
  std::vector<Instruction> program_;
};

/// How many operands an operation takes from the stack; it leaves one.
int operandsOf(Expression::Operation operation);

}  // namespace footfall
