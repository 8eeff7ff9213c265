#include "studio/server/joint_pose.hpp"

#include <fmt/format.h>

#include "footfall/contact/loop_assembly.hpp"
#include "studio/server/refused.hpp"

namespace footfall::studio {
namespace {

constexpr double kClosed = 1e-9;  ///< a loop with a smaller gap is closed [m]

/// All joints but the one that somebody holds; the base stays.
void closeLoops(const Model& model, int held, State& state) {
  std::vector<bool> movable(static_cast<std::size_t>(model.nv()), false);
  const auto base = static_cast<std::size_t>(model.baseDofs());
  for (int dof = 0; dof < model.jointDofs(); ++dof) movable[base + static_cast<std::size_t>(dof)] = dof != held;
  const std::unique_ptr<Dynamics> dynamics = makeDynamics("native", model);
  if (assembleLoops(model, *dynamics, movable, state.q).gap > kClosed)
    throw Refused(model.dofs[held].name, "the closed loops of the robot do not let it go there");
  state.nu.setZero();  // other velocities would tear at the loops
}

}  // namespace

State withJointAt(const Model& model, State state, int dof, double position) {
  if (dof >= model.jointDofs()) throw Refused("dof", "there is no joint with this number");
  const Dof& joint = model.dofs[dof];
  if (position < joint.lower || position > joint.upper)
    throw Refused(joint.name, fmt::format("its limits are {:.4g} and {:.4g}", joint.lower, joint.upper));
  state.q[7 + dof] = position;
  state.nu[model.baseDofs() + dof] = 0.0;
  if (!model.loops.empty()) closeLoops(model, dof, state);
  return state;
}

}  // namespace footfall::studio
