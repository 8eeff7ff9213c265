#include "scene/scene_keys.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "footfall/diagram_file/internal/diagram_keys.hpp"
#include "scene/actuator_keys.hpp"
#include "scene/body_keys.hpp"
#include "scene/ground_keys.hpp"
#include "scene/joint_units.hpp"
#include "scene/loop_keys.hpp"
#include "scene/prescribed_keys.hpp"
#include "scene/spring_keys.hpp"
#include "scene/view_keys.hpp"

namespace footfall {
namespace {

/// One component of a vector, as a key of its own.
template <class S>
Field<S> componentField(std::string name, Vector3d S::*member, int component, Quantity quantity, std::string help) {
  return {std::move(name), std::move(help), numberSchema(quantity),
          [=](const SceneValue& value, S& section) { (section.*member)[component] = value.number(quantity); }};
}

FieldTable<SceneRobot> baseFields() {
  using enum Quantity;
  return {
      flagField("fixed", &SceneRobot::fixed_base, "true: the base is bolted to the world; default: false, it floats"),
      flagField("on_ground", &SceneRobot::on_ground,
                "true: move the base until the lowest contact touches the ground below `position`, whose height says "
                "no more than which ground that is"),
      vectorField("position", &SceneRobot::base_position, length, "of the base in the world [m]"),
      vectorField("rpy", &SceneRobot::base_rpy, angle,
                  "roll, pitch and yaw together; single ones replace its numbers [rad]"),
      componentField("roll", &SceneRobot::base_rpy, 0, angle, "about the world's x, applied first [rad]"),
      componentField("pitch", &SceneRobot::base_rpy, 1, angle, "about the world's y, applied second [rad]"),
      componentField("yaw", &SceneRobot::base_rpy, 2, angle, "about the world's z, applied last [rad]"),
      vectorField("velocity", &SceneRobot::base_velocity, speed, "of the base, world axes [m/s]"),
      vectorField("angular_velocity", &SceneRobot::base_angular_velocity, turn_rate, "of the base, world axes [rad/s]"),
  };
}

/// A single angle counts whether it stands before `rpy` or behind: `--set robot.base.yaw=…` turns any robot.
void replaceSingleAngles(const SceneValue& base, SceneRobot& robot) {
  const std::vector<std::string> angles = {"roll", "pitch", "yaw"};
  for (const auto& [key, entry] : base.entries())
    if (const auto found = std::find(angles.begin(), angles.end(), key); found != angles.end())
      robot.base_rpy[found - angles.begin()] = entry.number(Quantity::angle);
}

Field<SceneRobot> jointsField() {
  return {"joints", "joints that move, in the order of the coordinates; the others are locked; default: all",
          listSchema(R"("type": "string")"), [](const SceneValue& value, SceneRobot& robot) {
            robot.joints = readTexts(value);
            if (robot.joints.empty()) throw value.error("is empty", "leave it out to keep all joints");
          }};
}

Field<SceneRobot> masslessField() {
  const std::vector<std::string> choices = {"error", "ignore"};
  return {"massless_links", "what to do with joints that move no mass: refuse the model, or lock them",
          choiceSchema(choices), [=](const SceneValue& value, SceneRobot& robot) {
            robot.massless_links =
                readChoice(value, choices) == "ignore" ? MasslessLinks::ignore : MasslessLinks::error;
          }};
}

FieldTable<SceneRobot> robotFields() {
  return {
      required(textField("model", &SceneRobot::model, "URDF: a path, package://…, model://… or a short name")),
      jointsField(),
      withJointUnits(numberMapField("initial", &SceneRobot::initial, Quantity::position, {},
                                    "joint positions at the start, also of locked joints; 0 if not named [rad or m]")),
      withJointUnits(numberMapField(
          "initial_velocity", &SceneRobot::initial_velocity, Quantity::joint_rate, {},
          "joint velocities at the start; 0 if not named, or what closed loops make of it [rad/s or m/s]")),
      groupField("base", baseFields(), "where the robot starts", replaceSingleAngles),
      masslessField(),
      flagField(
          "assemble", &SceneRobot::assemble,
          "true: loops that are open at the start are closed, first by joints that `initial` does not name; false: "
          "refused"),
  };
}

Vector3d readPoint(const SceneValue& value) {
  const std::vector<SceneValue> items = value.items();
  if (items.size() != 2 && items.size() != 3)
    throw value.error(fmt::format("has {} entries, expected [x, y] or [x, y, z]", items.size()));
  Vector3d point = Vector3d::Zero();
  for (std::size_t i = 0; i < items.size(); ++i) point[static_cast<int>(i)] = items[i].number(Quantity::length);
  return point;
}

Field<SceneContact> footprintField() {
  const std::string point =
      fmt::format(R"("type": "array", "minItems": 2, "maxItems": 3, "items": {{{}}})", numberSchema(Quantity::length));
  return {"footprint", "points in the frame, [x, y] or [x, y, z]; default: its origin [m]",
          listSchema(point) + ", \"minItems\": 1", [](const SceneValue& value, SceneContact& contact) {
            contact.points.clear();
            for (const SceneValue& item : value.items()) contact.points.push_back(readPoint(item));
            if (contact.points.empty()) throw value.error("is empty, expected at least one point");
          }};
}

/// The axis of a wheel: mostly one of the frame's own.
Field<SceneContact> wheelAxisField() {
  const std::vector<std::string> letters = {"x", "y", "z"};
  return {"axis", "of the circle, in the frame: x, y, z or a vector; default: y",
          fmt::format(R"("anyOf": [{{{}}}, {{{}}}])", choiceSchema(letters), vectorSchema(Quantity::plain)),
          [=](const SceneValue& value, SceneContact& contact) {
            if (value.isList())
              contact.axis = readVector(value, Quantity::plain);
            else
              contact.axis = Vector3d::Unit(readChoice(value, letters).front() - 'x');
            if (!(contact.axis.norm() > 0.0)) throw value.error("has no direction");
            contact.axis.normalize();
          }};
}

FieldTable<SceneContact> contactFields() {
  return {
      required(textField("frame", &SceneContact::frame, "link of the URDF; with collision also `all`")),
      flagField("collision", &SceneContact::collision,
                "true: the link's collision shapes touch, meshes as their convex hulls; default: the footprint"),
      footprintField(),
      numberField("radius", &SceneContact::radius, Quantity::length, atLeast(0.0),
                  "of a sphere around each point; 0: a point [m]"),
      numberField("face", &SceneContact::face, Quantity::length, atLeast(0.0),
                  "radius of the small face that each point, sphere or end of a capsule touches with: it resists "
                  "turning with friction times force times this; 0: a point [m]"),
      numberField("circle", &SceneContact::circle, Quantity::length, positive(),
                  "radius of a circle around each point that rolls as a wheel with a sharp edge [m]"),
      wheelAxisField(),
  };
}

void checkContactKeys(const SceneValue& value, SceneContact& contact) {
  if (value.has("axis") && contact.circle == 0.0)
    throw value.keyError("axis", "is given, but no circle",
                         "a wheel has both: {circle: 0.1, axis: x}; balls (radius) turn about every axis");
  if (!contact.collision) return;
  for (const char* key : {"footprint", "radius"})
    refuseBeside(
        value, key, "collision",
        "with collision: true the shapes of the model touch; points of your own are another entry of the list");
}

FieldTable<ScenePhysics> physicsFields() {
  using enum Quantity;
  return {
      choiceOrPluginField("engine", &ScenePhysics::engine, {"native", "pinocchio", "idyntree"}, "engine",
                          "native (default), or the name of a plug-in (pinocchio, idyntree)"),
      choiceOrPluginField("contact", &ScenePhysics::contact, {"rigid", "gauss", "compliant"}, "contact",
                          "contact model, or the name of a plug-in; default: rigid"),
      choiceField("friction_law", &ScenePhysics::friction_law, {"cone", "pyramid"},
                  "default: cone for rigid, pyramid for gauss"),
      choiceOrPluginField("solver", &ScenePhysics::solver, {"native", "proxqp", "osqp", "qpoases", "daqp"}, "solver",
                          "native (default), or the name of a plug-in (proxqp, osqp, qpoases, daqp)"),
      choiceOrPluginField("integrator", &ScenePhysics::integrator,
                          {"second_order", "semi_implicit_euler", "explicit_euler", "rk4", "midpoint"}, "integrator",
                          "how the state moves on, or the name of a plug-in; default: second_order"),
      numberField("step", &ScenePhysics::step, time, positive(), "length of a step; default: 1 ms [s]"),
      vectorField("gravity", &ScenePhysics::gravity, acceleration, "in the world; default: [0, 0, -9.81] [m/s²]"),
      numberField("tolerance", &ScenePhysics::tolerance, plain, positive(),
                  "wanted residual of the contact solver; default: 1e-10 [m/s]"),
      numberField("acceptable", &ScenePhysics::acceptable, plain, positive(),
                  "largest residual that does not stop the run; default: 1e-6 [m/s]"),
      numberField("stiffness", &ScenePhysics::stiffness, plain, positive(),
                  "of the compliant model, each point; default: 1e5 [N/m]"),
      numberField("dissipation", &ScenePhysics::dissipation, plain, atLeast(0.0),
                  "of the compliant model; default: 1 [s/m]"),
      numberField("stiction_velocity", &ScenePhysics::stiction_velocity, speed, positive(),
                  "below it the compliant model sticks softly; default: 1e-3 [m/s]"),
  };
}

Field<SceneHold> heldJointsField() {
  return {"joints", "joints that are held; the others have no motor; default: all", listSchema(R"("type": "string")"),
          [](const SceneValue& value, SceneHold& hold) {
            hold.joints = readTexts(value);
            if (hold.joints.empty())
              throw value.error("is empty", "leave it out to hold all joints, or set enabled: false");
          }};
}

FieldTable<SceneHold> holdFields() {
  using enum Quantity;
  return {
      flagField("enabled", &SceneHold::enabled,
                "false: the joints hang free; default: true, also where `hold` is left out"),
      heldJointsField(),
      numberField("stiffness", &SceneHold::stiffness, plain, atLeast(0.0),
                  "of every joint; default: from mass and size [N m/rad or N/m]"),
      numberField("damping", &SceneHold::damping, plain, atLeast(0.0),
                  "of every joint; default: from mass and size [N m s/rad or N s/m]"),
      numberMapField("joint_stiffness", &SceneHold::joint_stiffness, plain, atLeast(0.0),
                     "for single joints [N m/rad or N/m]"),
      numberMapField("joint_damping", &SceneHold::joint_damping, plain, atLeast(0.0),
                     "for single joints [N m s/rad or N s/m]"),
      withJointUnits(numberMapField("target", &SceneHold::target, position, {},
                                    "where single joints are held; default: where they start [rad or m]")),
      flagField("gravity_compensation", &SceneHold::gravity_compensation,
                "true: constant torques hold the initial posture on its contacts; default: true"),
  };
}

FieldTable<ScenePush> pushFields() {
  using enum Quantity;
  return {
      required(textField("link", &ScenePush::link, "a link or any frame; the force acts at its origin")),
      vectorField("force", &ScenePush::force, force, "world axes [N]"),
      vectorField("moment", &ScenePush::moment, moment, "world axes [N m]"),
      numberField("start", &ScenePush::start, time, atLeast(0.0), "when it begins [s]"),
      required(numberField("duration", &ScenePush::duration, time, positive(), "how long it lasts [s]")),
  };
}

Field<Scene> torquesField() {
  return {"torques", "joint torques or forces that act all the time, as commands of motors where there are [N m or N]",
          numberMapSchema(Quantity::plain), [](const SceneValue& value, Scene& scene) {
            scene.torques = {value.where(), readNumberMap(value, Quantity::plain)};
          }};
}

/// A number for all components of a quantity, or a list with one for each.
std::vector<double> readComponents(const SceneValue& value) {
  if (!value.isList()) return {value.number(Quantity::plain)};
  std::vector<double> numbers;
  for (const SceneValue& item : value.items()) numbers.push_back(item.number(Quantity::plain));
  return numbers;
}

Field<SceneSensor> biasField() {
  const std::string number = numberSchema(Quantity::plain);
  return {"bias", "constant error, by quantity: a number, or a list with one for each component",
          fmt::format(R"("type": "object", "additionalProperties": {{"anyOf": [{{{}}}, {{{}}}]}})", number,
                      listSchema(number)),
          [](const SceneValue& value, SceneSensor& sensor) {
            for (const auto& [quantity, entry] : value.entries()) sensor.bias[quantity] = readComponents(entry);
          }};
}

Field<SceneSensor> sensorJointsField() {
  return {"joints", "encoder, joint_torque: which joints; default: all", listSchema(R"("type": "string")"),
          [](const SceneValue& value, SceneSensor& sensor) {
            sensor.joints = readTexts(value);
            if (sensor.joints.empty()) throw value.error("is empty", "leave it out to measure all joints");
          }};
}

FieldTable<SceneSensor> sensorFields() {
  using enum Quantity;
  return {
      required(choiceField("type", &SceneSensor::type, {"imu", "force_torque", "encoder", "contact", "joint_torque"},
                           "what it measures")),
      required(textField("name", &SceneSensor::name, "what its channels start with")),
      textField("frame", &SceneSensor::frame,
                "imu: where it sits; contact: the sole; force_torque: its axes, default: the child of the joint"),
      textField("joint", &SceneSensor::joint, "force_torque: the joint in which it sits, may be a fixed one"),
      sensorJointsField(),
      numberField("rate", &SceneSensor::rate, frequency, atLeast(0.0), "samples per second; 0: every step [Hz]"),
      numberField("delay", &SceneSensor::delay, time, atLeast(0.0),
                  "from the instant that is measured until it can be read [s]"),
      numberMapField("noise", &SceneSensor::noise, plain, atLeast(0.0),
                     "standard deviation of each sample, by quantity [its unit]"),
      biasField(),
      numberMapField("bias_walk", &SceneSensor::bias_walk, plain, atLeast(0.0),
                     "random walk of the error, by quantity [its unit/√s]"),
      numberMapField("resolution", &SceneSensor::resolution, plain, atLeast(0.0),
                     "readings are multiples of it, by quantity; 0: exact [its unit]"),
      numberField("threshold", &SceneSensor::threshold, force, atLeast(0.0),
                  "contact: there is one when the force is larger than this [N]"),
      countField("seed", &SceneSensor::seed, "of its random numbers, together with its name and run.seed"),
  };
}

/// What they mean depends on other sections.
template <class S>
void rememberKeys(const SceneValue& value, S& section) {
  for (const auto& [key, entry] : value.entries()) section.given.push_back(key);
}

Field<Scene> diagramField() {
  return {"diagram", "blocks around the robot: a diagram, or its file; default: what `footfall diagram` draws",
          diagramSchema(), [](const SceneValue& value, Scene& scene) { scene.diagram = readDiagramSection(value); }};
}

}  // namespace

const FieldTable<Scene>& sceneFields() {
  static const FieldTable<Scene> fields = {
      sectionField("robot", &Scene::robot, robotFields(), "the robot and its initial posture"),
      sectionListField("bodies", &Scene::bodies, bodyFields(), "objects and further robots beside it", checkBodyKeys),
      sectionField("collisions", &Scene::collisions, collisionFields(), "which links and bodies touch each other",
                   rememberKeys<SceneCollisions>),
      sectionListField("loops", &Scene::loops, loopFields(), "joints that close kinematic chains", checkLoopKeys),
      sectionListField("contacts", &Scene::contacts, contactFields(), "what may touch the ground", checkContactKeys),
      groundField(),
      sectionField("physics", &Scene::physics, physicsFields(), "how the simulation is computed",
                   rememberKeys<ScenePhysics>),
      sectionField("hold", &Scene::hold, holdFields(),
                   "joint springs that hold the initial posture; where it is left out they hold every joint"),
      sectionListField("actuators", &Scene::actuators, actuatorFields(), "motors between commands and joints",
                       checkActuatorKeys),
      sectionListField("prescribed", &Scene::prescribed, prescribedFields(),
                       "joints that follow a given motion exactly; without a law, code moves them"),
      sectionListField("pushes", &Scene::pushes, pushFields(), "forces from outside"),
      torquesField(),
      sectionListField("springs", &Scene::springs, springFields(), "springs and dampers between two points",
                       checkSpringKeys),
      sectionListField("sensors", &Scene::sensors, sensorFields(), "what the robot measures"),
      diagramField(),
      sectionField("run", &Scene::run, runFields(), "how long, and what is kept"),
      sectionField("view", &Scene::view, viewFields(), "how it looks when the studio opens it; changes no physics"),
  };
  return fields;
}

}  // namespace footfall
