#include "run/check_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "footfall/base/error.hpp"
#include "footfall/spatial/internal/same_bits.hpp"

namespace footfall {
namespace {

/// What goes so far without a velocity was not told that it moves; measured motions, whose velocities come late, are
/// rounded or have a dead band, stay below both. [rad or m], or of the position, and [rad/s or m/s]
constexpr double kFar = 1e-3, kFast = 0.01;

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

}  // namespace

MotionCheck::MotionCheck(const Body& robot, Input at_rest)
    : robot_(robot), at_rest_(std::move(at_rest)), still_(movedFromOutside(robot).size()) {}

void MotionCheck::check(const State& state, const Input& input, double dt) {
  const Eigen::Index n = robot_.model.jointDofs();
  if (input.position.size() != n || input.velocity.size() != n) return;  // the step tells, where it needs them
  refuseWhatIsIgnored(input);
  if (knows_)
    refuseForgottenVelocity(state, input, dt);
  else
    for (Still& still : still_) still.is_still = false;
  knows_ = true;
}

/// What other joints have here is looked at by no step: whoever writes it believes something else.
void MotionCheck::refuseWhatIsIgnored(const Input& input) const {
  if (sameBits(input.position, at_rest_.position) && sameBits(input.velocity, at_rest_.velocity)) return;
  const std::vector<DofIndex>& moved = movedFromOutside(robot_);
  for (int i = 0; i < robot_.model.jointDofs(); ++i) {
    const bool is_rest = input.position[i] == at_rest_.position[i] && input.velocity[i] == at_rest_.velocity[i];
    if (is_rest || std::find(moved.begin(), moved.end(), DofIndex(i)) != moved.end()) continue;
    const bool is_position = input.position[i] != at_rest_.position[i];
    const char* const name = is_position ? "position" : "velocity";
    refuseIgnored(robot_.model.dofs[i], name, (is_position ? input.position : input.velocity)[i],
                  (is_position ? at_rest_.position : at_rest_.velocity)[i]);
  }
}

void MotionCheck::refuseForgottenVelocity(const State& state, const Input& input, double dt) {
  auto still = still_.begin();
  for (const DofIndex i : movedFromOutside(robot_)) {
    Still& joint = *still++;
    const bool was_still =
        std::exchange(joint.is_still, input.velocity[i] == 0.0 && state.nu[robot_.model.baseDofs() + i] == 0.0);
    if (!joint.is_still) continue;
    if (!was_still) joint.time = state.time, joint.from = state.joints()[i];
    const double to = input.position[i], gone = std::abs(to - joint.from), since = state.time + dt - joint.time;
    if (!(gone > kFar * std::max({1.0, std::abs(joint.from), std::abs(to)}) && gone > kFast * since)) continue;
    joint.is_still = false;
    const Dof& dof = robot_.model.dofs[i];
    const JointTraits units = traitsOf(dof.kind);
    throw Error(
        "input.velocity",
        fmt::format("that of the joint '{}' has been zero since t = {:.6g} s, but input.position moves it from {:.6g} "
                    "to {:.6g} {}; expected the velocity at the end of each step, where the mean is {:.6g} {}",
                    dof.name, joint.time, joint.from, to, units.position_unit, (to - joint.from) / since,
                    units.velocity_unit),
        "give both, input.position and input.velocity, before each step: accelerations follow from velocities. Where "
        "the joint was put elsewhere, input.position has to be there, too");
  }
}

}  // namespace footfall
