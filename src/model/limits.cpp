#include "footfall/model/limits.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace footfall {
namespace {

constexpr double kRounding = 1e-6;  ///< of numbers in files [rad or m]

std::string describe(const Dof& dof, double position) {
  return fmt::format("{} at {:.4g} {}, limits {:.4g} to {:.4g}", dof.name, position, traitsOf(dof.kind).position_unit,
                     dof.lower, dof.upper);
}

}  // namespace

std::string jointsOutsideLimits(const Model& model, const State& state) {
  constexpr std::size_t kShown = 3;
  std::vector<std::string> shown;
  std::size_t count = 0;
  for (int i = 0; i < model.jointDofs(); ++i) {
    const Dof& dof = model.dofs[i];
    const double position = state.joints()[i];
    if (dof.prescribed || (position >= dof.lower - kRounding && position <= dof.upper + kRounding)) continue;
    if (++count <= kShown) shown.push_back(describe(dof, position));
  }
  if (count == 0) return {};
  return fmt::format("{} of {} joints {} outside of {} limits ({}{})", count, model.jointDofs(),
                     count == 1 ? "is" : "are", count == 1 ? "its" : "their", fmt::join(shown, "; "),
                     count > kShown ? "; …" : "");
}

}  // namespace footfall
