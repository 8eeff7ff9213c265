#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "footfall/diagram_file/diagram_file.hpp"
#include "footfall/robot_file/urdf.hpp"
#include "footfall/scene/scene_view.hpp"
#include "footfall/spatial/pose.hpp"

namespace footfall {

// What a scene file says, as plain data in SI units. Nothing here is resolved yet: names are names.
// `where` fields hold "file:line" for errors that can only be found later.

/// A position or a speed of a joint that is written with a unit; whether it fits is known with the robot.
struct SceneJointUnit {
  std::string where;
  std::string key;   ///< "robot.initial.knee"
  std::string name;  ///< the last part of it
  std::string text;  ///< "20 cm"
  bool of_angle = false;
};

struct SceneRobot {
  std::string where;
  std::string model;                      ///< path, package:// or model://
  std::vector<std::string> joints;        ///< kept joints in their order; empty: all, in file order
  std::map<std::string, double> initial;  ///< joint positions, also of locked joints [rad or m]
  bool fixed_base = false;
  bool on_ground = false;                     ///< turn and move the base with the ground below until a contact touches
  Vector3d base_position = Vector3d::Zero();  ///< [m]
  Vector3d base_rpy = Vector3d::Zero();       ///< roll, pitch, yaw [rad]
  Vector3d base_velocity = Vector3d::Zero();  ///< [m/s], world axes
  Vector3d base_angular_velocity = Vector3d::Zero();  ///< [rad/s], world axes
  std::map<std::string, double> initial_velocity;     ///< of joints [rad/s or m/s]
  MasslessLinks massless_links = MasslessLinks::error;
  bool assemble = true;  ///< loops that do not close at the start are closed; false: refused
  std::vector<SceneJointUnit> units = {};
};

/// Two frames that stay together, or one that stays where it is in the world. Directions are those of the initial
/// posture. With `from`, `until` or `commanded` it is a tie that is made and released while the scene runs: as both
/// frames are to each other when it is made.
struct SceneLoop {
  std::string where;
  std::string name;                   ///< default: made from the frames
  std::vector<std::string> between;   ///< two frames, of which one may be `world`
  std::string frame;                  ///< in place of `between`: stays where it is at the start
  bool fixed = false;                 ///< must be set with `frame`
  std::string joint;                  ///< ball, hinge, slider, weld; `frame` is welded
  Vector3d axis = Vector3d::UnitZ();  ///< of a hinge or a slider, in the first frame [-]
  std::optional<double> from = {};    ///< when it is made [s]
  std::optional<double> until = {};   ///< when it is released [s]
  bool commanded = false;             ///< made and released by code, or by the input `ties` of the block Robot
  double within = 0.01;               ///< a tie: how far apart the two may be when it is made [m]

  bool isTie() const { return from || until || commanded; }
};

/// Its `name`, or what it is called by default: "a-b".
std::string nameOf(const SceneLoop& loop);

/// What of one frame may touch the ground: points, circles, or its collision shapes.
struct SceneContact {
  std::string where;
  std::string frame;                  ///< `all`: every link that has collision shapes
  std::vector<Vector3d> points;       ///< in the frame; `footprint` entries of two numbers have z = 0 [m]
  double radius = 0.0;                ///< of a sphere around each point [m]
  bool collision = false;             ///< the collision shapes of the model file, meshes as their convex hulls
  double circle = 0.0;                ///< radius of a wheel's rim around each point; 0: none [m]
  Vector3d axis = Vector3d::UnitY();  ///< of the circles, in the frame; a unit vector [-]
  double face = 0.0;                  ///< radius of the face that points, spheres and capsules touch with [m]
};

/// A distance or an angle over time, by one of several laws.
struct SceneTimeLaw {
  std::string kind;                               ///< speed, sine, table, smooth_table, rates or formula; empty: none
  double speed = 0.0;                             ///< constant [m/s or rad/s]
  double amplitude = 0.0;                         ///< of the sine [m or rad]
  double frequency = 0.0;                         ///< of the sine [Hz]
  double phase = 0.0;                             ///< of the sine [rad]
  std::vector<std::pair<double, double>> points;  ///< time [s], and value or rate [m or rad, per second]
  std::string formula;                            ///< of the value in t [m or rad]
};

/// A part of the motion of a ground.
struct SceneTranslation {
  std::string where;
  Vector3d direction = Vector3d::UnitZ();
  SceneTimeLaw law;  ///< of the distance
};
struct SceneRotation {
  std::string where;
  Vector3d axis = Vector3d::UnitY();
  Vector3d point = Vector3d::Zero();  ///< on the axis [m]
  SceneTimeLaw law;                   ///< of the angle
};

struct SceneConveyor {
  std::string where;
  Vector3d direction = Vector3d::UnitX();
  SceneTimeLaw law;  ///< of the belt's travel; none: there is no belt
};

/// One surface. Which fields count depends on the shape.
struct SceneGround {
  std::string where;
  std::string shape = "plane";        ///< plane, box, stairs, height_field, or the name of a plug-in
  Vector3d point = Vector3d::Zero();  ///< a point of the plane [m]
  double incline = 0.0;               ///< angle between its normal and the world's z, 0 to π [rad]
  double heading = 0.0;               ///< direction in which the plane descends, about the world's z [rad]
  double friction = 0.6;              ///< [-]
  double restitution = 0.0;           ///< 0: inelastic, 1: elastic [-]

  Vector3d position = Vector3d::Zero();  ///< centre of a box, foot of stairs, middle of a height field [m]
  Vector3d rpy = Vector3d::Zero();       ///< roll, pitch, yaw of a box, stairs or a plug-in's shape [rad]
  Vector3d size = Vector3d::Zero();      ///< full lengths of a box [m]

  std::uint64_t steps = 1;  ///< of stairs
  double rise = 0.15;       ///< of one step [m]
  double run = 0.3;         ///< depth of one tread [m]
  double width = 1.0;       ///< of the stairs [m]
  double landing = 0.0;     ///< added to the last tread [m]

  std::string file;                       ///< heights as an image or a table
  double cell = 0.0;                      ///< distance of its nodes [m]
  double scale = 1.0;                     ///< its heights are multiplied with it [m]
  std::string interpolation = "bicubic";  ///< bicubic or bilinear
  std::string formula;                    ///< height in x and y [m]
  double size_x = 0.0, size_y = 0.0;      ///< of the rectangle in which the formula holds [m]

  std::map<std::string, double> parameters;  ///< of a plug-in's shape

  std::vector<SceneTranslation> translations;
  std::vector<SceneRotation> rotations;
  SceneConveyor conveyor;
};

struct ScenePhysics {
  std::string where;
  std::vector<std::string> given = {};  ///< the keys that the file has, for warnings of those that do nothing
  std::string engine = "native";
  std::string contact = "rigid";  ///< rigid, gauss, compliant, or the name of a plug-in
  std::string friction_law;       ///< cone or pyramid; empty: cone for rigid, pyramid for gauss
  std::string solver = "native";
  std::string integrator = "second_order";
  double step = 1e-3;                 ///< [s]
  Vector3d gravity{0.0, 0.0, -9.81};  ///< [m/s²]
  double tolerance = 1e-10;           ///< wanted residual of the contact solver [m/s]
  double acceptable = 1e-6;           ///< largest residual that does not stop the run [m/s]
  double stiffness = 1e5;             ///< of the compliant model, each point [N/m]
  double dissipation = 1.0;           ///< of the compliant model [s/m]
  double stiction_velocity = 1e-3;    ///< below it the compliant model sticks softly [m/s]
};

/// Holds the initial posture: tau = tau_0 + stiffness (s_0 − s) − damping ṡ, integrated implicitly.
struct SceneHold {
  std::string where;
  bool enabled = true;
  double stiffness = -1.0;  ///< [N m/rad or N/m]; negative: chosen from mass and size
  double damping = -1.0;    ///< [N m s/rad or N s/m]; negative: chosen from mass and size
  std::map<std::string, double> joint_stiffness, joint_damping;  ///< for single joints
  std::map<std::string, double> target;  ///< where single joints are held in place of s_0 [rad or m]
  std::vector<std::string> joints;       ///< that are held, the others have no motor; empty: all
  bool gravity_compensation = true;      ///< tau_0 holds the initial posture on its contacts
  std::vector<SceneJointUnit> units = {};
};

/// Motors of the same kind; see Motor. Lists have no entry (the default), one for all motors, or one for each.
struct SceneActuator {
  std::string where;
  std::vector<std::string> joints;
  std::vector<std::vector<double>> transmission;  ///< rows of T; empty: one motor for each joint
  std::vector<double> gear_ratio;                 ///< [-]
  std::vector<double> rotor_inertia;              ///< before the gear [kg m²]
  std::vector<double> natural_frequency;          ///< [rad/s]
  std::vector<double> damping_ratio;              ///< [-]
  std::vector<double> max_torque;                 ///< behind the gear [N m]
  std::vector<double> max_speed;                  ///< behind the gear [rad/s]
  std::vector<double> viscous;                    ///< behind the gear [N m s/rad]
  std::vector<double> coulomb;                    ///< behind the gear [N m]
};

/// A joint that follows a given motion exactly, whatever torque it takes.
struct ScenePrescribed {
  std::string where;
  std::string joint;
  double offset = 0.0;  ///< added to the law [rad or m]
  SceneTimeLaw law;     ///< of its position; none: code moves it by Input::position and Input::velocity
  std::vector<SceneJointUnit> units = {};
};

/// A force on a link for a while.
struct ScenePush {
  std::string where;
  std::string link;                    ///< a link or any frame; the force acts at its origin
  Vector3d force = Vector3d::Zero();   ///< world axes [N]
  Vector3d moment = Vector3d::Zero();  ///< world axes [N m]
  double start = 0.0;                  ///< [s]
  double duration = 0.0;               ///< [s]
};

/// Joint torques or forces that act all the time.
struct SceneTorques {
  std::string where;
  std::map<std::string, double> joints;  ///< [N m or N]
};

/// A spring with a damper between two points.
struct SceneSpringEnd {
  std::string where;
  std::string link;                   ///< a link or any frame, or `world`
  Vector3d point = Vector3d::Zero();  ///< in that frame [m]
};
struct SceneSpring {
  std::string where;
  std::string name;  ///< default: made from the frames
  SceneSpringEnd from, to;
  double stiffness = 0.0;     ///< [N/m]
  double damping = 0.0;       ///< [N s/m]
  double rest_length = -1.0;  ///< negative: the distance of the ends at the start [m]
};

/// A sensor of the robot. What `noise`, `bias`, `bias_walk` and `resolution` are given for is named by quantity:
/// orientation (as a rotation vector), acceleration, angular_velocity; force, moment; position, velocity; torque.
struct SceneSensor {
  std::string where;
  std::string type;   ///< imu, force_torque, encoder, contact, joint_torque
  std::string name;   ///< what its channels start with
  std::string frame;  ///< imu: where it sits; contact: the sole; force_torque: its axes, default: the child
  std::string joint;  ///< force_torque: the joint in which it sits, may be a fixed one
  std::vector<std::string> joints;                  ///< encoder, joint_torque: default: all
  double rate = 0.0;                                ///< samples per second; 0: every step [1/s]
  double delay = 0.0;                               ///< from the instant that is measured until it can be read [s]
  std::map<std::string, double> noise;              ///< standard deviation of each sample [unit of the quantity]
  std::map<std::string, std::vector<double>> bias;  ///< constant error: a number for all components, or one for each
  std::map<std::string, double> bias_walk;          ///< random walk of the error [unit of the quantity/√s]
  std::map<std::string, double> resolution;         ///< readings are multiples of it; 0: exact [unit of the quantity]
  double threshold = 0.0;                           ///< contact: there is one when the force is larger than this [N]
  std::uint64_t seed = 0;                           ///< of its random numbers, together with its name and run.seed
};

/// A robot or an object beside the robot: a model file, or one shape.
struct SceneBody {
  std::string where;
  std::string name;
  std::string model;                             ///< path, package:// or model://; empty: the shape
  std::string shape;                             ///< box, sphere, capsule, cylinder
  Vector3d size = Vector3d::Zero();              ///< full lengths of a box [m]
  double radius = 0.0;                           ///< of a sphere, capsule or cylinder [m]
  double length = 0.0;                           ///< of a cylinder, or of the straight part of a capsule [m]
  double face = 0.0;                             ///< radius of the face that spheres and capsules touch with [m]
  double mass = 0.0;                             ///< of the shape; 0: by its density [kg]
  double density = 1000.0;                       ///< of the shape [kg/m³]
  Vector3d color{-1.0, 0.0, 0.0};                ///< red, green, blue from 0 to 1; negative: none is given
  std::map<std::string, double> initial;         ///< joint positions of a model [rad or m]
  bool fixed = false;                            ///< stays where it is
  Vector3d position = Vector3d::Zero();          ///< [m]
  Vector3d rpy = Vector3d::Zero();               ///< roll, pitch, yaw [rad]
  Vector3d velocity = Vector3d::Zero();          ///< [m/s], world axes
  Vector3d angular_velocity = Vector3d::Zero();  ///< [rad/s], world axes
  double friction = 0.6;                         ///< where it meets other bodies [-]
  double restitution = 0.0;                      ///< where it meets other bodies [-]
  std::vector<Vector3d> copies;  ///< as many bodies of the same kind, moved by this from `position`; empty: one [m]
  std::vector<SceneJointUnit> units = {};
};

/// Friction and restitution between two links or bodies.
struct SceneCollisionPair {
  std::string where;
  std::vector<std::string> between;  ///< names of links, frames or bodies
  double friction = 0.6;             ///< [-]
  double restitution = 0.0;          ///< [-]
};

/// Which links and bodies touch each other.
struct SceneCollisions {
  std::string where;
  std::vector<std::string> given = {};  ///< the keys that the file has, for warnings of those that do nothing
  bool self = false;                    ///< links of one robot touch each other
  std::vector<std::vector<std::string>> exclude, only;  ///< pairs of links, frames or bodies
  std::string srdf;  ///< file with pairs of links of the robot that do not touch; a path or package://
  std::vector<SceneCollisionPair> pairs;
  double friction = 0.6;            ///< of the robot's shapes where they meet others [-]
  double restitution = 0.0;         ///< [-]
  bool separate_start = false;      ///< what starts inside of each other is moved apart; false: refused
  std::uint64_t hull_corners = 64;  ///< of the convex hull that a mesh touches with, at most
};

struct Scene {
  std::string source;             ///< path of the file, or what it was made from
  SceneRobot robot;               ///< without a model: there are bodies alone
  std::vector<SceneBody> bodies;  ///< beside the robot
  SceneCollisions collisions;
  std::vector<SceneLoop> loops;
  std::vector<SceneContact> contacts;
  SceneGround ground;                    ///< the first surface
  std::vector<SceneGround> more_ground;  ///< the others
  ScenePhysics physics;
  SceneHold hold;
  std::vector<SceneActuator> actuators;
  std::vector<ScenePrescribed> prescribed;
  std::vector<ScenePush> pushes;
  SceneTorques torques;
  std::vector<SceneSpring> springs;
  std::vector<SceneSensor> sensors;
  SceneDiagram diagram;
  SceneRun run;
  SceneView view;
};

/// The robot and its ground alone, for those who run the diagram themselves.
inline Scene withoutDiagram(Scene scene) {
  scene.diagram = {};
  return scene;
}

/// Reads a scene; throws Error with file and line. Models and height fields are looked for beside the file first.
Scene loadScene(const std::string& path, const std::vector<SceneOverride>& overrides = {});
Scene parseScene(const std::string& text, const std::string& source, const std::vector<SceneOverride>& overrides = {});

/// The text of a scene file with changes put in, as YAML without the file's comments. Changes inside of a diagram that
/// lies in a file of its own are left out.
std::string sceneText(const std::string& path, const std::vector<SceneOverride>& overrides);

/// The file holds a scene, not a diagram alone (whose `blocks` are no part of a section). Throws Error for what is no
/// YAML.
bool isSceneFile(const std::string& path);
/// The same of a text; `source` is what errors call it.
bool isSceneText(const std::string& text, const std::string& source);

/// A commented scene that runs as it is.
std::string sceneTemplate();

/// JSON schema of scene files, for editors.
std::string sceneSchema();

}  // namespace footfall
