#pragma once

namespace footfall {

/// An index that knows what it counts: a FrameIndex cannot be passed where a LinkIndex is wanted.
template <class Tag>
class TypedIndex {
 public:
  constexpr TypedIndex() = default;
  constexpr explicit TypedIndex(int value) : value_(value) {}
  constexpr operator int() const { return value_; }
  constexpr bool valid() const { return value_ >= 0; }

 private:
  int value_ = -1;
};

using LinkIndex = TypedIndex<struct LinkTag>;    ///< a moving body; 0 is the base
using JointIndex = TypedIndex<struct JointTag>;  ///< joint j moves link j + 1
using DofIndex = TypedIndex<struct DofTag>;      ///< an independent joint coordinate
using FrameIndex = TypedIndex<struct FrameTag>;  ///< a named frame fixed to a link

}  // namespace footfall
