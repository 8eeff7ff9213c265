#include "simulate/scene_setup.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "footfall/base/error.hpp"
#include "footfall/model_io/urdf.hpp"
#include "simulate/actuator_setup.hpp"

namespace footfall {
namespace {

constexpr double kStartDepth = 1e-6;  ///< a robot may start this deep: rounding of numbers in files [m]

/// Runs a look-up by name and adds the place in the scene to its error.
template <class Find>
auto lookUp(const std::string& where, Find find) {
  try {
    return find();
  } catch (const Error& e) {
    throw Error(where, e.problem(), e.hint());
  }
}

/// Errors inside of the model file name its line; only a file that is not there is an error of the scene.
LoadedModel loadRobot(const SceneRobot& robot, const UrdfOptions& options) {
  try {
    return loadUrdf(robot.model, options);
  } catch (const Error& e) {
    if (!e.where().empty()) throw;
    throw Error(robot.where, e.problem(), e.hint());
  }
}

void addCandidates(const SceneContact& contact, Model& model) {
  const FrameIndex frame = lookUp(contact.where, [&] { return model.frame(contact.frame); });
  for (std::size_t k = 0; k < contact.points.size(); ++k) {
    const Frame& f = model.frames[frame];
    model.candidates.push_back(
        {fmt::format("{}[{}]", contact.frame, k), frame, f.link, f.X_LF * contact.points[k], contact.radius});
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

Nearest nearestToGround(const State& state, const Model& model, const Terrain& terrain, Dynamics& dynamics) {
  dynamics.update(state.q, state.nu);
  Nearest nearest;
  for (int k = 0; k < static_cast<int>(model.candidates.size()); ++k) {
    const ContactCandidate& candidate = model.candidates[k];
    SurfacePoint surface = terrain.at(dynamics.linkPose(candidate.link) * candidate.p_LC, state.time);
    surface.gap -= candidate.radius;
    if (nearest.candidate < 0 || surface.gap < nearest.surface.gap) nearest = {k, surface};
  }
  return nearest;
}

/// Turns the base with the ground below it, and moves it along the normal until the first candidate touches.
void placeOnGround(const SceneRobot& robot, const Model& model, const Terrain& terrain, Dynamics& dynamics,
                   State& state) {
  if (model.candidates.empty())
    throw Error(robot.where, "base.on_ground is set, but the scene names no contacts",
                "add contacts: - {frame: …, footprint: …}");
  const Matrix3d R_WG = terrain.at(robot.base_position, 0.0).R_WC;
  state.setBasePose({R_WG * rotationFromRollPitchYaw(robot.base_rpy), robot.base_position});
  // Once is enough for a plane; the second time takes away the rounding of the first.
  for (int k = 0; k < 2; ++k) {
    const Nearest nearest = nearestToGround(state, model, terrain, dynamics);
    state.q.head<3>() -= nearest.surface.gap * nearest.surface.R_WC.col(2);
  }
}

void refusePenetration(const SceneRobot& robot, const State& state, const Model& model, const Terrain& terrain,
                       Dynamics& dynamics) {
  if (model.candidates.empty()) return;
  const Nearest nearest = nearestToGround(state, model, terrain, dynamics);
  if (nearest.surface.gap >= -kStartDepth) return;
  throw Error(robot.where,
              fmt::format("the robot starts inside the ground: contact '{}' is {:.3g} mm deep",
                          model.candidates[nearest.candidate].name, -1e3 * nearest.surface.gap),
              "raise base.position, or let base: {on_ground: true} place the robot");
}

}  // namespace

Model buildModel(const Scene& scene, std::vector<std::string>& warnings) {
  UrdfOptions options;
  options.floating_base = !scene.robot.fixed_base;
  options.joints = scene.robot.joints;
  options.positions = scene.robot.initial;
  options.massless_links = scene.robot.massless_links;
  options.resources = ResourcePath::standard({std::filesystem::path(scene.source).parent_path()});
  LoadedModel loaded = loadRobot(scene.robot, options);
  for (const Warning& warning : loaded.warnings) warnings.push_back(warning.where + ": " + warning.what);
  Model model = std::move(loaded.model);
  model.gravity = scene.physics.gravity;
  for (const SceneContact& contact : scene.contacts) addCandidates(contact, model);
  addActuators(scene.actuators, model);
  return model;
}

std::unique_ptr<Terrain> buildTerrain(const SceneGround& ground) {
  // The normal leans towards the side on which the plane descends.
  const Vector3d normal(std::sin(ground.incline) * std::cos(ground.heading),
                        std::sin(ground.incline) * std::sin(ground.heading), std::cos(ground.incline));
  return std::make_unique<Plane>(ground.point, normal, ground.friction, ground.restitution);
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
  settings.contact.compliance = {physics.stiffness, physics.dissipation, physics.stiction_velocity};
  return settings;
}

State buildState(const Scene& scene, const Model& model, const Terrain& terrain, Dynamics& dynamics) {
  const SceneRobot& robot = scene.robot;
  State state = makeState(model);
  setInitialJoints(robot, model, state);
  state.setBasePose({rotationFromRollPitchYaw(robot.base_rpy), robot.base_position});
  if (robot.on_ground) placeOnGround(robot, model, terrain, dynamics, state);
  refusePenetration(robot, state, model, terrain, dynamics);
  if (model.floating_base) state.nu.head<6>() << robot.base_velocity, robot.base_angular_velocity;
  return state;
}

}  // namespace footfall
