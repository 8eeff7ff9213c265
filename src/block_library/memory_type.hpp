#pragma once

#include "block_library/shapes.hpp"

namespace footfall {

/// The parameters `initial` and `size` of a block that remembers its input: what it begins with, and how large it is
/// where nothing else around a loop says so.
class InitialValue {
 public:
  explicit InitialValue(const Parameters& parameters);

  /// The type of the input; while that is not known, what the parameters say; a scalar when nobody says anything.
  /// Throws Error when they do not fit to each other.
  std::optional<SignalType> typeLike(const TypeInference& types, int input) const;

  /// The same for a block that computes with it: a flag counts as a number; refuses a pose or a bus.
  std::optional<SignalType> numbersLike(const TypeInference& types, int input) const;

  /// @param size of one value; several of them may lie behind each other in `states`
  template <class Vector>
  void fill(Vector&& states, Eigen::Index size) const {
    for (Eigen::Index i = 0; i < states.size(); ++i) states[i] = element(value_, static_cast<std::size_t>(i % size));
  }
  const VectorXd& value() const { return value_; }

 private:
  VectorXd value_;
  int size_;  ///< 0: follows from the input
};

ParameterDescription initialDescription();
ParameterDescription sizeDescription();

}  // namespace footfall
