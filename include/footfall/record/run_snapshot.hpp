#pragma once

#include <memory>
#include <span>
#include <vector>

#include "footfall/log/log.hpp"
#include "footfall/run/robot_run.hpp"

namespace footfall {

/// The channels that a log of a run has, for tools that ask for their values instead of reading a log: the state as it
/// is now, and the mean forces of the step that led to it (zero before the first one).
class RunSnapshot {
 public:
  explicit RunSnapshot(const RobotRun& robot);
  ~RunSnapshot();
  RunSnapshot(RunSnapshot&&) noexcept;
  RunSnapshot& operator=(RunSnapshot&&) noexcept;

  const std::vector<Channel>& channels() const;

  /// Values of all channels, one after the other; valid until the next call. What is not known is zero.
  std::span<const double> take(const RobotRun& robot, bool has_stepped);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace footfall
