#include "footfall/scene/internal/scene_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "footfall/base/error.hpp"
#include "footfall/contact/contact_place.hpp"
#include "footfall/dynamics/singular_inertia.hpp"
#include "footfall/model/tree.hpp"
#include "footfall/robot_file/collision_shapes.hpp"
#include "footfall/robot_file/urdf.hpp"
#include "footfall/scene/internal/collision_filter.hpp"
#include "footfall/scene/internal/terrain_setup.hpp"
#include "footfall/scene/loaded_robots.hpp"
#include "scene/actuator_setup.hpp"
#include "scene/at_place.hpp"
#include "scene/body_setup.hpp"
#include "scene/joint_units.hpp"
#include "scene/loop_setup.hpp"
#include "scene/prescribed_setup.hpp"
#include "scene/spring_setup.hpp"
#include "scene/start_separation.hpp"

namespace footfall {
namespace {

constexpr double kStartDepth = 1e-6;  ///< a robot may start this deep: rounding of numbers in files [m]
constexpr double kOnGround = 1e-9;    ///< a robot that is placed touches the ground this well [m]
constexpr int kMostMoves = 50;        ///< until it does
/// Of what gravity does in a step: impulses that are wrong by this end a step of a heap, after much work.
constexpr double kGoodEnough = 1e-3;

/// @param first number of its first point: a frame may have several entries
void addCandidates(const SceneContact& contact, std::size_t first, Model& model) {
  const FrameIndex frame = atPlace(contact.where, [&] { return model.frame(contact.frame); });
  const Frame& f = model.frames[frame];
  for (std::size_t k = 0; k < contact.points.size(); ++k) {
    const ContactCandidate point{fmt::format("{}[{}]", contact.frame, first + k), frame, f.link,
                                 f.X_LF * contact.points[k], contact.radius};
    if (contact.face == 0.0) {
      model.candidates.push_back(point);
      continue;
    }
    for (int j = 0; j < kFacePoints; ++j) {
      model.candidates.push_back(point);
      model.candidates.back().name += fmt::format("[{}]", j);
      model.candidates.back().face_C = facePoint(contact.face, j);
    }
    model.has_faces = true;
  }
}

bool isRound(const Shape& shape) { return shape.kind == ShapeKind::sphere || shape.kind == ShapeKind::capsule; }

/// Of round shapes; others have faces and edges of their own.
void setFace(double face, Shape& shape, Model& model) {
  if (face == 0.0 || !isRound(shape)) return;
  shape.face = face;
  model.has_faces = true;
}

/// The places of a shape become candidates behind all the others.
void addShape(const std::string& name, FrameIndex frame, LinkIndex link, Shape shape, Model& model) {
  const int first = static_cast<int>(model.candidates.size());
  const int count = maxContactPoints(shape);
  for (int k = 0; k < count; ++k)
    model.candidates.push_back(
        {fmt::format("{}#{}[{}]", name, model.shapes.size(), k), frame, link, shape.X_LS.p, 0.0});
  model.shapes.push_back({frame, link, std::move(shape), first});
}

/// One that meets other bodies, and not the ground.
void addShapeAboveGround(FrameIndex frame, LinkIndex link, Shape shape, Model& model) {
  model.shapes.push_back({frame, link, std::move(shape), static_cast<int>(model.candidates.size())});
  model.shapes.back().meets_ground = false;
}

void addCircles(const SceneContact& contact, Model& model) {
  const FrameIndex frame = atPlace(contact.where, [&] { return model.frame(contact.frame); });
  const Frame f = model.frames[frame];
  for (const Vector3d& point : contact.points) {
    const Pose X_LS = f.X_LF * Pose{rotationWithZ(contact.axis), point};
    addShape(contact.frame, frame, f.link, circleShape(X_LS, contact.circle), model);
  }
}

/// Of a scene without a robot: a link without mass that stays where it is, beside which the bodies are.
LoadedModel nothing() {
  LoadedModel loaded;
  loaded.model.name = "world";
  loaded.model.floating_base = false;
  loaded.model.links.push_back({"world", {}});
  return loaded;
}

LoadedModel readRobotAlone(const Scene& scene) {
  if (scene.robot.model.empty()) return nothing();
  UrdfOptions options;
  options.floating_base = !scene.robot.fixed_base;
  options.joints = scene.robot.joints;
  options.positions = scene.robot.initial;
  // These are not locked: markPrescribedJoints() looks at their names, and names the entry that is wrong.
  for (const ScenePrescribed& prescribed : scene.prescribed) options.positions.erase(prescribed.joint);
  options.massless_links = scene.robot.massless_links;
  return loadModelOf(scene, scene.robot.model, scene.robot.where, options);
}

LoadedModel readRobot(const Scene& scene) {
  LoadedModel loaded = readRobotAlone(scene);
  addBodies(scene, loaded);
  return loaded;
}

/// A position at the start is a part of the robot where it locks the joint.
bool mayBeLocked(const SceneRobot& robot, const std::string& joint) {
  if (robot.joints.empty()) return robot.massless_links == MasslessLinks::ignore;
  return std::find(robot.joints.begin(), robot.joints.end(), joint) == robot.joints.end();
}

/// All that readRobot() looks at: scenes with the same text have the same robot.
std::string robotKey(const Scene& scene) {
  const SceneRobot& robot = scene.robot;
  std::string key = fmt::format("{}\n{}\n{} {}\n", scene.source, robot.model, robot.fixed_base,
                                robot.massless_links == MasslessLinks::ignore);
  for (const std::string& joint : robot.joints) key += "joint " + joint + "\n";
  for (const ScenePrescribed& prescribed : scene.prescribed) key += "prescribed " + prescribed.joint + "\n";
  for (const auto& [joint, position] : robot.initial)
    key += mayBeLocked(robot, joint) ? fmt::format("{} {}\n", joint, position) : joint + "\n";
  for (const BodyCopy& copy : bodiesOf(scene)) {
    const SceneBody& body = *copy.entry;
    key += fmt::format("body {} {} {} {} {} {} {} {} {} {} {}\n", copy.name, body.model, body.shape, body.size.x(),
                       body.size.y(), body.size.z(), body.radius, body.length, body.mass, body.density, body.fixed);
    for (const double x : {copy.X_WB.p.x(), copy.X_WB.p.y(), copy.X_WB.p.z(), body.rpy.x(), body.rpy.y(), body.rpy.z()})
      key += fmt::format("{} ", x);
    for (const auto& [joint, position] : body.initial) key += fmt::format("{} {}\n", joint, position);
  }
  return key;
}

/// The shape of a link's geometry, by its number in the file.
LinkShape shapeOf(const Scene& scene, const LoadedModel& loaded, std::size_t number, const Model& model,
                  MeshHulls& hulls) {
  const int corners = static_cast<int>(scene.collisions.hull_corners);
  const auto make = [&] { return collisionShape(loaded.geometries[number], model, {.max_vertices = corners}, hulls); };
  LoadedRobots* const known = LoadedRobots::inUse();
  if (known == nullptr) return make();
  return known->findShape(fmt::format("{}{} {}", robotKey(scene), number, corners), make);
}

/// The collision shapes of a link, or of all.
/// @param touching links that touch with theirs already
void addShapes(const Scene& scene, const SceneContact& contact, const LoadedModel& loaded,
               std::set<std::string>& touching, MeshHulls& hulls, Model& model) {
  const bool all = contact.frame == "all";
  std::set<std::string> added;
  if (!all) atPlace(contact.where, [&] { return model.frame(contact.frame); });
  bool any = false, any_face = false;
  for (std::size_t k = 0; k < loaded.geometries.size(); ++k) {
    const LinkGeometry& geometry = loaded.geometries[k];
    if (!geometry.collision || (all ? geometry.body != 0 : geometry.link != contact.frame)) continue;
    any = true;
    added.insert(geometry.link);
    if (touching.contains(geometry.link))
      throw Error(
          contact.where,
          fmt::format("the collision shapes of '{}' touch already, by another entry of contacts", geometry.link),
          "name each link once, or `all` alone");
    LinkShape found = shapeOf(scene, loaded, k, model, hulls);
    setFace(contact.face, found.shape, model);
    any_face = any_face || found.shape.face > 0.0;
    addShape(geometry.link, found.frame, found.link, std::move(found.shape), model);
    model.shapes.back().mesh = found.mesh;
  }
  if (contact.face > 0.0 && any && !any_face)
    throw Error(contact.where, fmt::format("'{}' has a face, but no sphere or capsule to touch with", contact.frame),
                "only round collision shapes have one: leave it out");
  if (!any)
    throw Error(contact.where, fmt::format("'{}' has no collision shapes in the model file", contact.frame),
                "give it a footprint instead");
  touching.merge(added);
}

/// Of bodies, and of the robot where it meets them: the shapes that no entry of `contacts` has named.
void addOtherShapes(const Scene& scene, const LoadedModel& loaded, MeshHulls& hulls, Model& model) {
  if (scene.bodies.empty() && !scene.collisions.self) return;
  for (CollisionShape& shape : model.shapes) {
    shape.friction = scene.collisions.friction;
    shape.restitution = scene.collisions.restitution;
  }
  const std::vector<BodyCopy> bodies = bodiesOf(scene);
  const auto isNamed = [&](const LinkGeometry& geometry) {
    return std::any_of(scene.contacts.begin(), scene.contacts.end(), [&](const SceneContact& contact) {
      return contact.collision && (contact.frame == geometry.link || (contact.frame == "all" && geometry.body == 0));
    });
  };
  for (std::size_t k = 0; k < loaded.geometries.size(); ++k) {
    const LinkGeometry& geometry = loaded.geometries[k];
    if (!geometry.collision || isNamed(geometry)) continue;
    LinkShape found = shapeOf(scene, loaded, k, model, hulls);
    if (geometry.body == 0) {
      addShapeAboveGround(found.frame, found.link, std::move(found.shape), model);
      model.shapes.back().mesh = found.mesh;
      model.shapes.back().friction = scene.collisions.friction;
      model.shapes.back().restitution = scene.collisions.restitution;
      continue;
    }
    const SceneBody& entry = *bodies[static_cast<std::size_t>(geometry.body) - 1].entry;
    setFace(entry.face, found.shape, model);
    if (entry.fixed)
      addShapeAboveGround(found.frame, found.link, std::move(found.shape), model);
    else
      addShape(geometry.link, found.frame, found.link, std::move(found.shape), model);
    model.shapes.back().mesh = found.mesh;
    model.shapes.back().friction = entry.friction;
    model.shapes.back().restitution = entry.restitution;
  }
}

void setInitialJoints(const SceneRobot& robot, const Model& model, State& state) {
  for (int i = 0; i < model.jointDofs(); ++i) {
    const auto given = robot.initial.find(model.dofs[i].name);
    if (given != robot.initial.end()) state.joints()[i] = given->second;
  }
}

/// The candidate nearest to the ground, or the one deepest inside.
struct Nearest {
  int candidate = -1;
  SurfacePoint surface;
};

/// @param links those before this one are looked at
Nearest nearestToGround(const State& state, const Model& model, int links, const Terrain& terrain, Dynamics& dynamics) {
  dynamics.update(state.q, state.nu);
  Nearest nearest;
  const auto look = [&](int candidate, const ContactFeature& feature, const Pose& X_WL) {
    const SurfacePoint surface = findContactPlace(feature, X_WL, terrain, state.time).surface;
    if (nearest.candidate < 0 || surface.gap < nearest.surface.gap) nearest = {candidate, surface};
  };
  for (int k = 0; k < model.pointCandidates(); ++k) {
    const ContactCandidate& candidate = model.candidates[k];
    if (candidate.link >= links) continue;
    look(k, {candidate.p_LC, candidate.radius}, dynamics.linkPose(candidate.link));
  }
  std::vector<ContactPoint> points;
  for (const CollisionShape& body : model.shapes) {
    if (!body.meets_ground || body.link >= links) continue;
    const Pose X_WL = dynamics.linkPose(body.link);
    const Pose& X_LS = body.shape.X_LS;
    points.resize(static_cast<std::size_t>(maxContactPoints(body.shape)));
    const Vector3d up_S = (X_WL.R * X_LS.R).transpose() * terrain.at(X_WL * X_LS.p, state.time).R_WC.col(2);
    const int count = contactPoints(body.shape, up_S, points);
    for (const ContactPoint& point : std::span(points).first(static_cast<std::size_t>(count))) {
      ContactFeature feature{X_LS * point.p_S, point.radius};
      if (point.kind == ContactPoint::Kind::rim) feature.axis_L = X_LS.R.col(2);
      look(body.first_candidate + point.feature, feature, X_WL);
    }
  }
  return nearest;
}

/// The ground that a point would fall on; where nothing is below, the nearest.
SurfacePoint groundBelow(const Vector3d& position, const Vector3d& gravity, const Terrain& terrain) {
  const SurfacePoint nearest = terrain.at(position, 0.0);
  const Vector3d up = gravity.isZero(0.0) ? Vector3d::UnitZ() : Vector3d(-gravity.normalized());
  Vector3d p = position;
  for (int k = 0; k < kMostMoves; ++k) {
    const SurfacePoint surface = terrain.at(p, 0.0);
    if (std::abs(surface.gap) < kOnGround) return surface;
    p -= surface.gap * up;  // never farther than the distance, so that nothing is jumped over
  }
  return nearest;
}

/// Turns the base with the ground below it, and moves it along the normal there until the first candidate touches.
void placeOnGround(const SceneRobot& robot, const Model& model, const Terrain& terrain, Dynamics& dynamics,
                   State& state) {
  if (model.candidates.empty())
    throw Error(robot.where, "base.on_ground is set, but the scene names no contacts",
                "add contacts: - {frame: …, footprint: …}");
  const Matrix3d R_WG = groundBelow(robot.base_position, model.gravity, terrain).R_WC;
  state.setBasePose({R_WG * rotationFromRollPitchYaw(robot.base_rpy), robot.base_position});
  const Vector3d up = R_WG.col(2);
  // Once is enough for a plane; curved ground and edges take more.
  for (int k = 0; k < kMostMoves; ++k) {
    const SurfacePoint surface = nearestToGround(state, model, treesOf(model)[0].links_end, terrain, dynamics).surface;
    constexpr double kSteepest = 0.5;  // a move is at most twice the gap: walls beside the robot tell nothing about up
    state.q.head<3>() -= surface.gap / std::max(surface.R_WC.col(2).dot(up), kSteepest) * up;
    if (std::abs(surface.gap) < kOnGround) return;
  }
  throw Error(robot.where, "base.on_ground finds no place for the robot on the ground below base.position",
              "choose another base.position, or leave on_ground out");
}

void refusePenetration(const Scene& scene, const State& state, const Model& model, const Terrain& terrain,
                       Dynamics& dynamics) {
  if (model.candidates.empty()) return;
  const Nearest nearest = nearestToGround(state, model, static_cast<int>(model.links.size()), terrain, dynamics);
  if (nearest.candidate < 0 || nearest.surface.gap >= -kStartDepth) return;
  const ContactCandidate& candidate = model.candidates[nearest.candidate];
  const bool of_robot = candidate.link < treesOf(model)[0].links_end;
  const std::string who = of_robot ? "the robot" : fmt::format("the body '{}'", model.links[candidate.link].name);
  throw Error(whereOf(scene, model, candidate.link),
              fmt::format("{} starts inside the ground: contact '{}' is {:.3g} mm deep", who, candidate.name,
                          -1e3 * nearest.surface.gap),
              of_robot ? "raise base.position, or let base: {on_ground: true} place the robot" : "raise its position");
}

/// Where the scene puts the robot, whether its loops close there or not.
State placeRobot(const SceneRobot& robot, const Model& model, const Terrain& terrain, Dynamics& dynamics) {
  State state = makeState(model);
  setInitialJoints(robot, model, state);
  state.setBasePose({rotationFromRollPitchYaw(robot.base_rpy), robot.base_position});
  if (robot.on_ground) placeOnGround(robot, model, terrain, dynamics, state);
  return state;
}

/// The same with the bodies beside it.
State placeAll(const Scene& scene, const Model& model, const Terrain& terrain, Dynamics& dynamics) {
  State state = placeRobot(scene.robot, model, terrain, dynamics);
  placeBodies(scene, model, state);
  return state;
}

/// Names the link and its line: a step would only find numbers that are not finite.
void refuseSingularInertia(const Scene& scene, const State& start, const LoadedModel& loaded, Dynamics& dynamics) {
  const double held = scene.hold.enabled ? 1.0 : 0.0;  // the springs of a posture resist, too
  dynamics.update(start.q, start.nu);
  for (int k = 0; k < dynamics.treeCount(); ++k) {
    const Dynamics& tree = dynamics.tree(k);
    VectorXd damping(tree.model().jointDofs());
    for (int i = 0; i < tree.model().jointDofs(); ++i)
      damping[i] = scene.physics.step * (tree.model().dofs[i].damping + held);
    const auto singular = findSingularInertia(tree, damping);
    if (!singular) continue;
    const auto place = loaded.link_places.find(singular->link);
    throw Error(place == loaded.link_places.end() ? loaded.source : place->second,
                fmt::format("link '{}': no inertia resists a motion of {}", singular->link, singular->mover),
                "give it moments of inertia (ixx, iyy, izz) above zero, or its joint some damping");
  }
}

/// "robot.urdf:12", not "robot.urdf".
bool namesALine(const std::string& where) {
  const std::size_t colon = where.rfind(':');
  return colon != std::string::npos && colon + 1 < where.size() &&
         where.find_first_not_of("0123456789", colon + 1) == std::string::npos;
}

}  // namespace

LoadedModel loadModelOf(const Scene& scene, const std::string& model, const std::string& where, UrdfOptions options) {
  options.resources = ResourcePath::standard({std::filesystem::path(scene.source).parent_path()});
  try {
    return loadUrdf(model, options);
  } catch (const Error& e) {
    // Errors inside of the model file name its line; a file that is not there is an error of the scene, and so are
    // joints that the scene names and the file does not have.
    if (namesALine(e.where())) throw;
    throw Error(where, e.where().empty() ? e.problem() : fmt::format("{}: {}", e.where(), e.problem()), e.hint());
  }
}

LoadedModel loadRobot(const Scene& scene) {
  LoadedRobots* const known = LoadedRobots::inUse();
  if (known == nullptr) return readRobot(scene);
  return known->find(robotKey(scene), [&] { return readRobot(scene); });
}

Model buildModel(const Scene& scene, std::vector<std::string>& warnings) {
  LoadedModel loaded = loadRobot(scene);
  for (const Warning& warning : loaded.warnings) warnings.push_back(warning.where + ": " + warning.what);
  Model model = std::move(loaded.model);
  model.gravity = scene.physics.gravity;
  std::map<std::string, std::size_t> points;
  for (const SceneContact& contact : scene.contacts) {
    if (contact.collision || contact.circle > 0.0) continue;
    addCandidates(contact, points[contact.frame], model);
    points[contact.frame] += contact.points.size();
  }
  std::set<std::string> touching;
  MeshHulls hulls;
  for (const SceneContact& contact : scene.contacts) {
    if (contact.collision) addShapes(scene, contact, loaded, touching, hulls, model);
    if (contact.circle > 0.0) addCircles(contact, model);
  }
  addOtherShapes(scene, loaded, hulls, model);
  setCollisions(scene, model, warnings);
  addActuators(scene.actuators, model);
  markPrescribedJoints(scene, model);
  checkJointUnits(scene, model);
  const std::unique_ptr<Dynamics> dynamics = makeDynamics("native", model);
  State start = placeAll(scene, model, *buildTerrain(scene), *dynamics);
  refuseSingularInertia(scene, start, loaded, *dynamics);
  addLoops(scene.loops, start, model);
  if (scene.springs.empty()) return model;
  closeAtStart(scene.robot, model, start);
  addPointSprings(scene.springs, start, model);
  return model;
}

Settings buildSettings(const ScenePhysics& physics) {
  Settings settings;
  settings.step = physics.step;
  settings.engine = physics.engine;
  settings.solver = physics.solver;
  settings.integrator = physics.integrator;
  settings.contact.model = physics.contact;
  const bool cone = physics.friction_law.empty() ? physics.contact != "gauss" : physics.friction_law == "cone";
  settings.contact.law = cone ? FrictionLaw::cone : FrictionLaw::pyramid;
  settings.contact.solver.tolerance = physics.tolerance;
  settings.contact.solver.acceptable = physics.acceptable;
  settings.contact.solver.good_enough = kGoodEnough * physics.gravity.norm() * physics.step;
  settings.contact.compliance = {physics.stiffness, physics.dissipation, physics.stiction_velocity};
  return settings;
}

State buildState(const Scene& scene, const Model& model, const Terrain& terrain, Dynamics& dynamics) {
  const SceneRobot& robot = scene.robot;
  State state = placeAll(scene, model, terrain, dynamics);
  closeAtStart(robot, model, state);
  if (robot.on_ground && !model.loops.empty() && !tiedToWorld(model))
    placeOnGround(robot, model, terrain, dynamics, state);
  if (scene.collisions.separate_start) separateStart(model, terrain, dynamics, state);
  refusePenetration(scene, state, model, terrain, dynamics);
  refuseOverlap(scene, state, model, dynamics);
  if (model.floating_base) state.nu.head<6>() << robot.base_velocity, robot.base_angular_velocity;
  setInitialVelocities(robot, model, state);
  return state;
}

}  // namespace footfall
