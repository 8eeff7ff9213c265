#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>

#include "footfall/block/registry.hpp"

namespace footfall {

// Blocks of the library work on numbers of any shape; a single number goes with every element of the others.

inline double element(std::span<const double> values, std::size_t i) {
  return values.size() == 1 ? values[0] : values[i];
}
inline double element(const VectorXd& values, std::size_t i) {
  return values.size() == 1 ? values[0] : values[static_cast<Eigen::Index>(i)];
}

/// A scalar, or a vector when there are several numbers.
SignalType numbers(Eigen::Index size, const std::string& unit = {});

/// The type of an input as numbers: a flag counts as a scalar. Nothing while it is not known. Throws Error for what has
/// no arithmetic (a pose, a bus).
std::optional<SignalType> numbersAt(const TypeInference& types, int input);

enum class Units { same, ignored };

/// `type` with another unit.
SignalType withUnit(SignalType type, const std::string& unit);

/// The shape and unit that inputs have together: that of the largest; single numbers go with it. Nothing while none is
/// known. Throws Error for shapes or units that do not fit to each other.
std::optional<SignalType> joinedShape(const TypeInference& types, std::initializer_list<int> inputs,
                                      Units units = Units::same);
std::optional<SignalType> joinedShape(const TypeInference& types, int first, int count, Units units = Units::same);

/// The parameters of these names are single numbers or lists of one length: that length. Throws Error when not.
Eigen::Index commonLength(const Parameters& parameters, std::initializer_list<const char*> names);

/// A parameter that says how many ports, samples or numbers there are: from `least` to a million, which fits into
/// memory.
int sizeParameter(const Parameters& parameters, const char* name, int fallback, int least = 1);

/// Lists of parameters must fit to the signals: throws Error.
void requireLength(const char* parameter, const VectorXd& values, const SignalType& type);

/// A parameter must hold numbers that rise: throws Error.
void requireRising(const Parameters& parameters, const char* name, const VectorXd& values);

/// Sample time of a block that needs to know its period: parameters `sample` and `offset`.
SampleTime requiredSampleTime(const Parameters& parameters);

/// The parameter `sample`, for descriptions.
ParameterDescription sampleDescription();
/// The parameter `unit`, for descriptions.
ParameterDescription unitDescription();

}  // namespace footfall
