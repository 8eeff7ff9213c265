#include "scene/body_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "footfall/base/error.hpp"
#include "footfall/contact/contact.hpp"
#include "footfall/model/kinematics.hpp"
#include "footfall/model/tree.hpp"

namespace footfall {
namespace {

// --- one body -----------------------------------------------------------------------------------------

double volumeOf(const SceneBody& body) {
  const double r = body.radius, disc = std::numbers::pi * r * r, ball = 4.0 / 3.0 * disc * r;
  if (body.shape == "box") return body.size.prod();
  if (body.shape == "sphere") return ball;
  return disc * body.length + (body.shape == "capsule" ? ball : 0.0);
}

/// Moments about the centre of a solid of uniform density, in its own axes.
Matrix3d inertiaOf(const SceneBody& body, double mass) {
  const double r2 = body.radius * body.radius, l2 = body.length * body.length;
  Vector3d moments;
  if (body.shape == "box") {
    const Vector3d s = body.size.cwiseAbs2();
    moments << s.y() + s.z(), s.x() + s.z(), s.x() + s.y();
    moments *= mass / 12.0;
  } else if (body.shape == "sphere") {
    moments.setConstant(0.4 * mass * r2);
  } else {
    // A capsule is a cylinder and two half balls, whose centres lie 3/8 r beyond its ends.
    const double share =
        body.shape == "capsule" ? 4.0 / 3.0 * body.radius / (body.length + 4.0 / 3.0 * body.radius) : 0.0;
    const double ball = share * mass, tube = mass - ball;
    const double ends = ball * (0.4 * r2 + 0.25 * l2 + 0.375 * body.length * body.radius);
    moments << tube * (0.25 * r2 + l2 / 12.0) + ends, 0.0, tube * 0.5 * r2 + ball * 0.4 * r2;
    moments.y() = moments.x();
  }
  return moments.asDiagonal();
}

LoadedModel shapedBody(const SceneBody& body) {
  LoadedModel loaded;
  loaded.source = body.where;
  const double mass = body.mass > 0.0 ? body.mass : body.density * volumeOf(body);
  loaded.model.name = body.name;
  loaded.model.floating_base = !body.fixed;
  loaded.model.links.push_back({body.name, {mass, Vector3d::Zero(), inertiaOf(body, mass)}});
  loaded.model.frames.push_back({body.name, LinkIndex(0), Pose{}});
  loaded.link_places[body.name] = body.where;
  for (const bool collision : {false, true}) {
    LinkGeometry geometry;
    geometry.where = body.where;
    geometry.link = body.name;
    geometry.collision = collision;
    geometry.shape = body.shape;
    geometry.size = body.size;
    geometry.radius = body.radius;
    geometry.length = body.length;
    if (body.color.x() >= 0.0) geometry.color = Eigen::Vector4d(body.color.x(), body.color.y(), body.color.z(), 1.0);
    loaded.geometries.push_back(geometry);
  }
  return loaded;
}

LoadedModel readBody(const Scene& scene, const SceneBody& body) {
  if (!body.shape.empty()) return shapedBody(body);
  UrdfOptions options;
  options.floating_base = !body.fixed;
  options.positions = body.initial;
  return loadModelOf(scene, body.model, body.where, options);
}

// --- all bodies ---------------------------------------------------------------------------------------

/// Names of one body become those of a world: an object of one link is called as the body.
std::string nameIn(const std::string& body, const std::string& own, bool single) {
  return single ? body : body + "/" + own;
}

/// Adds one tree behind the others.
void append(const LoadedModel& body, const BodyCopy& copy, LoadedModel& world) {
  Model& to = world.model;
  const Model& from = body.model;
  const bool single = from.frames.size() == 1;
  const int links = static_cast<int>(to.links.size()), dofs = to.jointDofs();
  const int frames = static_cast<int>(to.frames.size());
  const auto rename = [&](const std::string& own) { return nameIn(copy.name, own, single); };
  const auto link = [&](LinkIndex own) { return own.valid() ? LinkIndex(own + links) : own; };

  Joint root;
  root.name = copy.name;
  root.kind = from.floating_base ? JointKind::free : JointKind::fixed;
  root.X_PJ = copy.X_WB;
  if (from.floating_base) root.body = to.free_bodies++;
  ++to.further_bodies;
  to.joints.push_back(root);
  for (const Joint& joint : from.joints) {
    to.joints.push_back(joint);
    to.joints.back().name = rename(joint.name);
    to.joints.back().parent = link(joint.parent);
    to.joints.back().dof = DofIndex(joint.dof + dofs);
  }
  for (const Link& own : from.links) to.links.push_back({rename(own.name), own.inertia});
  for (const Dof& dof : from.dofs) {
    to.dofs.push_back(dof);
    to.dofs.back().name = rename(dof.name);
  }
  for (const DofIndex ball : from.balls) to.balls.push_back(DofIndex(ball + dofs));
  for (const Frame& frame : from.frames) to.frames.push_back({rename(frame.name), link(frame.link), frame.X_LF});
  for (const FixedJoint& joint : from.fixed_joints)
    to.fixed_joints.push_back({rename(joint.name), FrameIndex(joint.frame + frames),
                               FrameIndex(joint.frames_end + frames), link(joint.links_begin), link(joint.links_end),
                               joint.inertia});
  for (const Loop& loop : from.loops)
    to.loops.push_back({rename(loop.name), loop.kind, link(loop.link_a), link(loop.link_b), loop.X_AF, loop.X_BF,
                        FrameIndex(loop.frame_a + frames), FrameIndex(loop.frame_b + frames)});
  for (const LinkGeometry& geometry : body.geometries) {
    world.geometries.push_back(geometry);
    world.geometries.back().link = rename(geometry.link);
    world.geometries.back().body = to.further_bodies;
  }
  for (const auto& [own, place] : body.link_places) world.link_places[rename(own)] = place;
  for (const Warning& warning : body.warnings) world.warnings.push_back(warning);
}

/// Channels, filters and pushes find things by their names.
void refuseNamesThatAreTaken(const LoadedModel& body, const BodyCopy& copy, const Model& world) {
  for (const Dof& dof : world.dofs)
    if (dof.name == copy.name)
      throw Error(copy.entry->where, fmt::format("the body '{}' is called as a joint of the scene", copy.name),
                  "give it another name");
  for (const Frame& frame : body.model.frames) {
    const std::string name = nameIn(copy.name, frame.name, body.model.frames.size() == 1);
    const auto same = [&](const Frame& other) { return other.name == name; };
    if (std::any_of(world.frames.begin(), world.frames.end(), same))
      throw Error(copy.entry->where, fmt::format("the body '{}' is called as something else in the scene", name),
                  "give it another name");
  }
}

}  // namespace

std::vector<BodyCopy> bodiesOf(const Scene& scene) {
  std::vector<BodyCopy> bodies;
  for (const SceneBody& body : scene.bodies) {
    const Matrix3d R = rotationFromRollPitchYaw(body.rpy);
    if (body.copies.empty()) bodies.push_back({&body, body.name, {R, body.position}});
    for (std::size_t k = 0; k < body.copies.size(); ++k)
      bodies.push_back({&body, fmt::format("{}_{}", body.name, k), {R, body.position + body.copies[k]}});
  }
  return bodies;
}

void addBodies(const Scene& scene, LoadedModel& loaded) {
  const SceneBody* last = nullptr;
  LoadedModel body;
  for (const BodyCopy& copy : bodiesOf(scene)) {
    if (last == nullptr || copy.entry != last) body = readBody(scene, *copy.entry);
    last = copy.entry;
    refuseNamesThatAreTaken(body, copy, loaded.model);
    append(body, copy, loaded);
  }
}

void placeBodies(const Scene& scene, const Model& model, State& state) {
  const std::vector<BodyCopy> bodies = bodiesOf(scene);
  const std::vector<Tree> trees = treesOf(model);
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const Tree& tree = trees[k + 1];
    const SceneBody& entry = *bodies[k].entry;
    for (int i = tree.dofs_begin; i < tree.dofs_end; ++i) {
      const auto given = entry.initial.find(model.dofs[i].name.substr(bodies[k].name.size() + 1));
      if (given != entry.initial.end()) state.joints()[i] = given->second;
    }
    if (!tree.floats) continue;
    const Eigen::Quaterniond Q(bodies[k].X_WB.R);
    state.q.segment<7>(tree.position) << bodies[k].X_WB.p, Q.x(), Q.y(), Q.z(), Q.w();
    state.nu.segment<6>(tree.velocity) << entry.velocity, entry.angular_velocity;
  }
}

const std::string& whereOf(const Scene& scene, const Model& model, LinkIndex link) {
  const std::vector<BodyCopy> bodies = bodiesOf(scene);
  const std::vector<Tree> trees = treesOf(model);
  for (std::size_t k = 0; k < bodies.size(); ++k)
    if (trees[k + 1].contains(link)) return bodies[k].entry->where;
  return scene.robot.where;
}

void refuseOverlap(const Scene& scene, const State& state, const Model& model, Dynamics& dynamics) {
  constexpr double kStartOverlap = 1e-6;  // rounding of numbers in files [m]
  if (!model.collides()) return;
  dynamics.update(state.q, state.nu);
  for (const auto& [pair, gap] : touchingShapes(model, dynamics)) {
    if (gap >= -kStartOverlap) continue;
    const LinkIndex later(std::max<int>(model.shapes[pair.a].link, model.shapes[pair.b].link));  // a body, if one is
    throw Error(whereOf(scene, model, later),
                fmt::format("'{}' and '{}' start inside of each other, {:.3g} mm deep",
                            model.frames[model.shapes[pair.a].frame].name,
                            model.frames[model.shapes[pair.b].frame].name, -1e3 * gap),
                scene.collisions.separate_start
                    ? "collisions.separate_start found no way to part them; move one of them"
                    : "move one of them, let collisions.separate_start: true part them, or name both in "
                      "collisions.exclude");
  }
}

}  // namespace footfall
