#include "footfall/solver/contact_solver.hpp"

#include <fmt/format.h>

#include "footfall/base/error.hpp"
#include "footfall/base/plugin.hpp"
#include "solver/native/native_solver.hpp"
#include "solver/watched_solver.hpp"

namespace footfall {
namespace {

constexpr FrictionLaw kLaws[] = {FrictionLaw::cone, FrictionLaw::pyramid, FrictionLaw::convex_pyramid};

/// The name of a law in messages and scene files.
const char* nameOf(FrictionLaw law) {
  switch (law) {
    case FrictionLaw::cone:
      return "cone";
    case FrictionLaw::pyramid:
      return "pyramid";
    case FrictionLaw::convex_pyramid:
      return "convex_pyramid";
  }
  return "unknown";
}

std::string servedLaws(const ContactSolver& solver) {
  std::string names;
  for (FrictionLaw law : kLaws)
    if (solver.supports(law)) names += (names.empty() ? "" : ", ") + std::string(nameOf(law));
  return names.empty() ? "nothing" : names;
}

}  // namespace

std::unique_ptr<ContactSolver> makeContactSolver(const std::string& name) {
  if (name == "native") return makeNativeSolver();
  return watchSolver(makeFromPlugin<ContactSolver>("solver", name, "footfall_make_solver"), name);
}

void requireSupport(const ContactSolver& solver, FrictionLaw law) {
  if (solver.supports(law)) return;
  const bool pyramid = law == FrictionLaw::cone && solver.supports(FrictionLaw::pyramid);
  throw Error("", fmt::format("the solver '{}' serves friction: {}", solver.name(), servedLaws(solver)),
              fmt::format("for friction: {} choose solver: native{}", nameOf(law),
                          pyramid ? "; this solver takes friction_law: pyramid" : ""));
}

}  // namespace footfall
