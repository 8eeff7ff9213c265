#include "batch/worlds.hpp"

namespace footfall {
namespace {

int sizeOf(const VectorXd& v) { return static_cast<int>(v.size()); }

template <class T>
std::size_t bytesOf(const std::vector<T>& v) {
  return v.size() * sizeof(T);
}

}  // namespace

Worlds::Worlds(int copies, const State& initial)
    : q(copies, sizeOf(initial.q)),
      nu(copies, sizeOf(initial.nu)),
      motors(copies, sizeOf(initial.motors)),
      time(copies, 1),
      warm(copies, initial.warm),
      count(copies),
      status(copies, SolveStatus::converged),
      auto_resets(copies, 0),
      commanded(copies, 0) {
  for (int world = 0; world < copies; ++world) store(world, initial);
}

std::size_t Worlds::bytes() const {
  std::size_t sum = bytesOf(warm) + bytesOf(count) + bytesOf(status) + bytesOf(auto_resets) + bytesOf(commanded);
  for (const WarmStart& own : warm) sum += own.candidate.size() * sizeof(int) + own.impulse.size() * sizeof(double);
  for (const BatchArray* array :
       {&q,       &nu,        &motors,  &time,           &tau,         &generalized,  &push,
        &target,  &stiffness, &damping, &motor_strength, &friction,    &delay,        &mass,
        &payload, &com_shift, &start_q, &start_nu,       &sole_wrench, &joint_torque, &commands})
    sum += array->bytes();
  sum += bytesOf(weighed);
  for (const Weighed& own : weighed) sum += own.masses.size() * sizeof(double) + own.traits.bytes();
  return sum;
}

void Worlds::reset(int world, const State& initial) {
  store(world, initial);
  if (!start_q.empty()) q.row(world) = start_q.row(world);
  if (!start_nu.empty()) nu.row(world) = start_nu.row(world);
  commanded[world] = 0;
  // Nothing has acted on it so far: results of the last episode would pass for some of this one.
  if (!sole_wrench.empty()) sole_wrench.row(world).setZero();
  if (!joint_torque.empty()) joint_torque.row(world).setZero();
}

void Worlds::load(int world, State& to) const {
  to.time = time(world, 0);
  to.q = q.row(world);
  to.nu = nu.row(world);
  to.motors = motors.row(world);
  to.warm = warm[world];
  to.count = count[world];
}

void Worlds::store(int world, const State& from) {
  time(world, 0) = from.time;
  q.row(world) = from.q;
  nu.row(world) = from.nu;
  motors.row(world) = from.motors;
  warm[world] = from.warm;
  count[world] = from.count;
}

}  // namespace footfall
