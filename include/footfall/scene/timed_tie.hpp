#pragma once

#include <string>
#include <vector>

#include "footfall/step/tie.hpp"

namespace footfall {

/// A tie of a scene with its times.
struct TimedTie {
  TieRequest request;
  bool commanded;      ///< made and released by somebody else, and not by time
  double from, until;  ///< [s]
  std::string where;   ///< for errors
};

/// Makes and releases, between two steps of length dt, the ties whose instant is the one of the state, to half a step.
/// A tie that is made already, or was released by somebody else, stays so. Throws Error with the place in the scene for
/// ties that cannot be made.
void followTies(const std::vector<TimedTie>& ties, double dt, State& state, Workspace& workspace);

/// Those that are commanded, in their order, by numbers: above a half it is there. Throws Error as followTies() does.
void commandTies(const std::vector<TimedTie>& ties, Eigen::Ref<const VectorXd> wanted, State& state,
                 Workspace& workspace);
int commandedTies(const std::vector<TimedTie>& ties);  ///< how many there are

}  // namespace footfall
