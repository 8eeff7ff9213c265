#include "footfall/model/loops.hpp"

#include <algorithm>

namespace footfall {

std::vector<std::string> namesOf(const std::vector<Loop>& loops) {
  std::vector<std::string> names;
  for (const Loop& loop : loops) names.push_back(loop.name);
  return names;
}

std::vector<Loop>::const_iterator findLoop(const std::vector<Loop>& loops, std::string_view name) {
  return std::find_if(loops.begin(), loops.end(), [&](const Loop& loop) { return loop.name == name; });
}

}  // namespace footfall
