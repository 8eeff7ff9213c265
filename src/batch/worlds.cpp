#include "batch/worlds.hpp"

#include <algorithm>

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
      warm_impulse(copies, sizeOf(initial.warm.impulse)),
      warm_candidate(static_cast<std::size_t>(copies) * initial.warm.candidate.size()),
      warm_slots(static_cast<int>(initial.warm.candidate.size())),
      minimum_norm(copies),
      count(copies),
      status(copies, SolveStatus::converged),
      auto_resets(copies, 0),
      commanded(copies, 0) {
  for (int world = 0; world < copies; ++world) store(world, initial);
}

std::size_t Worlds::bytes() const {
  std::size_t sum = bytesOf(warm_candidate) + bytesOf(minimum_norm) + bytesOf(count) + bytesOf(status) +
                    bytesOf(auto_resets) + bytesOf(commanded);
  for (const BatchArray* array :
       {&q, &nu, &motors, &time, &warm_impulse, &tau, &generalized, &push, &target, &stiffness, &damping,
        &motor_strength, &friction, &delay, &start_q, &start_nu, &sole_wrench, &joint_torque, &commands})
    sum += array->bytes();
  return sum;
}

void Worlds::reset(int world, const State& initial) {
  store(world, initial);
  if (!start_q.empty()) q.row(world) = start_q.row(world);
  if (!start_nu.empty()) nu.row(world) = start_nu.row(world);
  commanded[world] = 0;
}

void Worlds::load(int world, State& to) const {
  to.time = time(world, 0);
  to.q = q.row(world);
  to.nu = nu.row(world);
  to.motors = motors.row(world);
  to.warm.impulse = warm_impulse.row(world);
  std::copy_n(warm_candidate.data() + static_cast<std::size_t>(world) * warm_slots, warm_slots,
              to.warm.candidate.data());
  to.warm.minimum_norm = minimum_norm[world] != 0;
  to.count = count[world];
}

void Worlds::store(int world, const State& from) {
  time(world, 0) = from.time;
  q.row(world) = from.q;
  nu.row(world) = from.nu;
  motors.row(world) = from.motors;
  warm_impulse.row(world) = from.warm.impulse;
  std::copy_n(from.warm.candidate.data(), warm_slots,
              warm_candidate.data() + static_cast<std::size_t>(world) * warm_slots);
  minimum_norm[world] = from.warm.minimum_norm ? 1 : 0;
  count[world] = from.count;
}

}  // namespace footfall
