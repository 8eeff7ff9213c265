#include "robot_block/balancing_plan.hpp"

#include <algorithm>
#include <limits>

#include "footfall/base/error.hpp"
#include "footfall/robot_block/internal/robot_signals.hpp"
#include "robot_block/foot_print.hpp"

namespace footfall {
namespace {

/// From 0 to 1 with the least jerk: value, rate and acceleration after `time` of `duration`.
Vector3d minimumJerk(double time, double duration) {
  if (!(duration > 0.0)) return {1.0, 0.0, 0.0};
  const double s = std::clamp(time / duration, 0.0, 1.0);
  const double s2 = s * s;
  return {s2 * s * (10.0 - 15.0 * s + 6.0 * s2), 30.0 * s2 * (1.0 - s) * (1.0 - s) / duration,
          60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / (duration * duration)};
}

int footNumber(const Parameters& parameters, const RobotSetup& setup) {
  const std::string name = parameters.text("swing");
  for (std::size_t k = 0; k < setup.contactFrames().size(); ++k)
    if (setup.model().frames[setup.contactFrames()[k]].name == name) return static_cast<int>(k);
  throw parameters.error("swing", "is '" + name + "', which is no frame with contacts");
}

}  // namespace

SignalType planBusType(int feet) {
  return SignalType::bus({{"com", SignalType::vector(3, "m")},
                          {"com_velocity", SignalType::vector(3, "m/s")},
                          {"com_acceleration", SignalType::vector(3, "m/s²")},
                          {"lift", SignalType::matrix(3, feet)},
                          {"load", SignalType::vector(feet, "-")},
                          {"phase", SignalType::scalar("-")}});
}

BlockDescription BalancingPlan::description() {
  return {
      "BalancingPlan",
      "robot control",
      "shifts the weight onto one foot, lifts the other, puts it down and returns: a state machine",
      {{"swing", "frame of the foot that is lifted", "", "", true},
       {"period", "between two evaluations", "0.01", "s"},
       {"stand", "time on both feet at first", "3", "s"},
       {"shift", "time to move the weight", "3", "s"},
       {"unload", "time to take the load off a foot, and to put it back", "0.5", "s"},
       {"lift", "time to lift the foot, and to lower it", "1", "s"},
       {"hold", "time with the foot lifted", "2", "s"},
       {"height", "of the lifted foot", "0.05", "m"},
       {"tolerance", "largest error of the centre of mass, horizontally, with which a foot is unloaded", "0.01", "m"}},
      {{"com", "centre of mass; vector of 3 [m]"}},
      {{"plan",
        "bus {com, com_velocity, com_acceleration; lift: height, speed and acceleration of each foot; load: "
        "share that each foot may carry; phase: 0 stand, 1 shift, 2 unload, 3 lift, 4 hold, 5 lower, "
        "6 load, 7 back, 8 rest}"}},
      "References between two places follow minimum-jerk curves. The next phase begins when the time of the present "
      "one is over; a foot is unloaded only when the centre of mass has arrived."};
}

BalancingPlan::BalancingPlan(const Parameters& parameters)
    : setup_(findRobotSetup(parameters)),
      period_(parameters.number("period", 0.01, Quantity::time)),
      swing_(footNumber(parameters, *setup_)),
      height_(parameters.number("height", 0.05, Quantity::length)),
      tolerance_(parameters.number("tolerance", 0.01, Quantity::length)) {
  const auto duration = [&](const char* name, double fallback) {
    return parameters.number(name, fallback, Quantity::time);
  };
  const double unload_time = duration("unload", 0.5), lift_time = duration("lift", 1.0),
               shift_time = duration("shift", 3.0);
  durations_ = {duration("stand", 3.0),
                shift_time,
                unload_time,
                lift_time,
                duration("hold", 2.0),
                lift_time,
                unload_time,
                shift_time,
                std::numeric_limits<double>::infinity()};
  const auto dynamics = makeDynamics("native", setup_->model());
  dynamics->update(setup_->start().q, setup_->start().nu);
  const auto& feet = setup_->contactFrames();
  com_middle_ = com_side_ = dynamics->centerOfMass();
  Vector3d middle = Vector3d::Zero(), side = Vector3d::Zero();
  for (std::size_t k = 0; k < feet.size(); ++k) {
    const Vector3d center = dynamics->framePose(feet[k]) * FootPrint::of(setup_->model(), feet[k]).center();
    middle += center / static_cast<double>(feet.size());
    if (static_cast<int>(k) != swing_) side += center / static_cast<double>(feet.size() - 1);
  }
  com_middle_.head<2>() = middle.head<2>();
  com_side_.head<2>() = side.head<2>();
}

void BalancingPlan::declare(BlockInterface& io) const {
  io.sample_time = SampleTime::discrete(period_);
  io.discrete_states = 2;  // phase, and when it began
  io.input("com", SignalType::vector(3));
  io.output("plan", planBusType(static_cast<int>(setup_->contactFrames().size())), {});
}

void BalancingPlan::outputs(Evaluation& e) const {
  const auto phase = static_cast<Phase>(static_cast<int>(e.discrete()[0]));
  const double elapsed = e.time() - e.discrete()[1], duration = durations_[phase];
  const Vector3d curve = minimumJerk(elapsed, duration);
  const Vector3d none = Vector3d::Zero(), full = Vector3d::UnitX(), falling = full - curve;

  const Vector3d to_side = phase == stand || phase == rest ? none
                           : phase == shift                ? curve
                           : phase == back                 ? falling
                                                           : full;
  const Vector3d raised = phase == lift ? curve : phase == hold ? full : phase == lower ? falling : none;
  double share = 1.0;
  if (phase == unload) share = falling[0];
  if (phase == lift || phase == hold || phase == lower) share = 0.0;
  if (phase == load) share = curve[0];

  const Vector3d way = com_side_ - com_middle_;
  const int feet = static_cast<int>(setup_->contactFrames().size());
  BusWriter out(e.out(0));
  out.put(com_middle_ + to_side[0] * way);
  out.put(to_side[1] * way);
  out.put(to_side[2] * way);
  for (int k = 0; k < feet; ++k) out.put(k == swing_ ? Vector3d(height_ * raised) : none);
  for (int k = 0; k < feet; ++k) out.put(k == swing_ ? share : 1.0);
  out.put(static_cast<double>(phase));
}

void BalancingPlan::update(Evaluation& e) const {
  auto state = e.discrete();
  const auto phase = static_cast<Phase>(static_cast<int>(state[0]));
  // The outputs of the next evaluation belong to it.
  const double next = e.time() + period_;
  if (next - state[1] < durations_[phase] - 1e-9) return;
  if (phase == shift && (e.vector(0).head<2>() - com_side_.head<2>()).norm() > tolerance_) return;
  state << static_cast<double>(phase + 1), next;
}

}  // namespace footfall
