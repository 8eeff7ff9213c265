#include "footfall/step/describe_failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace footfall {

namespace {

/// "'l_sole[2]'", "'ball' and 'table'".
std::string nameOfContact(const StepFailure& failure, const Model& model) {
  if (failure.candidate >= 0) return fmt::format("'{}'", model.candidates[failure.candidate].name);
  return fmt::format("'{}' and '{}'", model.links[failure.link].name, model.links[failure.other].name);
}

/// The first number that is not finite: "the torque of the joint 'knee' is nan"; empty where all are.
class NotFinite {
 public:
  explicit NotFinite(const Model& model) : model_(model) {}

  std::string in(const State& state, const Input& input, const JointSprings* springs) {
    ofEntries("q", state.q);
    ofEntries("nu", state.nu);
    ofJoints("the torque", input.tau);
    for (const ExternalWrench& external : input.wrenches)
      if (!external.wrench_W.allFinite())
        found("a push on the link '" + model_.links[external.link].name + "'", external.wrench_W);
    ofEntries("the generalized force", input.generalized);
    if (springs != nullptr) {
      ofJoints("the target", springs->target);
      ofJoints("the stiffness", springs->stiffness);
      ofJoints("the damping", springs->damping);
    }
    return text_;
  }

 private:
  void ofJoints(const char* what, const VectorXd& numbers) {
    for (Eigen::Index i = 0; i < numbers.size(); ++i)
      if (!std::isfinite(numbers[i]))
        return found(fmt::format("{} of the joint '{}'", what, model_.dofs[DofIndex(static_cast<int>(i))].name),
                     numbers.segment<1>(i));
  }

  void ofEntries(const char* what, const VectorXd& numbers) {
    for (Eigen::Index i = 0; i < numbers.size(); ++i)
      if (!std::isfinite(numbers[i])) return found(fmt::format("{}[{}]", what, i), numbers.segment<1>(i));
  }

  void found(const std::string& what, const Eigen::Ref<const VectorXd>& numbers) {
    if (!text_.empty()) return;
    const auto bad = std::find_if_not(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
    text_ = fmt::format("{} is {}", what, *bad);
  }

  const Model& model_;
  std::string text_;
};

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

std::string describeFailure(const StepResult& result, const State& state, const Input& input,
                            const JointSprings* springs, const Model& model, const Settings& settings) {
  if (result.status == SolveStatus::failed && result.failure.reason == StepFailure::Reason::not_finite)
    if (const std::string cause = NotFinite(model).in(state, input, springs); !cause.empty())
      return fmt::format("t = {:.6g} s: the step gives numbers that are not finite: {}", state.time, cause);
  return describeFailure(result, state.time, model, settings);
}

}  // namespace footfall
