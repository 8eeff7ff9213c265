#include "footfall/real_time/pacer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <ctime>

namespace footfall::real_time {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;  // [ns]

std::int64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return kSecond * time.tv_sec + time.tv_nsec;
}

}  // namespace

Pacer::Pacer(double step) : step_(step) {}

void Pacer::start() { start_ns_ = now(); }

bool Pacer::wait(const std::function<bool()>& stop) {
  ++steps_;
  // From the number of steps, not from the last deadline: rounding does not add up.
  const std::int64_t deadline = start_ns_ + std::llround(1e9 * step_ * static_cast<double>(steps_));
  const std::int64_t done = now();
  if (done > deadline) {
    ++missed_;
    worst_lateness_ = std::max(worst_lateness_, 1e-9 * static_cast<double>(done - deadline));
    return !stop();
  }
  const timespec until{static_cast<time_t>(deadline / kSecond), static_cast<long>(deadline % kSecond)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR)
    if (stop()) return false;
  const double jitter = 1e-9 * static_cast<double>(now() - deadline);
  sum_jitter_ += jitter;
  worst_jitter_ = std::max(worst_jitter_, jitter);
  return !stop();
}

double Pacer::meanJitter() const {
  return sum_jitter_ / static_cast<double>(std::max<std::int64_t>(steps_ - missed_, 1));
}

std::string Pacer::summary() const {
  return fmt::format("{} steps to the clock, {} deadlines missed{}; woken {:.3g} ms late on average, {:.3g} ms at most",
                     steps_, missed_, missed_ > 0 ? fmt::format(" by up to {:.3g} ms", 1e3 * worst_lateness_) : "",
                     1e3 * meanJitter(), 1e3 * worst_jitter_);
}

}  // namespace footfall::real_time
