#include <gtest/gtest.h>

#include <type_traits>

#include "footfall/contact/constraint_system.hpp"
#include "footfall/contact/gap_velocity.hpp"
#include "physics/made_models.hpp"

namespace footfall::physics {
namespace {

// A problem is made in one place and read in all others.
static_assert(std::is_same_v<decltype(std::declval<ConstraintSystem&>().problem()), const ContactProblem&>);
static_assert(std::is_same_v<decltype(std::declval<ConstraintSystem&>().assemble(
                                 std::declval<const Dynamics&>(), std::declval<const VectorXd&>(), ProblemTerms{})),
                             const ContactProblem&>);

constexpr double kStep = 1e-3;        ///< [s]
constexpr double kFriction = 0.3;     ///< of the joint [N m]
constexpr double kGap = 2e-4;         ///< of the higher foot [m]
constexpr double kLimitGap = 0.5e-3;  ///< [rad]

/// A body with two feet, of which one touches; it carries a lever by a hinge that is near its upper limit and rubs.
Model bodyWithLever() {
  Model model = freeBodyModel(bodyInertia(2.0, {0.01, 0.02, 0.0}, {0.1, 0.2, 0.3}));
  const LinkIndex lever = addHinge(model, LinkIndex(0), Vector3d::UnitY(), {0.0, 0.0, 0.1},
                                   bodyInertia(0.5, {0.1, 0.0, 0.05}, {0.01, 0.02, 0.03}));
  EXPECT_EQ(static_cast<int>(lever), 1);
  model.dofs[0].upper = kLimitGap;
  model.dofs[0].friction = kFriction;
  addContactPoint(model, LinkIndex(0), {0.1, 0.0, 0.0});
  addContactPoint(model, LinkIndex(0), {-0.1, 0.05, kGap});
  return model;
}

class ProblemAssemblyTest : public testing::Test {
 protected:
  ProblemAssemblyTest() : model_(bodyWithLever()), dynamics_(makeDynamics("native", model_)), system_(model_) {
    q_ = makeState(model_).q;
    nu_ = VectorXd::LinSpaced(model_.nv(), -0.2, 0.3);
    dynamics_->reserveContacts(system_.capacity());
    dynamics_->update(q_, nu_);
    system_.activate(ground_, 0.0, kStep, q_, nu_, *dynamics_);
    system_.computeDelassus(*dynamics_);
  }
  const ContactProblem& assemble(const ProblemTerms& terms) { return system_.assemble(*dynamics_, nu_, terms); }

  Model model_;
  Plane ground_;
  std::unique_ptr<Dynamics> dynamics_;
  ConstraintSystem system_;
  VectorXd q_, nu_;
};

bool isInert(const ContactProblem& problem, int contact) {
  const ContactLayout& layout = problem.layout;
  bool inert = problem.mu[contact] == 0.0 && problem.b[layout.row(contact, 0)] == 0.0 &&
               problem.b[layout.row(contact, 1)] == 0.0 && problem.b[layout.row(contact, 2)] == 1.0;
  for (int j = 0; j < layout.stride; ++j)
    for (int a = 0; a < 3; ++a)
      for (int c = 0; c < 3; ++c) inert = inert && problem(contact, a, j, c) == 0.0 && problem(j, c, contact, a) == 0.0;
  return inert;
}

TEST_F(ProblemAssemblyTest, GivesEachKindOfConstraintItsRows) {
  const ContactProblem& problem = assemble({.dt = kStep});
  const ContactLayout& layout = problem.layout;
  ASSERT_EQ(layout.contacts, 4);  // two feet, a limit, a friction
  const double rate = nu_[6];
  for (int foot : {0, 1}) EXPECT_EQ(problem.mu[foot], ground_.at({0, 0, 0}, 0.0).friction);
  // The limit: the normal alone moves with the joint, and may come as near as it is.
  EXPECT_EQ(problem.mu[2], 0.0);
  EXPECT_EQ(problem.b[layout.row(2, 2)], -rate + gapVelocity(kLimitGap, kStep));
  EXPECT_EQ(problem.b[layout.row(2, 0)], 0.0);
  EXPECT_LT(problem(2, 2, 3, 0), 0.0);  // the upper limit pushes against the direction in which friction is counted
  EXPECT_EQ(problem(2, 2, 3, 0), -problem(3, 0, 3, 0));
  // Friction: the first tangent moves with the joint; the normal is alone, and gets the impulse that bounds it.
  EXPECT_EQ(problem.mu[3], 1.0);
  EXPECT_EQ(problem.b[layout.row(3, 0)], rate);
  EXPECT_DOUBLE_EQ(-problem.b[layout.row(3, 2)] / problem(3, 2, 3, 2), kFriction * kStep);
  for (int row : {0, 1, 2}) EXPECT_EQ(problem(3, 2, 0, row), 0.0);
}

TEST_F(ProblemAssemblyTest, FrictionOfJointsPlaysNoPartInAnImpact) {
  const ContactProblem& problem = assemble({.dt = kStep, .instant = true});
  EXPECT_EQ(problem.b[problem.layout.row(3, 2)], 0.0);
}

TEST_F(ProblemAssemblyTest, AddsItsTermsToTheVelocity) {
  const ContactProblem plain = assemble({.dt = kStep});
  const double normal[] = {0.25, 0.5};
  AlignedVector shift(plain.layout.rows(), 0.125);
  const ContactProblem& problem = assemble({.dt = kStep, .normal = normal, .shift = &shift});
  const ContactLayout& layout = problem.layout;
  for (int i = 0; i < layout.contacts; ++i)
    for (int c = 0; c < 3; ++c) {
      const double before = plain.b[layout.row(i, c)];
      const double gap = c == 2 && i < 2 ? normal[i] : 0.0;
      EXPECT_EQ(problem.b[layout.row(i, c)], before + gap + 0.125);
    }
}

TEST_F(ProblemAssemblyTest, LeavesOutWhatIsTooFarAndOnlyForThatProblem) {
  const ContactProblem all = assemble({.dt = kStep});
  EXPECT_FALSE(isInert(all, 1));
  const ContactProblem near = assemble({.law = FrictionLaw::convex_pyramid, .dt = kStep, .farthest = 0.5 * kGap});
  EXPECT_EQ(near.law, FrictionLaw::convex_pyramid);
  EXPECT_TRUE(isInert(near, 1));
  EXPECT_FALSE(isInert(near, 0));
  const ContactProblem again = assemble({.dt = kStep});
  EXPECT_EQ(again.law, FrictionLaw::cone);
  EXPECT_EQ(again.G, all.G);
  EXPECT_EQ(again.b, all.b);
  EXPECT_EQ(again.mu, all.mu);
}

TEST_F(ProblemAssemblyTest, KeepsPaddingInertWhateverIsAdded) {
  model_.dofs[0].friction = 0.0;  // three rows are left: one is padding
  system_.activate(ground_, 0.0, kStep, q_, nu_, *dynamics_);
  system_.computeDelassus(*dynamics_);
  ASSERT_EQ(system_.layout().contacts, 3);
  AlignedVector shift(system_.layout().rows(), 7.0);
  const ContactProblem& problem = assemble({.dt = kStep, .shift = &shift});
  ASSERT_EQ(problem.layout.stride, 4);
  EXPECT_TRUE(isInert(problem, 3));
}

TEST(ProblemAssembly, DetachesContactsThatOnlyDrivesCanMove) {
  Model model = fixedBaseModel();
  const LinkIndex lever =
      addHinge(model, LinkIndex(0), Vector3d::UnitY(), Vector3d::Zero(), bodyInertia(1.0, {0.1, 0.0, 0.0}, {1, 1, 1}));
  addContactPoint(model, lever, {0.2, 0.0, 0.0});
  model.dofs[0].prescribed = true;
  const Plane ground;
  const auto dynamics = makeDynamics("native", model);
  const VectorXd q = makeState(model).q, nu = VectorXd::Zero(model.nv());
  ConstraintSystem system(model);
  dynamics->reserveContacts(system.capacity());
  VectorXd drive = VectorXd::Constant(1, 1e60);  // what a drive is to the engine
  dynamics->setImplicitInertia(drive);
  dynamics->update(q, nu);
  system.activate(ground, 0.0, kStep, q, nu, *dynamics);
  system.computeDelassus(*dynamics);
  ASSERT_EQ(system.immovable().size(), 1u);
  const ContactProblem& problem = system.assemble(*dynamics, nu, {.dt = kStep});
  for (int c = 0; c < 3; ++c) EXPECT_EQ(problem(0, c, 0, c), 1.0);
}

}  // namespace
}  // namespace footfall::physics
