#include "run/check_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "footfall/base/error.hpp"

namespace footfall {
namespace {

/// Positions of six digits, or of single precision, are off by this much [-].
constexpr double kRounding = 1e-6;

const std::vector<DofIndex>& movedFromOutside(const Body& robot) { return robot.prescribed.movedFromOutside(); }

[[noreturn]] void refuseIgnored(const Dof& dof, const char* name, double found, double expected) {
  const std::string where = fmt::format("input.{}", name);
  if (dof.prescribed)
    throw Error(
        where,
        fmt::format("that of the joint '{}' is {:.6g}, but the scene has a law for its motion, and nothing would "
                    "follow the input; expected {:.6g}, as it was",
                    dof.name, found, expected),
        fmt::format("`prescribed: [{{joint: {}}}]` without a law is moved by code", dof.name));
  throw Error(where,
              fmt::format("that of the joint '{}' is {:.6g}, but the joint is not prescribed, and nothing would follow "
                          "the input; expected {:.6g}, as it was",
                          dof.name, found, expected),
              fmt::format("`prescribed: [{{joint: {}}}]` in the scene makes it follow what code says; postures are "
                          "targets of springs, and torques input.tau",
                          dof.name));
}

/// What other joints have here is looked at by no step: whoever writes it believes something else.
void refuseWhatIsIgnored(const Body& robot, const Input& input, const Input& at_rest) {
  if (input.position.size() == 0) return;
  const auto isSame = [](const VectorXd& a, const VectorXd& b) {
    return std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)) == 0;
  };
  if (isSame(input.position, at_rest.position) && isSame(input.velocity, at_rest.velocity)) return;  // nearly always
  const std::vector<DofIndex>& moved = movedFromOutside(robot);
  for (int i = 0; i < robot.model.jointDofs(); ++i) {
    const bool is_rest = input.position[i] == at_rest.position[i] && input.velocity[i] == at_rest.velocity[i];
    if (is_rest || std::find(moved.begin(), moved.end(), DofIndex(i)) != moved.end()) continue;
    const bool is_position = input.position[i] != at_rest.position[i];
    const char* const name = is_position ? "position" : "velocity";
    refuseIgnored(robot.model.dofs[i], name, (is_position ? input.position : input.velocity)[i],
                  (is_position ? at_rest.position : at_rest.velocity)[i]);
  }
}

/// Forces follow from velocities: what goes on with none at either end of its steps has positions, and pushes nothing.
void refuseForgottenVelocity(const Body& robot, const State& state, const Input& input, double dt) {
  for (const DofIndex i : movedFromOutside(robot)) {
    if (input.velocity[i] != 0.0 || state.nu[robot.model.baseDofs() + i] != 0.0) continue;
    const double from = state.joints()[i], to = input.position[i];
    if (!(std::abs(to - from) > kRounding * std::max({1.0, std::abs(from), std::abs(to)}))) continue;
    const Dof& dof = robot.model.dofs[i];
    const JointTraits units = traitsOf(dof.kind);
    throw Error(
        "input.velocity",
        fmt::format(
            "that of the joint '{}' is zero before and after the step at t = {:.6g} s, but input.position moves "
            "it from {:.6g} to {:.6g} {}; expected the velocity at the end of the step, where the mean of this "
            "one is {:.6g} {}",
            dof.name, state.time, from, to, units.position_unit, (to - from) / dt, units.velocity_unit),
        "give both, input.position and input.velocity, before each step: accelerations follow from velocities. To put "
        "the joint elsewhere at once, change the state, too");
  }
}

}  // namespace

void checkMotion(const Body& robot, const State& state, const Input& input, const Input& at_rest, double dt,
                 bool moves) {
  const Eigen::Index n = robot.model.jointDofs();
  if (input.position.size() != n || input.velocity.size() != n) return;  // the step tells, where it needs them
  refuseWhatIsIgnored(robot, input, at_rest);
  if (moves) refuseForgottenVelocity(robot, state, input, dt);
}

}  // namespace footfall
