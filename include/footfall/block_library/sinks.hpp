#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "footfall/block/diagram.hpp"

namespace footfall {

/// What a Scope has seen: the newest samples, at most as many as its parameter `capacity` says.
class ScopeSamples : public BlockScratch {
 public:
  explicit ScopeSamples(int capacity) : capacity_(static_cast<std::size_t>(capacity)) {}

  std::size_t count() const { return count_; }
  double time(std::size_t sample) const { return *at(sample); }  ///< 0 is the oldest one [s]
  /// All inputs of the scope, one after the other.
  Eigen::Map<const VectorXd> values(std::size_t sample) const { return {at(sample) + 1, width_}; }

  void add(Evaluation& e, int inputs);

 private:
  const double* at(std::size_t sample) const;

  std::size_t capacity_, count_ = 0, next_ = 0;
  Eigen::Index width_ = 0;       ///< numbers of a sample, without its time
  std::vector<double> numbers_;  ///< a ring of samples: time, then values
};

/// The newest value of what a Viewer shows.
class ViewedValues : public BlockScratch {
 public:
  double time = 0.0;  ///< [s]
  VectorXd values;    ///< all inputs of the viewer, one after the other
};

/// Looks into the Scope at a path of the diagram; throws Error when the block there is none.
const ScopeSamples& scopeSamples(const Diagram& diagram, Context& context, const std::string& path);
const ViewedValues& viewedValues(const Diagram& diagram, Context& context, const std::string& path);

}  // namespace footfall
