#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "footfall/contact/contact.hpp"
#include "footfall/model/tree.hpp"
#include "footfall/run/simulation.hpp"
#include "thread_time.hpp"
#include "tools/source_dir.hpp"

// Robots that are dropped in random postures and touch the ground with all of their collision shapes: what the contact
// solver has to live with. The soak (benchmarks/soak) runs millions of such steps, a test some thousands.

namespace footfall::soak {

struct DropRobot {
  const char* name;
  const char* model;
};

inline constexpr DropRobot kRobots[] = {
    {"go2", "package://example-robot-data/robots/go2_description/urdf/go2.urdf"},
    {"a1", "package://example-robot-data/robots/a1_description/urdf/a1.urdf"},
    {"b1", "package://example-robot-data/robots/b1_description/urdf/b1.urdf"},
    {"anymal_c", "package://example-robot-data/robots/anymal_c_simple_description/urdf/anymal.urdf"},
    {"solo12", "package://example-robot-data/robots/solo_description/robots/solo12.urdf"},
    {"bolt", "package://example-robot-data/robots/bolt_description/robots/bolt.urdf"},
    {"g1", "package://example-robot-data/robots/g1_description/urdf/g1_29dof_rev_1_0.urdf"},
    {"talos", "package://example-robot-data/robots/talos_data/robots/talos_reduced.urdf"},
    {"icub", "model://iCub/robots/iCubGazeboV2_5/model.urdf"},
    {"romeo", "package://example-robot-data/robots/romeo_description/urdf/romeo_small.urdf"},
};

/// Real time at 1 kHz [s].
inline constexpr double kLate = 1e-3;

enum class Joints { limp, damped, held };

/// What happened in one drop, or in many.
struct DropReport {
  std::int64_t steps = 0;
  std::int64_t failed = 0;
  std::int64_t not_finite = 0;
  std::int64_t inaccurate = 0;      ///< steps whose residual is above 1e-10 m/s, failed ones too
  double largest_residual = 0.0;    ///< [m/s]
  double deepest = 0.0;             ///< penetration [m]
  double energy_gain = 0.0;         ///< above that of the start, springs counted [J]
  double relative_gain = 0.0;       ///< the same as a share of what the robot could lose by falling
  std::int64_t runs_that_gain = 0;  ///< by more than a millionth of that share
  double slowest = 0.0;             ///< step, time of the processor, those that are late measured again [s]
  double slowest_once = 0.0;        ///< the same as first measured, with what the machine did beside it [s]
  std::int64_t late = 0;            ///< steps that take longer than kLate
  std::int64_t late_once = 0;       ///< the same as first measured
  std::vector<float> times;         ///< of all steps [s]
  std::vector<int> iterations;      ///< of the contact solver in all steps: the same on every machine

  void add(const DropReport& other) {
    steps += other.steps;
    failed += other.failed;
    not_finite += other.not_finite;
    inaccurate += other.inaccurate;
    largest_residual = std::max(largest_residual, other.largest_residual);
    deepest = std::max(deepest, other.deepest);
    energy_gain = std::max(energy_gain, other.energy_gain);
    relative_gain = std::max(relative_gain, other.relative_gain);
    runs_that_gain += other.runs_that_gain;
    slowest = std::max(slowest, other.slowest);
    slowest_once = std::max(slowest_once, other.slowest_once);
    late += other.late;
    late_once += other.late_once;
    times.insert(times.end(), other.times.begin(), other.times.end());
    iterations.insert(iterations.end(), other.iterations.begin(), other.iterations.end());
  }
};

/// What a robot is dropped on.
struct DropOptions {
  std::string integrator = ScenePhysics{}.integrator;
  int stones = 0;  ///< loose ones on the ground; where there are any, links of the robot touch each other, too
};

/// One robot in a random posture inside its limits, above the ground; the seed decides about everything.
class Drop {
 public:
  Drop(const DropRobot& robot, std::uint64_t seed, const DropOptions& options = {})
      : random_(seed), joints_(static_cast<Joints>(seed % 3)), simulation_(makeScene(robot, options)) {
    State state = simulation_.state();
    chooseJoints(state);
    if (options.stones > 0) keepLinksApart(state);
    chooseBase(state, options.stones > 0 ? kAboveStones : 0.0);
    simulation_.setState(state);
    if (JointSprings* springs = simulation_.springs()) springs->target = state.joints();
    start_energy_ = energy();
    fall_energy_ = std::max(start_energy_, 1e-3);  // potential energy counts from the ground
  }

  DropReport run(int steps) {
    DropReport report;
    report.times.reserve(steps);
    for (int k = 0; k < steps; ++k) {
      measure(report);
      const StepResult& result = simulation_.result();
      ++report.steps;
      report.iterations.push_back(result.iterations);
      report.inaccurate += !(result.residual <= 1e-10);
      report.largest_residual = std::max(report.largest_residual, result.residual);
      report.not_finite += !std::isfinite(result.residual);
      report.failed += result.status == SolveStatus::failed;
      if (result.status == SolveStatus::failed) break;
      for (const ContactReport& contact : result.contacts) report.deepest = std::max(report.deepest, -contact.gap);
      if (k % kEnergyEvery == 0) report.energy_gain = std::max(report.energy_gain, energy() - start_energy_);
    }
    report.relative_gain = report.energy_gain / fall_energy_;
    report.runs_that_gain = report.relative_gain > 1e-6;
    return report;
  }

  Simulation& simulation() { return simulation_; }

 private:
  static constexpr int kEnergyEvery = 10;       ///< steps
  static constexpr double kAboveStones = 0.35;  ///< as high as they may start on each other [m]
  static constexpr int kRepeats = 20;           ///< of a step that was late, as worst_steps has it

  /// Makes a step. A state is a value: where the step is late it is made again from the same state, and the shortest
  /// time counts, so that what else the machine does does not.
  void measure(DropReport& report) {
    before_ = simulation_.state();
    const double once = timeOfStep();
    double shortest = once;
    for (int k = 1; k < kRepeats && once > kLate; ++k) {
      simulation_.setState(before_);
      shortest = std::min(shortest, timeOfStep());
    }
    report.times.push_back(static_cast<float>(shortest));
    report.slowest = std::max(report.slowest, shortest);
    report.slowest_once = std::max(report.slowest_once, once);
    report.late += shortest > kLate;
    report.late_once += once > kLate;
  }

  double timeOfStep() {
    const double begin = bench::now();
    simulation_.step();
    return bench::now() - begin;
  }

  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }

  Scene makeScene(const DropRobot& robot, const DropOptions& options) {
    Scene scene;
    scene.source = sourceDir() + "/scenes/soak";
    scene.robot.model = robot.model;
    scene.robot.base_position.z() = 5.0;  // above the ground in its first posture; chooseBase() takes it down
    SceneContact contact;
    contact.frame = "all";
    contact.collision = true;
    scene.contacts.push_back(contact);
    scene.physics.integrator = options.integrator;
    scene.ground.friction = uniform(0.2, 1.0);
    scene.hold.enabled = joints_ != Joints::limp;
    scene.hold.gravity_compensation = false;
    if (joints_ == Joints::damped) {
      scene.hold.stiffness = 0.0;
      scene.hold.damping = 0.5;
    }
    scene.collisions.self = scene.collisions.separate_start = options.stones > 0;
    for (int k = 0; k < options.stones; ++k) scene.bodies.push_back(makeStone(k));
    return scene;
  }

  SceneBody makeStone(int number) {
    const char* const shapes[] = {"box", "sphere", "capsule", "cylinder"};
    SceneBody stone;
    stone.name = "stone" + std::to_string(number);
    stone.shape = shapes[number % 4];
    stone.size = {uniform(0.05, 0.12), uniform(0.05, 0.12), uniform(0.04, 0.08)};
    stone.radius = uniform(0.025, 0.05);
    stone.length = uniform(0.03, 0.08);
    stone.density = 2600.0;
    stone.friction = uniform(0.3, 0.9);
    stone.position = {uniform(-0.5, 0.5), uniform(-0.5, 0.5), 0.1};
    stone.rpy = {uniform(-0.2, 0.2), uniform(-0.2, 0.2), uniform(-3.0, 3.0)};
    return stone;
  }

  /// Nearer to where the scene has the joints, until no link is inside of another.
  void keepLinksApart(State& state) {
    const VectorXd all = state.q, calm = simulation_.state().q;
    for (double share = 1.0; share > 0.01; share *= 0.8) {
      state.q = calm + share * (all - calm);
      simulation_.setState(state);
      const Dynamics& dynamics = simulation_.dynamics();
      const auto touching = touchingShapes(simulation_.model(), dynamics);
      if (std::none_of(touching.begin(), touching.end(), [](const TouchingShapes& t) { return t.gap < 0.0; })) return;
    }
    state.q = calm;
  }

  void chooseJoints(State& state) {
    const Model& model = simulation_.model();
    for (int i = 0; i < model.jointDofs(); ++i) {
      const Dof& dof = model.dofs[i];
      const bool bounded = std::isfinite(dof.lower) && std::isfinite(dof.upper);
      const double range = bounded ? dof.upper - dof.lower : 0.0;
      state.joints()[i] = bounded ? uniform(dof.lower + 0.02 * range, dof.upper - 0.02 * range) : uniform(-1.0, 1.0);
    }
  }

  /// Any orientation, the lowest point of its shapes a little above the ground, or above the stones on it.
  void chooseBase(State& state, double above) {
    Eigen::Quaterniond turn(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
    state.setBasePose({turn.normalized().toRotationMatrix(), Vector3d::Zero()});
    simulation_.setState(state);
    state.q[2] = above + uniform(0.0, 0.5) - lowestPoint();
  }

  /// Of the spheres around all shapes of the robot [m].
  double lowestPoint() {
    double lowest = 1e9;
    const Dynamics& dynamics = simulation_.dynamics();
    const int links = treesOf(simulation_.model()).front().links_end;
    for (const CollisionShape& body : simulation_.model().shapes) {
      if (body.link >= links) continue;
      const Vector3d centre = dynamics.linkPose(body.link) * body.shape.bound.centre;
      lowest = std::min(lowest, centre.z() - body.shape.bound.radius);
    }
    return lowest;
  }

  /// Kinetic and potential, of gravity and of the springs [J].
  double energy() {
    const Energy energy = simulation_.dynamics().energy();
    double total = energy.kinetic + energy.potential;
    if (const JointSprings* springs = simulation_.springs()) {
      const VectorXd stretch = simulation_.state().joints() - springs->target;
      total += 0.5 * stretch.dot(springs->stiffness.cwiseProduct(stretch));
    }
    return total;
  }

  std::mt19937_64 random_;
  Joints joints_;
  Simulation simulation_;
  State before_;  ///< the step that is measured
  double start_energy_ = 0.0;
  double fall_energy_ = 0.0;
};

}  // namespace footfall::soak
