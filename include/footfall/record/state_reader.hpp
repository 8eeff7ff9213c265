#pragma once

#include <cstddef>
#include <vector>

#include "footfall/log/log_reader.hpp"
#include "footfall/model/state.hpp"
#include "footfall/record/tie_reader.hpp"

namespace footfall {

/// The states of a log that RunRecorder wrote: the same bits as when they were logged.
class StateReader {
 public:
  /// Throws Error when the log does not hold the states of this model. Both must outlive the reader.
  StateReader(const LogReader& log, const Model& model);

  /// The state at the start of a row's step. The warm start is there when it was recorded, and cold when not.
  State at(std::size_t row) const;

 private:
  const LogReader& log_;
  State empty_;               ///< of the right size
  std::vector<int> columns_;  ///< in the order in which at() takes their values
  bool has_warm_start_;
  TieReader ties_;
};

}  // namespace footfall
