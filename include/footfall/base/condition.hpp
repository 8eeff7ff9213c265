#pragma once

#include <string>
#include <vector>

#include "footfall/base/expression.hpp"

namespace footfall {

/// A condition on numbers: formulas (see Expression) compared by <, <=, ==, !=, >, >=, joined by `and`, `or`, `not` and
/// brackets. A formula that is not compared holds unless it is 0.
///
///     height > 0.1 and not (contact or t < 0.2)
class Condition {
 public:
  /// Throws Error at `where` that names the place in the text.
  Condition(const std::string& text, const std::vector<std::string>& variables, const std::string& where);

  /// @param variables as many numbers as there were names
  bool holds(const double* variables) const;

 private:
  enum class Kind { formula, less, less_equal, equal, not_equal, greater, greater_equal, both, either, opposite };
  struct Node {
    Kind kind;
    int left, right;  ///< formulas of a comparison, nodes of what joins them; −1: none
  };
  struct Parser;

  bool holds(int node, const double* variables) const;

  std::vector<Expression> formulas_;
  std::vector<Node> nodes_;
  int root_ = 0;
};

}  // namespace footfall
