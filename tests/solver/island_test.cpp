// Contacts that do not feel each other are solved as if each of their islands were alone.

#include <gtest/gtest.h>

#include "footfall/solver/island_solver.hpp"
#include "solver/problems.hpp"
#include "tools/random_seed.hpp"

namespace footfall::test {
namespace {

ContactProblem randomBox(int contacts, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Eigen::MatrixXd J(3 * contacts, 6);
  for (Eigen::Index k = 0; k < J.size(); ++k) J.data()[k] = normal(random);
  Eigen::VectorXd free(6);
  for (Eigen::Index k = 0; k < 6; ++k) free[k] = normal(random);
  return fromJacobian(J, Eigen::MatrixXd::Identity(6, 6), free, 0.5, FrictionLaw::cone);
}

/// Both in one, their contacts in turns as long as there are some of both.
ContactProblem interleaved(const ContactProblem& a, const ContactProblem& b, std::vector<std::pair<int, int>>& places) {
  const ContactProblem* parts[] = {&a, &b};
  for (int k = 0; k < std::max(a.layout.contacts, b.layout.contacts); ++k)
    for (int part = 0; part < 2; ++part)
      if (k < parts[part]->layout.contacts) places.emplace_back(part, k);
  ContactProblem both;
  const int count = static_cast<int>(places.size());
  both.resize(count);
  std::fill(both.G.begin(), both.G.end(), 0.0);
  for (int i = 0; i < count; ++i) {
    const auto [part, k] = places[i];
    both.mu[i] = parts[part]->mu[k];
    for (int c = 0; c < 3; ++c) {
      both.b[both.layout.row(i, c)] = parts[part]->b[parts[part]->layout.row(k, c)];
      for (int j = 0; j < count; ++j)
        for (int d = 0; d < 3; ++d)
          if (places[j].first == part) both(i, c, j, d) = (*parts[part])(k, c, places[j].second, d);
    }
  }
  return both;
}

TEST(Islands, GiveTheBitsThatEachGivesAlone) {
  std::mt19937 random(randomSeed(3));
  const std::unique_ptr<ContactSolver> islands = makeIslandSolver(makeContactSolver("native"));
  const std::unique_ptr<ContactSolver> alone = makeContactSolver("native");
  islands->reserve(16);
  alone->reserve(16);
  for (int trial = 0; trial < 50; ++trial) {
    const ContactProblem a = randomBox(1 + trial % 5, random), b = randomBox(2 + trial % 3, random);
    std::vector<std::pair<int, int>> places;
    const ContactProblem both = interleaved(a, b, places);
    const ContactSolution whole = solveCold(*islands, both);
    const ContactSolution parts[] = {solveCold(*alone, a), solveCold(*alone, b)};
    EXPECT_EQ(whole.status, std::max(parts[0].status, parts[1].status));
    EXPECT_EQ(whole.residual, std::max(parts[0].residual, parts[1].residual));
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto [part, k] = places[i];
      EXPECT_EQ(contactOf(both, whole.impulse, static_cast<int>(i)),
                contactOf(part == 0 ? a : b, parts[part].impulse, k));
    }
  }
}

}  // namespace
}  // namespace footfall::test
