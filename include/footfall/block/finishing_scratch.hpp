#pragma once

#include "footfall/block/block.hpp"

namespace footfall {

/// Of a block that has something to complete when its run has ended, such as a file: what goes wrong there can still be
/// told, which a destructor cannot.
class FinishingScratch : public BlockScratch {
 public:
  /// The run pauses: who looks at the file now finds what was written until here, as far as its format can. Throws
  /// Error.
  virtual void flush() {}
  /// No step follows. Throws Error.
  virtual void finish() = 0;
};

}  // namespace footfall
