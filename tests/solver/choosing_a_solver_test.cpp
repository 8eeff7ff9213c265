#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>

#include "footfall/base/error.hpp"
#include "footfall/solver/contact_solver.hpp"

namespace footfall::test {
namespace {

std::string messageOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Serves the two pyramids, as QP solvers do.
class PyramidOnly final : public ContactSolver {
 public:
  std::string_view name() const override { return "pyramid_only"; }
  bool supports(FrictionLaw law) const override { return law != FrictionLaw::cone; }
  void reserve(int) override {}
  void solve(const ContactProblem&, const SolverSettings&, ContactSolution&) override {}
};

TEST(ChoosingASolver, NativeIsAlwaysThereAndServesEveryLaw) {
  const auto solver = makeContactSolver("native");
  EXPECT_EQ(solver->name(), "native");
  for (FrictionLaw law : {FrictionLaw::cone, FrictionLaw::pyramid, FrictionLaw::convex_pyramid})
    EXPECT_NO_THROW(requireSupport(*solver, law));
}

TEST(ChoosingASolver, AnUnknownNameIsAnErrorThatNamesWhatIsThere) {
  const std::string message = messageOf([] { makeContactSolver("no_such_solver"); });
  EXPECT_NE(message.find("no_such_solver"), std::string::npos) << message;
  EXPECT_NE(message.find("native"), std::string::npos) << message;
}

TEST(ChoosingASolver, ALawThatIsNotServedIsAnErrorThatNamesTheChoices) {
  const PyramidOnly solver;
  EXPECT_NO_THROW(requireSupport(solver, FrictionLaw::pyramid));
  const std::string message = messageOf([&] { requireSupport(solver, FrictionLaw::cone); });
  EXPECT_NE(message.find("'pyramid_only' serves friction: pyramid, convex_pyramid"), std::string::npos) << message;
  EXPECT_NE(message.find("for friction: cone choose solver: native"), std::string::npos) << message;
  EXPECT_NE(message.find("this solver takes friction_law: pyramid"), std::string::npos) << message;
}

TEST(ChoosingASolver, EveryInstructionSetOfThisMachineSolvesAndAnUnknownOneIsRefused) {
  const char* before = std::getenv("FOOTFALL_ISA");
  setenv("FOOTFALL_ISA", "baseline", 1);
  EXPECT_NO_THROW(makeContactSolver("native"));
  setenv("FOOTFALL_ISA", "abacus", 1);
  const std::string message = messageOf([] { makeContactSolver("native"); });
  EXPECT_NE(message.find("abacus"), std::string::npos) << message;
  EXPECT_NE(message.find("baseline"), std::string::npos) << message;
  if (before != nullptr)
    setenv("FOOTFALL_ISA", before, 1);
  else
    unsetenv("FOOTFALL_ISA");
}

}  // namespace
}  // namespace footfall::test
