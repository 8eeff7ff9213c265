#include "footfall/scene/world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "footfall/actuator/actuators.hpp"
#include "footfall/model/limits.hpp"
#include "footfall/scene/internal/scene_setup.hpp"
#include "footfall/scene/internal/terrain_setup.hpp"
#include "footfall/step/integrator.hpp"
#include "footfall/step/internal/light_links.hpp"
#include "scene/actuator_setup.hpp"
#include "scene/at_place.hpp"
#include "scene/loop_setup.hpp"
#include "scene/posture.hpp"
#include "scene/prescribed_setup.hpp"
#include "scene/spring_setup.hpp"

namespace footfall {
namespace {

/// Under what they carry light links swing faster than a step can follow; only steps of second order with our own
/// engine keep that from becoming energy.
void warnOfLightLinks(const Body& body, const Scene& scene, const Settings& settings, Dynamics& dynamics,
                      std::vector<std::string>& warnings) {
  constexpr double kGainsEnergy = 4.0;  // (Δt ω)²
  if (settings.integrator == "second_order" && settings.contact.model == "rigid" && settings.engine == "native") return;
  const std::vector<LightLink> links = lightLinks(body.model, settings.step, dynamics);
  const auto worst = std::max_element(links.begin(), links.end(),
                                      [](const LightLink& a, const LightLink& b) { return a.stiffness < b.stiffness; });
  if (worst == links.end() || worst->stiffness <= kGainsEnergy) return;
  const double swing = std::sqrt(worst->stiffness) / settings.step;
  warnings.push_back(fmt::format(
      "{}: the link '{}' is light for what it may carry: it swings with up to {:.2g} rad/s, of which steps of "
      "{} s make energy; take integrator: second_order with contact: rigid and engine: native, steps below "
      "{:.2g} s, or a heavier link",
      scene.physics.where, body.model.links[worst->link].name, swing, settings.step, std::sqrt(kGainsEnergy) / swing));
}

/// A robot in a file has shapes that touch; in a scene only what `contacts` names does. Whoever forgets them sees the
/// robot fall through the ground.
void warnOfNoContacts(const Model& model, const Scene& scene, std::vector<std::string>& warnings) {
  const bool held = !scene.loops.empty() || !scene.springs.empty() || scene.physics.gravity.isZero(0.0);
  if (!model.floating_base || !scene.contacts.empty() || held) return;
  warnings.push_back(scene.robot.where +
                     ": nothing of the robot touches the ground: `contacts` is missing; "
                     "contacts: [{frame: all, collision: true}] takes all of its collision shapes");
}

/// On level ground alone, of which there is one: elsewhere the height says on which one it comes to stand.
void warnOfUnreadHeight(const Scene& scene, std::vector<std::string>& warnings) {
  const SceneRobot& robot = scene.robot;
  const SceneGround& ground = scene.ground;
  const bool level = ground.shape == "plane" && ground.incline == 0.0 && ground.translations.empty() &&
                     ground.rotations.empty() && scene.more_ground.empty();
  if (!robot.on_ground || !level || robot.base_position.z() == 0.0) return;
  warnings.push_back(
      fmt::format("{}: robot.base.position: its height, {} m, is not read: on_ground: true moves the base until it "
                  "touches the ground",
                  robot.where, robot.base_position.z()));
}

/// A compliant contact bounces as its dissipation says.
void warnOfRestitution(const Scene& scene, std::vector<std::string>& warnings) {
  if (scene.physics.contact != "compliant") return;
  double largest = std::max(scene.ground.restitution, scene.collisions.restitution);
  for (const SceneGround& ground : scene.more_ground) largest = std::max(largest, ground.restitution);
  for (const SceneBody& body : scene.bodies) largest = std::max(largest, body.restitution);
  for (const SceneCollisionPair& pair : scene.collisions.pairs) largest = std::max(largest, pair.restitution);
  if (largest > 0.0)
    warnings.push_back(scene.physics.where +
                       ": `restitution` is not read with contact: compliant, whose bounces follow from `dissipation`");
}

/// Keys that belong to another contact model: one line is to be enough to compare models, so this is no error.
void warnOfUnreadPhysics(const Scene& scene, std::vector<std::string>& warnings) {
  const ScenePhysics& physics = scene.physics;
  const bool ties = std::any_of(scene.loops.begin(), scene.loops.end(), [](const SceneLoop& l) { return l.isTie(); });
  std::vector<std::string> unread;
  if (physics.contact == "rigid" || physics.contact == "gauss")
    unread = {"stiffness", "dissipation", "stiction_velocity"};
  else if (physics.contact == "compliant" && !ties)  // making a tie is an impact
    unread = {"friction_law", "solver", "tolerance", "acceptable"};
  for (const std::string& key : physics.given)
    if (std::find(unread.begin(), unread.end(), key) != unread.end())
      warnings.push_back(
          fmt::format("{}: physics.{} is not read with contact: {}", physics.where, key, physics.contact));
}

/// Parts that are not there, or do not fit together, are errors of the scene.
void checkParts(const ScenePhysics& physics, const Settings& settings) {
  try {
    validate(settings);
    const std::unique_ptr<ContactModel> contact = makeContactModel(settings.contact);
    const std::unique_ptr<ContactSolver> solver = makeContactSolver(settings.solver);
    makeIntegrator(settings.integrator);
    if (contact->hasImpacts() && physics.contact != "gauss") requireSupport(*solver, settings.contact.law);
  } catch (const Error& e) {
    throw Error(physics.where, e.where().empty() ? e.problem() : fmt::format("{}: {}", e.where(), e.problem()),
                e.hint());
  }
}

/// What is odd about where a body starts; the engine is moved there.
void warnOfStart(const Body& body, const Scene& scene, Dynamics& dynamics, std::vector<std::string>& warnings) {
  warnOfNoContacts(body.model, scene, warnings);
  warnOfUnreadHeight(scene, warnings);
  const SceneRobot& robot = scene.robot;
  if (robot.fixed_base && !(robot.base_velocity.isZero(0.0) && robot.base_angular_velocity.isZero(0.0)))
    warnings.push_back(robot.where + ": robot.base is fixed: its velocity is not read");
  const std::string outside = jointsOutsideLimits(body.model, body.start);
  if (!outside.empty())
    warnings.push_back(
        fmt::format("{}: at the start {}: they may come back, but nothing pushes them; set robot.initial",
                    scene.robot.where, outside));
  if (scene.springs.empty()) return;
  dynamics.update(body.start.q, body.start.nu);
  for (std::string& warning : springsTooStiff(scene, body.model, dynamics)) warnings.push_back(std::move(warning));
}

/// Torques that carry the weight on the contacts of the start.
VectorXd carryingTorque(const Body& body, const World& world, Dynamics& dynamics) {
  std::vector<ContactFrame> frames;
  std::vector<ActiveContact> active;
  ContactDetector(body.model)
      .detect(*world.terrain, body.start.time, {.step = world.settings.step}, body.start.q, body.start.nu, dynamics,
              frames, active);
  // A face carries like a point: forces of its middle alone.
  for (std::size_t i = 0; i < active.size(); ++i) {
    if (!active[i].feature.isOfFace() || active[i].isOfTwoShapes()) continue;
    const Vector3d face_W = frames[i].R_WC * active[i].feature.face_C;
    frames[i].p_LC -= dynamics.linkPose(frames[i].link).R.transpose() * face_W;
  }
  dynamics.setContacts(frames);
  return holdingTorque(world.scene.hold, body.model, static_cast<int>(active.size()), dynamics);
}

Posture buildPosture(const Body& body, const World& world, Dynamics& dynamics) {
  const SceneHold& hold = world.scene.hold;
  checkHold(hold, body.model);
  Posture posture;
  posture.by_motors = jointsWithRealMotors(body.model);
  posture.torque = VectorXd::Zero(body.model.jointDofs());
  posture.held = hold.enabled;
  if (hold.enabled) {
    dynamics.update(body.start.q, body.start.nu);
    posture.springs = holdingSprings(hold, body.model, body.start, dynamics);
    lowerGainsToMotors(hold, body.model, world.settings.step, dynamics, posture.springs);
    if (hold.gravity_compensation) posture.torque = carryingTorque(body, world, dynamics);
  }
  const SceneTorques& torques = world.scene.torques;
  for (const auto& [name, torque] : torques.joints) {
    const DofIndex dof = atPlace(torques.where, [&, &joint = name] { return body.model.dof(joint); });
    if (body.model.dofs[dof].prescribed)
      throw Error(torques.where, fmt::format("torques names '{}', whose motion is prescribed", name),
                  "its motion is given, so a torque has nothing to do: remove one");
    posture.torque[dof] += torque;
  }
  return posture;
}

/// Ties of the start carry forces as loops do.
Posture postureOfTied(const Body& body, const World& world) {
  Body tied = body;
  tied.model = withTies(body.model, body.start.ties);
  return buildPosture(tied, world, *makeDynamics(world.settings.engine, tied.model));
}

}  // namespace

void Posture::springsAtJoints(JointSprings& at_joints) const {
  at_joints = springs;
  if (!held) return;
  for (const DofIndex dof : by_motors) at_joints.stiffness[dof] = at_joints.damping[dof] = 0.0;
}

void Posture::addCommands(const Eigen::Ref<const VectorXd>& s, const Eigen::Ref<const VectorXd>& s_dot,
                          Eigen::Ref<VectorXd> command) const {
  if (!held) return;
  for (const DofIndex dof : by_motors)
    command[dof] += springs.stiffness[dof] * (springs.target[dof] - s[dof]) - springs.damping[dof] * s_dot[dof];
}

Input Body::makeInput() const {
  Input input = footfall::makeInput(model);
  if (model.hasPrescribedJoints()) input.position = start.joints();
  return input;
}

std::shared_ptr<const World> buildWorld(const Scene& scene) {
  auto world = std::make_shared<World>();
  world->scene = placePrescribedJoints(scene);
  Body& robot = world->bodies.emplace_back();
  robot.model = buildModel(world->scene, world->warnings);
  world->terrain = buildTerrain(world->scene);
  world->settings = buildSettings(world->scene.physics);
  checkParts(world->scene.physics, world->settings);
  warnOfRestitution(world->scene, world->warnings);
  warnOfUnreadPhysics(world->scene, world->warnings);
  const std::unique_ptr<Dynamics> dynamics =
      atPlace(world->scene.physics.where, [&] { return makeDynamics(world->settings.engine, robot.model); });
  robot.prescribed = PrescribedJoints(world->scene, robot.model);
  robot.pushes = resolvePushes(world->scene, robot.model);
  robot.start = buildState(world->scene, robot.model, *world->terrain, *dynamics);
  if (robot.model.hasPrescribedJoints()) robot.prescribed.start(robot.start, *dynamics);
  warnOfStart(robot, world->scene, *dynamics, world->warnings);
  warnOfLightLinks(robot, world->scene, world->settings, *dynamics, world->warnings);
  robot.ties = resolveTies(world->scene.loops, robot.model);
  if (!robot.ties.empty()) {
    Workspace workspace(robot.model, *world->terrain, world->settings);
    followTies(robot.ties, world->settings.step, robot.start, workspace);
  }
  robot.posture = robot.start.ties.empty() ? buildPosture(robot, *world, *dynamics) : postureOfTied(robot, *world);
  Actuators(robot.model, world->settings.step).settle(robot.posture.torque, robot.start);
  return world;
}

std::shared_ptr<const World> onGround(const World& world, std::shared_ptr<const Terrain> ground) {
  auto other = std::make_shared<World>(world);
  other->terrain = std::move(ground);
  return other;
}

}  // namespace footfall
