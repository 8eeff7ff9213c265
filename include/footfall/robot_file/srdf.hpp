#pragma once

#include <string>
#include <vector>

namespace footfall {

/// Two links of a robot that are not to touch each other, as an SRDF file says (MoveIt's `<disable_collisions>`).
struct DisabledPair {
  std::string where;  ///< file:line
  std::string link_a, link_b;
};

/// Reads the pairs of an SRDF file; all else in it (groups, states, end effectors) is for planners. Throws Error with
/// file and line.
std::vector<DisabledPair> parseSrdf(const std::string& text, const std::string& source);
std::vector<DisabledPair> loadSrdf(const std::string& path);

}  // namespace footfall
