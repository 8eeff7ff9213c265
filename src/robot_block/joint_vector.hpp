#pragma once

#include <fmt/format.h>

#include "footfall/base/error.hpp"
#include "footfall/block/parameters.hpp"
#include "footfall/model/model.hpp"

namespace footfall {

/// A parameter with one number for all joints, or one for each.
inline VectorXd jointVector(const Parameters& parameters, const std::string& name, const Model& model,
                            double fallback) {
  const int n = model.jointDofs();
  if (!parameters.has(name)) return VectorXd::Constant(n, fallback);
  const VectorXd given = parameters.vector(name);
  if (given.size() == n) return given;
  if (given.size() == 1) return VectorXd::Constant(n, given[0]);
  throw parameters.error(name, fmt::format("has {} entries, expected 1 or {}, one for each joint", given.size(), n));
}

}  // namespace footfall
