#pragma once

#include <map>
#include <string>
#include <vector>

#include "footfall/model/model.hpp"
#include "studio/server/recording.hpp"

namespace footfall::studio {

/// Numbers of columns by their names.
class ColumnFinder {
 public:
  explicit ColumnFinder(const std::vector<Column>& columns);

  int find(const std::string& name) const;     ///< −1 when there is none
  int require(const std::string& name) const;  ///< throws Error when there is none

  /// Where q is: position, quaternion (x, y, z, w), joints. Throws Error that names the column that is missing.
  std::vector<int> configuration(const Model& model) const;
  /// Where ν is: always with the six numbers of the base, in world axes.
  std::vector<int> velocity(const Model& model) const;

 private:
  void requireAll(const std::string& channel, const std::vector<std::string>& components, std::vector<int>& out) const;

  std::map<std::string, int> numbers_;
};

}  // namespace footfall::studio
