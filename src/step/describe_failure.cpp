#include "footfall/step/describe_failure.hpp"

#include <fmt/format.h>

namespace footfall {

std::string describeFailure(const StepResult& result, double time, const Model& model, const Settings& settings) {
  if (result.status != SolveStatus::failed)
    return fmt::format("t = {:.6g} s: the last step did not fail, its residual is {:.2g}", time, result.residual);
  const StepFailure& failure = result.failure;
  if (failure.reason == StepFailure::Reason::blocked)
    return fmt::format("t = {:.6g} s: the prescribed joints press '{}' into the ground, and nothing can give way", time,
                       model.candidates[failure.candidate].name);
  if (failure.reason == StepFailure::Reason::torn_loops)
    return fmt::format("t = {:.6g} s: the prescribed joints tear the loops open by {:.3g} mm", time,
                       1e3 * result.loop_gap);
  if (failure.reason == StepFailure::Reason::not_finite)
    return fmt::format("t = {:.6g} s: the step gives numbers that are not finite; look at torques, wrenches and gains",
                       time);
  const std::string worst =
      failure.candidate < 0 ? "" : fmt::format(", worst '{}'", model.candidates[failure.candidate].name);
  return fmt::format("t = {:.6g} s: contact solve stopped after {} iterations, residual {:.2g} > {:.2g}{}", time,
                     result.iterations, result.residual, settings.contact.solver.acceptable, worst);
}

}  // namespace footfall
