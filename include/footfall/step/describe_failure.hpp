#pragma once

#include <string>

#include "footfall/step/step.hpp"

namespace footfall {

/// Why a step failed that started at `time`, in a line: "t = 1.204 s: contact solve stopped after 200 iterations,
/// residual 3.1e-4 > 1e-6 …"
std::string describeFailure(const StepResult& result, double time, const Model& model, const Settings& settings);

/// The same with what it started from: numbers that came in and are not finite are named.
/// @param springs may be null
std::string describeFailure(const StepResult& result, const State& state, const Input& input,
                            const JointSprings* springs, const Model& model, const Settings& settings);

}  // namespace footfall
