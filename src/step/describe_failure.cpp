#include "footfall/step/describe_failure.hpp"

#include <fmt/format.h>

namespace footfall {

namespace {

/// "'l_sole[2]'", "'ball' and 'table'".
std::string nameOfContact(const StepFailure& failure, const Model& model) {
  if (failure.candidate >= 0) return fmt::format("'{}'", model.candidates[failure.candidate].name);
  return fmt::format("'{}' and '{}'", model.links[failure.link].name, model.links[failure.other].name);
}

}  // namespace

std::string describeFailure(const StepResult& result, double time, const Model& model, const Settings& settings) {
  if (result.status != SolveStatus::failed)
    return fmt::format("t = {:.6g} s: the last step did not fail, its residual is {:.2g}", time, result.residual);
  const StepFailure& failure = result.failure;
  if (failure.reason == StepFailure::Reason::blocked)
    return fmt::format("t = {:.6g} s: the prescribed joints press {} {}, and nothing can give way", time,
                       nameOfContact(failure, model), failure.other.valid() ? "into each other" : "into the ground");
  if (failure.reason == StepFailure::Reason::torn_loops)
    return fmt::format("t = {:.6g} s: the prescribed joints tear the loops open by {:.3g} mm", time,
                       1e3 * result.loop_gap);
  if (failure.reason == StepFailure::Reason::not_finite)
    return fmt::format("t = {:.6g} s: the step gives numbers that are not finite; look at torques, wrenches and gains",
                       time);
  const std::string worst = failure.link.valid() ? ", worst " + nameOfContact(failure, model) : "";
  return fmt::format("t = {:.6g} s: contact solve stopped after {} iterations, residual {:.2g} > {:.2g}{}", time,
                     result.iterations, result.residual, settings.contact.solver.acceptable, worst);
}

}  // namespace footfall
