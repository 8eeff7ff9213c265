#pragma once

#include "footfall/block/diagram.hpp"

namespace footfall {

/// Tells an observer when the evaluation of a block begins and ends.
class Timed {
 public:
  Timed(DiagramObserver* observer, int block, DiagramObserver::Phase phase)
      : observer_(observer), block_(block), phase_(phase) {
    if (observer_ != nullptr) observer_->begin(block_, phase_);
  }
  ~Timed() {
    if (observer_ != nullptr) observer_->end(block_, phase_);
  }

 private:
  DiagramObserver* observer_;
  int block_;
  DiagramObserver::Phase phase_;
};

}  // namespace footfall
