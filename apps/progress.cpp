#include "progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "terminal.hpp"

namespace footfall::command {
namespace {

constexpr std::chrono::milliseconds kTick{100};
constexpr std::chrono::seconds kBetweenLines{10};  // where lines cannot be redrawn

std::string bar(double share) {
  constexpr int kWidth = 30;
  const int full = static_cast<int>(std::clamp(share, 0.0, 1.0) * kWidth);
  std::string text;
  for (int i = 0; i < kWidth; ++i) text += i < full ? "█" : "░";
  return text;
}

}  // namespace

Progress::Progress(double start, double end, bool quiet) : start_(start), end_(end), live_(isLive()), quiet_(quiet) {
  next_line_ += live_ ? Clock::duration(kTick) : kBetweenLines;
}

double Progress::finish(double time, int contacts) {
  const double seconds = wallSeconds();
  if (live_ && !quiet_) {
    draw(time, contacts);
    tell("\n");
  }
  return seconds;
}

double Progress::wallSeconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

void Progress::update(double time, int contacts) {
  const Clock::time_point now = Clock::now();
  if (quiet_ || now < next_line_) return;
  next_line_ = now + (live_ ? Clock::duration(kTick) : kBetweenLines);
  draw(time, contacts);
}

void Progress::draw(double time, int contacts) const {
  const double share = end_ > start_ ? (time - start_) / (end_ - start_) : 1.0;
  const std::string line = fmt::format("{:3.0f} %  t = {:.3f} s of {:g} s  {:.1f} × real time  {} contacts",
                                       100.0 * share, time, end_, (time - start_) / wallSeconds(), contacts);
  if (live_)
    tell(fmt::format("\r\033[K{} {}", bar(share), line));
  else
    tell(fmt::format("{}\n", line));
}

}  // namespace footfall::command
