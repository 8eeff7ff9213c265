#include "model_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>

#include "footfall/dynamics/singular_inertia.hpp"
#include "footfall/model/ball_joint.hpp"
#include "footfall/model/limits.hpp"
#include "footfall/step/tie.hpp"

namespace footfall::command {
namespace {

/// How a joint follows another one's coordinate; empty when it has its own.
std::string mimicNote(const Joint& joint, const Model& model) {
  const std::string& driver = model.dofs[joint.dof].name;
  return driver == joint.name ? "" : fmt::format(" = {:g} · {} + {:g}", joint.multiplier, driver, joint.offset);
}

/// The last of the three joints of a ball joint, which moves the link of the file; every other joint is its own.
int movingJoint(const Model& model, int joint) {
  while (isInsideBall(model, LinkIndex(joint + 1))) ++joint;
  return joint;
}

/// "ball hip (hip_x, hip_y, hip_z)": three coordinates of the model, one joint of the robot.
std::string jointTitle(const Model& model, int joint) {
  const std::string& name = model.joints[joint].name;
  if (model.joints[joint].kind != JointKind::ball)
    return fmt::format("{} {}{}", traitsOf(model.joints[joint].kind).name, name, mimicNote(model.joints[joint], model));
  return fmt::format("ball {} ({}, {}, {})", name.substr(0, name.rfind('_')), name, model.joints[joint + 1].name,
                     model.joints[joint + 2].name);
}

void appendBranch(const Model& model, LinkIndex link, const std::string& indent, std::string& text) {
  std::vector<int> children;
  for (int j = 0; j < static_cast<int>(model.joints.size()); ++j)
    if (model.joints[j].parent == link) children.push_back(j);
  for (const int j : children) {
    const bool last = j == children.back();
    const LinkIndex index(movingJoint(model, j) + 1);
    const Link& child = model.links[index];
    text += fmt::format("  {}{} {}  {:.4g} kg  by {}\n", indent, last ? "└─" : "├─", child.name, child.inertia.mass,
                        jointTitle(model, j));
    appendBranch(model, index, indent + (last ? "   " : "│  "), text);
  }
}

std::string tree(const Model& model) {
  const Link& base = model.links.front();
  std::string text = fmt::format("  {}  {:.4g} kg  {} base\n", base.name, base.inertia.mass,
                                 model.floating_base ? "floating" : "fixed");
  appendBranch(model, LinkIndex(0), "", text);
  for (int j = 0; j < static_cast<int>(model.joints.size()); ++j) {
    const Joint& joint = model.joints[j];
    if (joint.parent.valid()) continue;
    const Link& root = model.links[j + 1];
    text += fmt::format("  {}  {:.4g} kg  {} body\n", root.name, root.inertia.mass,
                        joint.kind == JointKind::free ? "floating" : "fixed");
    appendBranch(model, LinkIndex(j + 1), "", text);
  }
  return text;
}

/// "coupler_end: ball between coupler and rocker".
std::string loops(const Model& model) {
  const auto sideOf = [&](LinkIndex link, FrameIndex frame) {
    return !link.valid() ? "the world" : frame.valid() ? model.frames[frame].name : model.links[link].name;
  };
  std::string text;
  for (const Loop& loop : model.loops)
    text += fmt::format("  {}: {} between {} and {}\n", loop.name, nameOf(loop.kind), sideOf(loop.link_a, loop.frame_a),
                        sideOf(loop.link_b, loop.frame_b));
  return text;
}

/// A limit that is not there is a dash.
std::string number(double value) { return std::isfinite(value) ? fmt::format("{:.4g}", value) : "-"; }

std::string coordinates(const Model& model) {
  std::string text = fmt::format("  {:>3} {:<28} {:<5} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}\n", "", "name", "unit",
                                 "lower", "upper", "velocity", "effort", "damping", "friction");
  int index = 0;
  for (const Dof& dof : model.dofs)
    text += fmt::format("  {:>3} {:<28} {:<5} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}\n", index++, dof.name,
                        traitsOf(dof.kind).position_unit, number(dof.lower), number(dof.upper),
                        number(dof.max_velocity), number(dof.max_effort), number(dof.damping), number(dof.friction));
  return text;
}

std::string frames(const Model& model) {
  std::string text;
  for (int link = 0; link < static_cast<int>(model.links.size()); ++link) {
    std::string names;
    for (const Frame& frame : model.frames)
      if (frame.link == link && frame.name != model.links[link].name) names += " " + frame.name;
    if (!names.empty()) text += fmt::format("  {}:{}\n", model.links[link].name, names);
  }
  return text.empty() ? "  one for each link\n" : text;
}

std::string contactPoints(const Model& model) {
  std::string text;
  for (const ContactCandidate& candidate : std::span(model.candidates).first(model.pointCandidates()))
    text += fmt::format("  {:<24} on {}, at ({:.4g}, {:.4g}, {:.4g}) m{}{}\n", candidate.name,
                        model.links[candidate.link].name, candidate.p_LC.x(), candidate.p_LC.y(), candidate.p_LC.z(),
                        candidate.radius > 0.0 ? fmt::format(", radius {:.4g} m", candidate.radius) : "",
                        candidate.face_C.isZero(0.0) ? "" : fmt::format(", face {:.4g} m", candidate.face_C.norm()));
  return text;
}

const char* reasonOf(Apart why) {
  switch (why) {
    case Apart::one_robot:
      return "links of one robot: collisions.self is false";
    case Apart::neighbours:
      return "neighbours: one joint between them";
    case Apart::touching_at_zero:
      return "they touch in the zero posture";
    case Apart::disabled_by_srdf:
      return "disabled by collisions.srdf";
    case Apart::not_listed:
      return "not named in collisions.only";
    case Apart::excluded:
      return "named in collisions.exclude";
  }
  return "";
}

/// A mesh may be rounder than its hull, and hollow: what it touches with is said here.
std::string meshes(const Model& model) {
  std::string text;
  for (const CollisionShape& shape : model.shapes) {
    constexpr double kNearlyFilled = 0.98;  // rounding of the file's numbers and small cracks do not count
    if (!shape.mesh.is_mesh) continue;
    text += fmt::format("  {:<24} {:>3} corners", model.frames[shape.frame].name, shape.shape.vertices.size());
    if (shape.mesh.outside > 0.0)
      text += fmt::format(", the mesh reaches out by up to {:.2g} mm", 1e3 * shape.mesh.outside);
    if (shape.mesh.filled < kNearlyFilled) text += fmt::format(", and fills {:.0f} % of it", 100.0 * shape.mesh.filled);
    text += "\n";
  }
  return text.empty()
             ? text
             : "\nMeshes, which touch as their convex hulls (collisions.hull_corners: at most so many)\n" + text;
}

std::string shapes(const Model& model) {
  const auto count = [&](auto which) { return std::count_if(model.shapes.begin(), model.shapes.end(), which); };
  const auto on_ground = count([](const CollisionShape& shape) { return shape.meets_ground; });
  const auto on_shapes = count([](const CollisionShape& shape) { return shape.meets_shapes; });
  std::string text;
  if (on_ground > 0)
    text += fmt::format("\nShapes that may touch the ground: {}, with {} points\n", on_ground,
                        model.candidates.size() - static_cast<std::size_t>(model.pointCandidates()));
  if (on_shapes > 0) text += fmt::format("\nShapes that may touch those of other links and bodies: {}\n", on_shapes);
  return text;
}

}  // namespace

std::string describe(const Model& model) {
  const std::size_t inside = 2 * model.balls.size();  // joints, and links, that ball joints are made of
  std::string text = fmt::format("{}: {:.6g} kg, {} links, {} joints, {} coordinates{}\n", model.name,
                                 model.totalMass(), model.links.size() - inside, model.joints.size() - inside,
                                 model.dofs.size(), model.floating_base ? " and a floating base" : ", fixed base");
  text += "\nTree (a link stands for everything that is fixed to it)\n" + tree(model);
  if (!model.loops.empty()) text += "\nLoops (joints between links that others already hold together)\n" + loops(model);
  text += "\nCoordinates (SI units; a dash: no limit)\n" + coordinates(model);
  text += "\nFrames besides the links' own\n" + frames(model);
  if (model.pointCandidates() > 0) text += "\nPoints that may touch the ground\n" + contactPoints(model);
  return text + shapes(model) + meshes(model);
}

std::string describeCollisions(const Scene& scene, const Model& model) {
  if (!model.collides()) return {};
  std::vector<std::string> said_already;
  std::map<Apart, std::set<std::string>> pairs;
  for (const ApartShapes& apart : apartShapes(scene, model, said_already)) {
    const auto nameOf = [&](int shape) { return model.frames[model.shapes[shape].frame].name; };
    pairs[apart.why].insert(nameOf(apart.shapes.a) + " - " + nameOf(apart.shapes.b));
  }
  std::string text = "\nPairs that pass through each other\n";
  if (pairs.empty()) text += "  none\n";
  for (const auto& [why, names] : pairs) {
    text += fmt::format("  {} ({})\n", reasonOf(why), names.size());
    for (const std::string& name : names) text += "    " + name + "\n";
  }
  return text;
}

std::vector<std::string> suspicions(const Model& model) {
  std::vector<std::string> found;
  constexpr double kFarAway = 2.0;  // [m]; more often millimetres taken for metres than a real robot
  for (const Link& link : model.links)
    if (link.inertia.com.norm() > kFarAway)
      found.push_back(fmt::format("link '{}': its centre of mass is {:.3g} m away from its origin", link.name,
                                  link.inertia.com.norm()));
  return found;
}

std::vector<std::string> zeroPostureSuspicions(const Model& model) {
  std::vector<std::string> found;
  const State zero = makeState(model);
  const std::string outside = jointsOutsideLimits(model, zero);
  if (!outside.empty()) found.push_back("in the zero posture " + outside + ": start from another one (robot.initial)");
  const std::unique_ptr<Dynamics> dynamics = makeDynamics("native", model);
  dynamics->update(zero.q, zero.nu);
  if (const auto singular = findSingularInertia(*dynamics, VectorXd::Zero(model.jointDofs())))
    found.push_back(fmt::format("link '{}': no inertia resists a motion of {}; it needs damping to be simulated",
                                singular->link, singular->mover));
  return found;
}

}  // namespace footfall::command
