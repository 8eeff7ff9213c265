#include "block_library/memory_type.hpp"

#include <fmt/format.h>

#include "footfall/base/error.hpp"

namespace footfall {

InitialValue::InitialValue(const Parameters& p)
    : value_(p.vector("initial", VectorXd::Zero(1))), size_(sizeParameter(p, "size", 0, 0)) {
  if (value_.size() == 0) throw p.error("initial", "is an empty list, expected a number or several");
  if (size_ > 0 && value_.size() > 1 && value_.size() != size_)
    throw p.error("initial", fmt::format("has {} numbers, but `size` is {}", value_.size(), size_));
  if (value_.size() > 1) size_ = static_cast<int>(value_.size());
}

std::optional<SignalType> InitialValue::typeLike(const TypeInference& types, int input) const {
  const SignalType& type = types.input(input);
  if (!type.complete()) {
    if (size_ > 0) return numbers(size_);
    if (types.stuck()) return SignalType::scalar();
    return std::nullopt;
  }
  if (size_ > 0 && size_ != type.size())
    throw Error("", fmt::format("the initial value has {} numbers, but the input is a {}", size_, type.describe()));
  return type;
}

std::optional<SignalType> InitialValue::numbersLike(const TypeInference& types, int input) const {
  const auto own = numbersAt(types, input), with_size = typeLike(types, input);
  return own ? own : with_size;
}

ParameterDescription initialDescription() {
  return {"initial", "value at the start; a number, or a list with as many as the signal has", "0", "-", false};
}

ParameterDescription sizeDescription() {
  return {"size", "how many numbers, for a loop in which nothing else says so", "that of the input, 1 if open", "-",
          false};
}

}  // namespace footfall
