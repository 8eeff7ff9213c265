#include "scene/loop_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "footfall/base/error.hpp"
#include "footfall/contact/loop_assembly.hpp"
#include "footfall/contact/loop_motion.hpp"
#include "footfall/model/kinematics.hpp"
#include "footfall/step/internal/joint_forces.hpp"
#include "scene/at_place.hpp"

namespace footfall {
namespace {

constexpr double kClosedAtStart = 1e-9;  ///< rounding of numbers in files is not a gap [m]
const char* const kWorld = "world";

/// Of a loop with a frame that is fixed, too.
std::vector<std::string> framesOf(const SceneLoop& loop) {
  return loop.between.empty() ? std::vector<std::string>{kWorld, loop.frame} : loop.between;
}

}  // namespace

std::string nameOf(const SceneLoop& loop) {
  const std::vector<std::string> frames = framesOf(loop);
  return loop.name.empty() ? frames[0] + "-" + frames[1] : loop.name;
}

namespace {

/// One side of a loop: a frame of the model at the start. The world has no link.
struct Side {
  LinkIndex link;
  Pose X_LF, X_WF;
  FrameIndex frame = {};
};

LoopKind kindOf(const std::string& joint) { return joint.empty() ? LoopKind::weld : loopKindNamed(joint); }

Side findSide(const SceneLoop& loop, const std::string& name, const Model& model, const std::vector<Pose>& X_WL) {
  const FrameIndex number = atPlace(loop.where, [&] { return model.frame(name); });
  const Frame& frame = model.frames[number];
  return {frame.link, frame.X_LF, X_WL[frame.link] * frame.X_LF, number};
}

/// Both frames of a loop get the loop's axes, as they lie at the start. The origins are those of the file, except that
/// the world's is where the other frame starts.
Loop resolve(const SceneLoop& loop, const Model& model, const std::vector<Pose>& X_WL) {
  const std::vector<std::string> names = framesOf(loop);
  Side a, b;
  if (names[0] != kWorld) a = findSide(loop, names[0], model, X_WL);
  if (names[1] != kWorld) b = findSide(loop, names[1], model, X_WL);
  if (names[0] == kWorld) a.X_LF.p = b.X_WF.p;
  if (names[1] == kWorld) b.X_LF.p = a.X_WF.p;
  const Matrix3d R_AF = rotationWithZ(loop.axis);
  const Matrix3d R_WF = a.X_WF.R * R_AF;
  return {.name = nameOf(loop),
          .kind = kindOf(loop.joint),
          .link_a = a.link,
          .link_b = b.link,
          .X_AF = {a.X_LF.R * R_AF, a.X_LF.p},
          .X_BF = {b.X_LF.R * b.X_WF.R.transpose() * R_WF, b.X_LF.p},
          .frame_a = a.frame,
          .frame_b = b.frame};
}

/// Joints that the scene does not name, or all but the prescribed ones; the base only where a loop ties it to the
/// world.
std::vector<bool> movableCoordinates(const SceneRobot& robot, const Model& model, bool named_too) {
  std::vector<bool> movable(model.nv(), tiedToWorld(model));
  for (int i = 0; i < model.jointDofs(); ++i)
    movable[model.baseDofs() + i] =
        !model.dofs[i].prescribed && (named_too || !robot.initial.contains(model.dofs[i].name));
  return movable;
}

/// The named joints do not give way: they are as good as immovable.
void closeVelocities(const SceneRobot& robot, const Model& model, State& state) {
  constexpr double kClosedVelocity = 1e-9;  // [m/s]
  const std::unique_ptr<Dynamics> dynamics = makeDynamics("native", model);
  VectorXd inertia = VectorXd::Zero(model.jointDofs());
  for (const auto& [name, velocity] : robot.initial_velocity) inertia[model.dof(name)] = kImmovableInertia;
  dynamics->setImplicitInertia(inertia);
  dynamics->update(state.q, state.nu);
  dynamics->prepareLoops();
  LoopMotion(model).constrainVelocity(*dynamics, state.nu);
  const double opening = (loopJacobian(model, *dynamics) * state.nu).cwiseAbs().maxCoeff();
  if (opening > kClosedVelocity)
    throw Error(robot.where,
                fmt::format("robot.initial_velocity tears the loops open: they part with {:.3g} m/s", opening),
                "name fewer joints: those that are not named follow");
}

}  // namespace

void setInitialVelocities(const SceneRobot& robot, const Model& model, State& state) {
  if (robot.initial_velocity.empty()) return;
  for (const auto& [name, velocity] : robot.initial_velocity) {
    const DofIndex dof = atPlace(robot.where, [&, &joint = name] { return model.dof(joint); });
    if (model.dofs[dof].prescribed)
      throw Error(robot.where, fmt::format("robot.initial_velocity names '{}', whose motion is prescribed", name),
                  "leave it out");
    state.nu[model.baseDofs() + dof] = velocity;
  }
  if (!model.loops.empty()) closeVelocities(robot, model, state);
}

void addLoops(const std::vector<SceneLoop>& loops, const State& start, Model& model) {
  if (loops.empty()) return;
  std::vector<Pose> X_WL;
  forwardKinematics(model, start.q, X_WL);
  for (const SceneLoop& loop : loops)
    if (!loop.isTie()) model.loops.push_back(resolve(loop, model, X_WL));
}

std::vector<TimedTie> resolveTies(const std::vector<SceneLoop>& loops, const Model& model) {
  std::vector<TimedTie> ties;
  std::set<std::string> names;
  for (std::size_t k = 0; k < loops.size(); ++k) {
    const SceneLoop& loop = loops[k];
    if (!loop.isTie()) continue;
    const std::vector<std::string> frames = framesOf(loop);
    for (const std::string& frame : frames)
      if (frame != kWorld) atPlace(loop.where, [&] { return model.frame(frame); });
    TieRequest request{{frames[0], frames[1]}, nameOf(loop), kindOf(loop.joint), loop.axis, loop.within};
    if (!names.insert(request.name).second)
      throw Error(loop.where, fmt::format("loops.{}: there are two ties '{}'", k, request.name),
                  "give each its `name`: it says which one is released");
    constexpr double kNever = std::numeric_limits<double>::infinity();
    ties.push_back({std::move(request), loop.commanded, loop.commanded ? kNever : loop.from.value_or(0.0),
                    loop.until.value_or(kNever), fmt::format("{}: loops.{}", loop.where, k)});
  }
  return ties;
}

bool tiedToWorld(const Model& model) {
  return std::any_of(model.loops.begin(), model.loops.end(),
                     [](const Loop& loop) { return !loop.link_a.valid() || !loop.link_b.valid(); });
}

void closeAtStart(const SceneRobot& robot, const Model& model, State& state) {
  if (model.loops.empty()) return;
  LoopGap open = largestLoopGap(model, state.q);
  if (robot.assemble) {
    const std::unique_ptr<Dynamics> dynamics = makeDynamics("native", model);
    const VectorXd start = state.q;
    for (const bool named_too : {false, true}) {
      state.q = start;
      open = assembleLoops(model, *dynamics, movableCoordinates(robot, model, named_too), state.q);
      if (open.gap <= kClosedAtStart) break;
    }
  }
  if (open.gap <= kClosedAtStart) return;
  throw Error(robot.where,
              fmt::format("the loop '{}' is open by {:.4g} mm at the start{}", model.loops[open.loop].name,
                          1e3 * open.gap, robot.assemble ? ", and no posture near it closes all loops" : ""),
              robot.assemble ? "start from another posture (robot.initial)"
                             : "correct robot.initial, or let robot.assemble: true close it");
}

}  // namespace footfall
