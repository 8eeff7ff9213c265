#include "batch/quantities.hpp"

#include <limits>

namespace footfall {
namespace {

using Kind = BatchQuantity::Kind;

class Collector {
 public:
  void add(Kind kind, const char* name, BatchArray Worlds::*array, VectorXd initial, const char* unit,
           const char* meaning) {
    const int width = static_cast<int>(initial.size());
    list_.push_back({{name, kind, unit, meaning, width}, array, std::move(initial)});
  }
  std::vector<StoredQuantity> take() { return std::move(list_); }

 private:
  std::vector<StoredQuantity> list_;
};

void addSprings(const JointSprings& springs, Collector& to) {
  to.add(Kind::input, "target", &Worlds::target, springs.target, "rad or m",
         "where what holds the posture wants joints");
  to.add(Kind::parameter, "stiffness", &Worlds::stiffness, springs.stiffness, "N m/rad or N/m",
         "of what holds the posture: gains of the joints' springs or motors");
  to.add(Kind::parameter, "damping", &Worlds::damping, springs.damping, "N m s/rad or N s/m", "of the same");
}

}  // namespace

std::vector<StoredQuantity> quantitiesOf(Simulation& prototype, bool has_push_link) {
  const Model& model = prototype.model();
  const State& start = prototype.state();
  const int n = model.jointDofs(), nv = model.nv();
  const auto zeros = [](int width) { return VectorXd(VectorXd::Zero(width)); };
  const auto ones = [](int width) { return VectorXd(VectorXd::Ones(width)); };
  Collector all;
  all.add(Kind::state, "q", &Worlds::q, start.q, "m, -, rad or m",
          "base position, quaternion (x, y, z, w), joints; then of each body");
  all.add(Kind::state, "nu", &Worlds::nu, start.nu, "m/s, rad/s",
          "base velocity in world axes, joint velocities; then of each body");
  all.add(Kind::state, "time", &Worlds::time, VectorXd::Constant(1, start.time), "s", "simulated time");
  all.add(Kind::input, "tau", &Worlds::tau, zeros(n), "N m or N", "joint torques, added to those of the scene");
  all.add(Kind::input, "generalized", &Worlds::generalized, zeros(nv), "N, N m",
          "generalized forces, in the order of nu");
  if (has_push_link)
    all.add(Kind::input, "push", &Worlds::push, zeros(6), "N, N m", "force and moment on the push link, world axes");
  if (const JointSprings* springs = prototype.springs()) addSprings(*springs, all);
  all.add(Kind::parameter, "motor_strength", &Worlds::motor_strength, ones(n), "-",
          "share of commanded torques that reaches the joints");
  all.add(Kind::parameter, "friction", &Worlds::friction, ones(1), "-", "of the ground, times that of the scene");
  if (n > 0) all.add(Kind::parameter, "delay", &Worlds::delay, zeros(1), "steps", "that tau and target arrive late");
  all.add(Kind::parameter, "mass", &Worlds::mass, ones(static_cast<int>(model.links.size())), "-",
          "of each link, and its inertia, times those of the model");
  if (model.floating_base) {
    all.add(Kind::parameter, "payload", &Worlds::payload, zeros(1), "kg", "at the centre of mass of the base");
    all.add(Kind::parameter, "com_shift", &Worlds::com_shift, zeros(3), "m",
            "of the centre of mass of the base, in the base's axes");
  }
  all.add(Kind::parameter, "start_q", &Worlds::start_q, start.q, "m, -, rad or m", "q after reset()");
  all.add(Kind::parameter, "start_nu", &Worlds::start_nu, start.nu, "m/s, rad/s", "nu after reset()");
  all.add(Kind::result, "sole_wrench", &Worlds::sole_wrench, zeros(6 * static_cast<int>(model.soles().size())),
          "N, N m", "force and moment of the ground on each sole, in its axes, mean of the last step");
  all.add(Kind::result, "joint_torque", &Worlds::joint_torque, zeros(n), "N m or N",
          "of inputs, springs, damping and drives, mean of the last step");
  return all.take();
}

BatchArray& enable(const StoredQuantity& quantity, Worlds& worlds) {
  BatchArray& array = worlds.*quantity.array;
  if (!array.empty()) return array;
  array = BatchArray(worlds.copies(), quantity.about.width);
  for (int world = 0; world < worlds.copies(); ++world) setAtFirst(quantity, world, worlds.count[world], worlds);
  return array;
}

void setAtFirst(const StoredQuantity& quantity, int world, const StepCount& made, Worlds& worlds) {
  const bool missed = quantity.about.kind == Kind::result && made.steps > 0;
  auto row = (worlds.*quantity.array).row(world);
  if (missed) {
    row.setConstant(std::numeric_limits<double>::quiet_NaN());
  } else {
    row = quantity.initial;
  }
}

}  // namespace footfall
