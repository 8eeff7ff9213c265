#pragma once

#include <memory>
#include <nlohmann/json.hpp>

#include "studio/server/memory_recording.hpp"
#include "studio/server/session.hpp"

namespace footfall::studio {

/// Rows of a simulation that were taken back, because somebody went on from an earlier instant: they are kept to be
/// looked at beside those that came in their place.
class FormerSession : public Session {
 public:
  /// @param live must outlive it: both show the same robot
  FormerSession(const Session& live, const std::vector<Column>& columns, std::size_t most_bytes)
      : live_(live), rows_(columns, most_bytes) {}

  nlohmann::json describe() const override { return live_.describe(); }
  std::shared_ptr<const SceneDescription> scene() const override { return live_.scene(); }
  const Recording& recording() const override { return rows_; }
  MemoryRecording& rows() { return rows_; }

 private:
  const Session& live_;
  MemoryRecording rows_;
};

}  // namespace footfall::studio
