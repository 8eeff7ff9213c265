#include "studio/server/checkpoints.hpp"

namespace footfall::studio {

void Checkpoints::truncate(std::size_t end) {
  while (!all_.empty() && all_.back().row >= end) all_.pop_back();
}

void Checkpoints::forgetBefore(std::size_t first) {
  while (all_.size() > 1 && all_[1].row <= first) all_.pop_front();
}

const Checkpoint* Checkpoints::before(std::size_t row) const {
  const Checkpoint* found = nullptr;
  for (const Checkpoint& each : all_)
    if (each.row <= row) found = &each;
  return found;
}

}  // namespace footfall::studio
