#include "block_library/limits.hpp"

#include <fmt/format.h>

#include <limits>

#include "footfall/base/error.hpp"

namespace footfall {
namespace {
constexpr double kInfinity = std::numeric_limits<double>::infinity();
}

Limits::Limits(const Parameters& p)
    : lower_(p.vector("lower", VectorXd::Constant(1, -kInfinity))),
      upper_(p.vector("upper", VectorXd::Constant(1, kInfinity))) {
  const auto length = static_cast<std::size_t>(commonLength(p, {"lower", "upper"}));
  for (std::size_t i = 0; i < length; ++i)
    if (lower(i) > upper(i))
      throw p.error("lower", fmt::format("is {}, above `upper`, which is {}", lower(i), upper(i)),
                    "were they swapped?");
}

void Limits::checkShape(const SignalType& type) const {
  requireLength("lower", lower_, type);
  requireLength("upper", upper_, type);
}

std::vector<ParameterDescription> limitDescriptions() {
  return {{"lower", "lower limit; a number or a list", "none", "-", false},
          {"upper", "upper limit; a number or a list", "none", "-", false}};
}

}  // namespace footfall
