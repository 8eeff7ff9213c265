#pragma once

#include <atomic>
#include <future>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "studio/server/session.hpp"

namespace footfall::studio {

/// Finds out in the background where the first of some runs parts from each of the others, where they are logs.
class RunComparison {
 public:
  explicit RunComparison(const std::vector<std::unique_ptr<Session>>& sessions);
  ~RunComparison();

  /// {"done": false} while it is being found out; then also "time", "column" and both values, or a "time" that is null.
  /// @param session its number
  nlohmann::json differenceTo(std::size_t session) const;
  /// Waits for it.
  nlohmann::json wait(std::size_t session) const;

 private:
  std::atomic<bool> ending_ = false;
  std::vector<std::shared_future<std::shared_ptr<const nlohmann::json>>> results_;  ///< of session 1, 2, …
};

}  // namespace footfall::studio
