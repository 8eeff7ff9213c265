#include "footfall/scene/scene.hpp"

namespace footfall {

std::string sceneTemplate() {
  return R"(# A scene for Footfall: footfall run scene.yaml
# Numbers are in SI units; a unit may follow them: 5 deg, 1 ms, 20 cm. Every key but robot.model may be left out.

robot:
  model: quadruped            # a path, package://…, model://… or a short name (footfall doctor lists them)
  # joints: [lf_hfe, lf_kfe]  # joints that move, in this order; the others are locked. Default: all
  initial:                    # joint positions at the start; 0 if not named
    {lf_hfe: 40 deg, lf_kfe: -80 deg, rf_hfe: 40 deg, rf_kfe: -80 deg,
     lh_hfe: 40 deg, lh_kfe: -80 deg, rh_hfe: 40 deg, rh_kfe: -80 deg}
  base:
    on_ground: true           # moves the base until the lowest contact touches the ground
    yaw: 0 deg
    # fixed: true             # bolts the base to the world
  # initial_velocity: {lf_kfe: 10 deg/s}  # of joints; 0 if not named
  # massless_links: ignore    # locks joints that move no mass instead of refusing the model

contacts:                     # what may touch the ground
  - {frame: lf_foot, radius: 2 cm}
  - {frame: rf_foot, radius: 2 cm}
  - {frame: lh_foot, radius: 2 cm}
  - {frame: rh_foot, radius: 2 cm}
  # a flat foot:
  # - {frame: l_sole, footprint: [[-0.06, 0.04], [0.11, 0.04], [0.11, -0.035], [-0.06, -0.035]]}

ground:
  shape: plane
  incline: 0 deg
  friction: 0.6
  restitution: 0
  # or several surfaces, each with its own friction, motion and belt:
  # - {shape: stairs, position: [1, 0, 0], steps: 5, rise: 15 cm, run: 30 cm, width: 1 m}
  # - {shape: height_field, formula: 0.03*sin(4*x), extent: [4, 4]}
  # - {shape: box, position: [2, 0, 0.1], size: [1, 1, 0.2], conveyor: {direction: [1, 0, 0], speed: 0.5},
  #    motion: {translate: [{direction: [0, 0, 1], sine: {amplitude: 5 cm, frequency: 1 Hz}}]}}

physics:
  engine: native              # or pinocchio, idyntree
  contact: rigid              # or gauss (the published model), compliant
  solver: native              # or proxqp, osqp, qpoases, daqp
  integrator: second_order    # or semi_implicit_euler, explicit_euler, rk4, midpoint
  step: 1 ms
  # gravity: [0, 0, -9.81]    # m/s²; this is the default

hold:                         # springs and dampers that hold the initial posture, also where this is left out
  # enabled: false            # the joints hang free
  gravity_compensation: true
  # stiffness: 100            # of every joint [N m/rad]; default: chosen from the robot's mass and size
  # joint_stiffness: {lf_kfe: 150}
  # target: {lf_kfe: -1}      # where single joints are held; default: where they start

# actuators:                  # motors between commands and joints; torques, speeds and friction count behind the gear
#   - {joints: [lf_hfe, lf_kfe], gear_ratio: 9, rotor_inertia: 1e-4, natural_frequency: 60 Hz, max_torque: 80,
#      max_speed: 12 rad/s, viscous: 0.1, coulomb: 0.2}
#   # motors that move joints together: joint speeds = transmission · motor speeds
#   - {joints: [rf_hfe, rf_kfe], transmission: [[1, 0], [-1, 1]], gear_ratio: 9, rotor_inertia: 1e-4}

pushes:
  - {link: trunk, force: [0, 30, 0], start: 1 s, duration: 0.1 s}

# torques: {lf_kfe: 2}        # that act all the time [N m or N]
# springs:                    # and dampers between two points of links or of the world
#   - {from: {link: world, point: [0, 0, 1]}, to: {link: trunk}, stiffness: 200, damping: 5, rest_length: 60 cm}

# sensors:                    # docs/sensors.md; their readings are columns of the log
#   - {type: imu, name: imu, frame: trunk, rate: 500 Hz, delay: 2 ms, noise: {acceleration: 0.02}}
#   - {type: force_torque, name: lf_hip, joint: lf_haa}
#   - {type: encoder, name: encoders, resolution: {position: 0.0005}}

run:
  duration: 5 s
  # log: out.csv
  # log_period: 10 ms

# view:                       # how the studio opens it; docs/studio.md
#   camera: {from: side}
#   layers: {cones: true}
#   plots: [[base.position.z], [energy.kinetic]]
#   speed: 0.5
)";
}

}  // namespace footfall
