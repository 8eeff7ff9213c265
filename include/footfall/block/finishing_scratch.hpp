#pragma once

#include "footfall/block/block.hpp"

namespace footfall {

/// Of a block that has something to complete when its run has ended, such as a file: what goes wrong there can still be
/// told, which a destructor cannot.
class FinishingScratch : public BlockScratch {
 public:
  /// No step follows. Throws Error.
  virtual void finish() = 0;
};

}  // namespace footfall
