#include "footfall/step/tie.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "footfall/base/error.hpp"
#include "footfall/base/suggest.hpp"
#include "footfall/collide/manifold.hpp"
#include "footfall/model/kinematics.hpp"
#include "footfall/model/loops.hpp"
#include "step/report.hpp"
#include "step/step_parts.hpp"
#include "step/tied_model.hpp"

namespace footfall {
namespace {

const char* const kWorld = "world";

/// One side of a tie. The world has no link.
struct Side {
  std::string name;
  LinkIndex link = {};
  FrameIndex frame = {};
  Pose X_LF = {};
  Pose X_WL = {};
};

Side findSide(const std::string& name, const Model& model, const std::vector<Pose>& X_WL) {
  if (name == kWorld) return {name};
  try {
    const FrameIndex index = model.frame(name);
    const Frame& frame = model.frames[index];
    return {name, frame.link, index, frame.X_LF, X_WL[frame.link]};
  } catch (const Error& e) {
    throw Error("tie", "between: " + e.problem(), editDistance(name, kWorld) <= 2 ? "did you mean 'world'?" : e.hint());
  }
}

void refuseName(const std::string& name, const Model& model, const State& state) {
  if (isNamed(name, state.ties))
    throw Error("tie", fmt::format("name: there is a tie '{}' already", name),
                "release it first, or give the new one another name");
  if (isNamed(name, model.loops))
    throw Error("tie", fmt::format("name: a loop of the scene is called '{}'", name), "give the tie another name");
}

void refuseRigid(const Side& a, const Side& b, const Model& model, const State& state) {
  const auto refuse = [&](const std::string& why, const std::string& hint) {
    throw Error("tie", fmt::format("between: '{}' and '{}' {}", a.name, b.name, why), hint);
  };
  if (a.link == b.link) refuse("are parts of one link, which nothing can part", "name frames of two links");
  const RigidGroups groups(model, state.ties);
  if (groups.withWorld(a.link) && groups.withWorld(b.link)) refuse("do not move, neither of them", "");
  if (groups.together(a.link, b.link)) refuse("are held together by welds already: the tie would close a ring", "");
}

/// The shapes of a link, or the origin of the frame where it has none.
/// @param known of all shapes; may be null
std::vector<collide::Solid> solidsOf(const Side& side, const Model& model, const SharedSolids& known) {
  std::vector<collide::Solid> solids;
  for (std::size_t k = 0; k < model.shapes.size(); ++k)
    if (model.shapes[k].link == side.link)
      solids.push_back(known ? (*known)[k] : collide::makeSolid(model.shapes[k].shape));
  if (solids.empty()) solids.push_back(collide::makeSolid(pointShape(side.X_LF)));
  return solids;
}

/// Between the surfaces of two links; below zero where they overlap [m].
double distanceBetween(const Side& a, const Side& b, const Model& model, const SharedSolids& known) {
  double least = std::numeric_limits<double>::infinity();
  collide::Scratch scratch;
  std::vector<collide::ManifoldPoint> points;
  const std::vector<collide::Solid> of_a = solidsOf(a, model, known), of_b = solidsOf(b, model, known);
  for (const collide::Solid& solid_a : of_a)
    for (const collide::Solid& solid_b : of_b)
      collide::manifold(collide::place(solid_a, a.X_WL, 1), collide::place(solid_b, b.X_WL, 2),
                        std::numeric_limits<double>::infinity(), scratch, points);
  for (const collide::ManifoldPoint& point : points) least = std::min(least, point.gap);
  return least;
}

void refuseFar(const Side& a, const Side& b, double within, const Model& model, const SharedSolids& known) {
  if (!(within >= 0.0)) throw Error("tie", fmt::format("within: it is {} m, expected zero or more", within));
  if (!a.link.valid() || !b.link.valid()) return;  // the world is everywhere
  const double distance = distanceBetween(a, b, model, known);
  if (distance <= within) return;
  throw Error("tie",
              fmt::format("between: '{}' and '{}' are {:.4g} mm apart, farther than `within`, {:.4g} mm", a.name,
                          b.name, 1e3 * distance, 1e3 * within),
              "bring them together first, or give a larger `within`");
}

/// The joint, with both of its frames where they are now.
Loop resolve(const TieRequest& request, const State& state, const Workspace::Parts& parts) {
  const Model& model = parts.bare_model;
  const auto& [first, second] = request.between;
  std::vector<Pose> X_WL;
  forwardKinematics(model, state.q, X_WL);
  const Side a = findSide(first, model, X_WL), b = findSide(second, model, X_WL);
  Loop tie{.name = request.name.empty() ? first + "-" + second : request.name,
           .kind = request.joint,
           .link_a = a.link,
           .link_b = b.link,
           .X_AF = {},
           .X_BF = {},
           .frame_a = a.frame,
           .frame_b = b.frame};
  refuseName(tie.name, model, state);
  refuseRigid(a, b, model, state);
  refuseFar(a, b, request.within, model, parts.solids);
  if (!(request.axis.norm() > 0.0) || !request.axis.allFinite()) throw Error("tie", "axis: it has no direction");
  tie.X_AF = {a.X_LF.R * rotationWithZ(request.axis.normalized()), a.X_LF.p};
  if (!a.link.valid()) tie.X_AF.p = b.X_WL * b.X_LF.p;
  tie.X_BF = b.X_WL.inverse() * (a.X_WL * tie.X_AF);
  return tie;
}

double kineticEnergy(const Dynamics& dynamics, const VectorXd& nu) {
  VectorXd momentum(nu.size());
  dynamics.multiplyMass(nu, momentum);
  return 0.5 * nu.dot(momentum);
}

/// Soft contacts take no part in it: their forces take time.
void moveTogether(const State& state, Workspace::Parts& w) {
  w.dynamics->prepareLoops();
  LoopMotion& loops = w.system.loops();
  loops.constrainVelocity(*w.dynamics, w.nu);
  loops.wrenches(loops.impulses(), w.result.loop_impulses);
  for (const DofIndex dof : w.prescribed.dofs()) w.nu[w.model.baseDofs() + dof] = state.nu[w.model.baseDofs() + dof];
}

void moveTogetherOnContacts(Workspace::Parts& w) {
  w.impacts.impulse.assign(w.system.layout().rows(), 0.0);
  solveImpact(Bounces::together, nullptr, w);
  if (w.impacts.status != SolveStatus::failed) return;
  throw Error("tie", fmt::format("the impact of making it was not solved, residual {:.2g} m/s", w.impacts.residual),
              "does ground that moves, or a prescribed joint, press against what it holds?");
}

/// The velocities of the state become those after the impact of its last tie.
TieImpact collideInto(State& state, Workspace& workspace) {
  workspace.setTies(state.ties);
  Workspace::Parts& w = workspace.parts();
  clearReport(w.model, w.result);
  w.nu = state.nu;
  w.end_known = false;
  w.dynamics->setImplicitInertia(w.bare_inertia);
  w.dynamics->update(state.q, state.nu);
  const double before = kineticEnergy(*w.dynamics, w.nu);
  w.system.find(w.terrain, state.time, {.step = w.settings.step}, state.q, state.nu, *w.dynamics);
  w.makeRoom();
  w.system.handTo(*w.dynamics);
  if (w.system.onlyLoops() || !w.contact_model->hasImpacts()) {
    moveTogether(state, w);
  } else {
    w.system.computeDelassus(*w.dynamics);
    moveTogetherOnContacts(w);
  }
  state.nu = w.nu;
  return {state.ties.back().name, w.result.loop_impulses.back(), before - kineticEnergy(*w.dynamics, w.nu)};
}

}  // namespace

TieImpact tie(const TieRequest& request, State& state, Workspace& workspace) {
  state.ties.push_back(resolve(request, state, workspace.parts()));
  const StepResult last = workspace.parts().result;  // it stays that of the last step
  try {
    TieImpact impact = collideInto(state, workspace);
    workspace.parts().result = last;
    return impact;
  } catch (...) {
    workspace.parts().result = last;
    state.ties.pop_back();
    throw;
  }
}

void release(std::string_view name, State& state) {
  const auto found = findLoop(state.ties, name);
  if (found == state.ties.end())
    throw Error("release", fmt::format("there is no tie '{}'", name),
                state.ties.empty() ? "there are none now" : suggestOrList(name, namesOf(state.ties)));
  state.ties.erase(found);
}

const char* nameOf(LoopKind kind) {
  switch (kind) {
    case LoopKind::ball:
      return "ball";
    case LoopKind::hinge:
      return "hinge";
    case LoopKind::slider:
      return "slider";
    case LoopKind::weld:
      return "weld";
  }
  return "";
}

LoopKind loopKindNamed(std::string_view name) {
  for (const LoopKind kind : {LoopKind::ball, LoopKind::hinge, LoopKind::slider, LoopKind::weld})
    if (name == nameOf(kind)) return kind;
  throw Error("tie", fmt::format("joint: there is no '{}'", name), "choices: ball, hinge, slider, weld");
}

}  // namespace footfall
