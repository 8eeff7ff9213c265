#include "footfall/solver/contact_pack.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

namespace footfall {
namespace {

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

constexpr int kContacts = 5, kRows = 3 * kContacts, kProblems = ContactPack::kProblems;

/// Eight problems of contacts that stick, each with some that do not press.
class EightProblems : public testing::Test {
 protected:
  EightProblems() {
    for (int i = 0; i < kProblems; ++i) set(i, i);
  }

  /// Problem `number` of an endless row of them, at the place i.
  void set(int i, int number) {
    std::mt19937 random(100 + number);
    std::uniform_real_distribution<double> entry(-1.0, 1.0);
    const Eigen::MatrixXd J = Eigen::MatrixXd::NullaryExpr(kRows, kRows + 3, [&] { return entry(random); });
    const Eigen::MatrixXd own = J * J.transpose();
    for (int r = 0; r < kRows; ++r) {
      for (int c = 0; c < kRows; ++c) G[(r * kRows + c) * kProblems + i] = own(r, c);
      b[r * kProblems + i] = entry(random);
      part[r * kProblems + i] = r % kContacts == number % kContacts ? 0.0 : 1.0;
    }
    compliance[i] = 1e-6 * (1 + number);
  }

  void solve() {
    pack.factorise(G.data(), part.data(), compliance.data());
    pack.solve(b.data(), p.data());
    pack.velocity(G.data(), b.data(), p.data(), v.data());
  }

  ContactPack pack{std::vector<int>{0, 1, 2, 3, 4}};
  AlignedVector G = AlignedVector(kRows * kRows * kProblems, 0.0);
  AlignedVector b = AlignedVector(kRows * kProblems, 0.0), part = b, p = b, v = b;
  AlignedVector compliance = AlignedVector(kProblems, 0.0);
};

/// What presses gives way by its compliance, whatever its impulse; the rest has none.
TEST_F(EightProblems, ContactsThatPressGiveWayByTheirCompliance) {
  solve();
  for (int k = 0; k < kRows * kProblems; ++k) {
    if (part[k] == 0.0)
      EXPECT_EQ(p[k], 0.0);
    else  // velocities are of size 1, impulses up to 1e3 times that
      EXPECT_NEAR(v[k], -compliance[k % kProblems] * p[k], 1e-12);
  }
}

TEST_F(EightProblems, AProblemGivesTheSameBitsAtEveryPlaceAndBesideEveryOther) {
  solve();
  const AlignedVector p_before = p, v_before = v;
  for (int i = 0; i < kProblems; ++i) set(i, i == 2 ? 40 : i == 3 ? 5 : (i + 3) % kProblems);
  for (int r = 0; r < kRows; ++r) b[r * kProblems + 2] = std::nan("");
  solve();
  for (int r = 0; r < kRows; ++r) {
    const auto same = [&](const AlignedVector& now, int at, const AlignedVector& before, int was) {
      return bits(now[r * kProblems + at]) == bits(before[r * kProblems + was]);
    };
    for (const int at : {0, 1, 4, 5, 6, 7}) {
      EXPECT_TRUE(same(p, at, p_before, (at + 3) % kProblems));
      EXPECT_TRUE(same(v, at, v_before, (at + 3) % kProblems));
    }
    EXPECT_TRUE(same(p, 3, p_before, 5));
  }
}

constexpr std::array<bool, kProblems> kAll = {true, true, true, true, true, true, true, true};

/// By hand, from the definition: |q − P(q − v)| with the projection P on the cone.
TEST_F(EightProblems, ResidualsAreThoseOfTheNaturalMap) {
  AlignedVector scale(kContacts * kProblems), active(scale), friction(kProblems), residual(kProblems);
  for (int k = 0; k < kContacts * kProblems; ++k) scale[k] = 0.2 + 0.1 * (k % 7), active[k] = k % 3 == 0 ? 0.0 : 1.0;
  for (int i = 0; i < kProblems; ++i) friction[i] = 0.5 * i;
  solve();
  for (std::size_t k = 0; k < p.size(); ++k)
    p[k] += 3.0 * std::sin(static_cast<double>(k));  // sticks, slides and opens
  pack.residuals(scale.data(), active.data(), friction.data(), p.data(), v.data(), residual.data());
  int sliding = 0, sticking = 0;
  for (int i = 0; i < kProblems; ++i) {
    double worst = 0.0;
    for (int contact = 0; contact < kContacts; ++contact) {
      const auto at = [&](const AlignedVector& rows) {
        return Eigen::Vector3d(rows[contact * kProblems + i], rows[(kContacts + contact) * kProblems + i],
                               rows[(2 * kContacts + contact) * kProblems + i]);
      };
      if (active[contact * kProblems + i] == 0.0) continue;
      const Eigen::Vector3d q = scale[contact * kProblems + i] * at(p), a = q - at(v);
      const double bound = friction[i] * std::max(q.z(), 0.0), length = a.head<2>().norm();
      Eigen::Vector3d nearest = a;
      if (length > bound) nearest.head<2>() *= bound / length;
      ++(length > bound ? sliding : sticking);
      nearest.z() = std::max(a.z(), 0.0);
      worst = std::max(worst, (q - nearest).norm());
    }
    EXPECT_NEAR(residual[i], worst, 1e-14 * (1.0 + worst));
  }
  EXPECT_GE(std::min(sliding, sticking), 3) << "the test looks at nothing";
  v[kProblems * 1 + 4] = std::nan("");
  active[kProblems * 1 + 4] = 1.0;
  pack.residuals(scale.data(), active.data(), friction.data(), p.data(), v.data(), residual.data());
  EXPECT_TRUE(std::isnan(residual[4]));
  EXPECT_FALSE(std::isnan(residual[5]));
}

/// Few rows are solved where few contacts press, and more for a neighbour with more of them.
TEST_F(EightProblems, ContactsThatSlideDoNotKnowHowManyPressInOtherProblems) {
  ContactPackStates states(kContacts);
  for (int k = 0; k < kContacts * kProblems; ++k) {
    const int contact = k / kProblems, problem = k % kProblems;
    const bool presses = problem != 3 || contact == 1 || contact == kContacts - 1, slides = contact % 2 == 1;
    states.presses[k] = presses ? 1.0 : 0.0;
    states.sticks[k] = presses && !slides ? 1.0 : 0.0;
    states.x[k] = slides ? 0.6 : 1.0;
    states.y[k] = slides ? 0.8 : 0.0;
    states.drag[k] = presses && slides ? 0.3 : 0.0;
    states.give[k] = presses && slides ? 0.1 : 0.0;
  }
  pack.solveSliding(G.data(), b.data(), states, compliance.data(), kAll, p.data());
  AlignedVector alone = p;
  pack.solveSliding(G.data(), b.data(), states, compliance.data(), {false, false, false, true}, alone.data());
  bool any = false;
  for (int r = 0; r < kRows; ++r) {
    EXPECT_EQ(bits(alone[r * kProblems + 3]), bits(p[r * kProblems + 3])) << "row " << r;
    any = any || p[r * kProblems + 3] != 0.0;
  }
  EXPECT_TRUE(any);
}

/// Friction of what slides goes against its velocity, at its bound; the rest gives way by its compliance. Newton's
/// method finds the directions.
TEST_F(EightProblems, ContactsThatSlideAreHeldBackByFrictionAtItsBound) {
  constexpr double kFriction = 0.3;
  ContactPackStates states(kContacts);
  for (int k = 0; k < kContacts * kProblems; ++k) {
    const bool slides = k / kProblems == 1;
    states.presses[k] = part[k];
    states.sticks[k] = slides ? 0.0 : part[k];
    states.x[k] = 1.0;
    states.drag[k] = slides ? kFriction * part[k] : 0.0;
  }
  const auto at = [&](const AlignedVector& rows, int component, int i) {
    return rows[(component * kContacts + 1) * kProblems + i];
  };
  for (int step = 0; step < 30; ++step) {
    pack.solveSliding(G.data(), b.data(), states, compliance.data(), kAll, p.data());
    pack.velocity(G.data(), b.data(), p.data(), v.data());
    for (int i = 0; i < kProblems; ++i) {
      const double speed = std::hypot(at(v, 0, i), at(v, 1, i));
      states.x[kProblems + i] = at(v, 0, i) / speed;
      states.y[kProblems + i] = at(v, 1, i) / speed;
      states.give[kProblems + i] = speed / std::abs(kFriction * at(p, 2, i));
    }
  }
  int found = 0;
  for (int i = 0; i < kProblems; ++i) {
    if (part[kProblems + i] == 0.0 || !(at(p, 2, i) > 0.0)) continue;  // this one would open
    const double speed = std::hypot(at(v, 0, i), at(v, 1, i)), bound = kFriction * at(p, 2, i);
    EXPECT_NEAR(at(p, 0, i), -bound * at(v, 0, i) / speed, 1e-9 * bound);
    EXPECT_NEAR(at(p, 1, i), -bound * at(v, 1, i) / speed, 1e-9 * bound);
    EXPECT_NEAR(at(v, 2, i), -compliance[i] * at(p, 2, i), 1e-12);
    ++found;
  }
  EXPECT_GE(found, 2) << "the test looks at nothing";
}

/// From nothing: which contacts press, which stick and which slide comes out. A problem that is not asked for keeps the
/// states that it has.
TEST_F(EightProblems, GuessesOfStatesLeadToImpulsesThatFit) {
  constexpr double kTolerance = 1e-9;
  constexpr int kGuesses = 12, kLeftAlone = 3;
  AlignedVector scale(kContacts * kProblems), active(kContacts * kProblems, 1.0), friction(kProblems, 0.6);
  AlignedVector residual(kProblems);
  for (int k = 0; k < kContacts * kProblems; ++k) {
    const int row = k / kProblems;
    scale[k] = G[(row * kRows + row) * kProblems + k % kProblems];
  }
  std::fill(compliance.begin(), compliance.end(), 1e-12);
  ContactPackStates states(kContacts);
  std::array<bool, kProblems> asked = kAll;
  asked[kLeftAlone] = false;
  const ContactPackNumbers known{active.data(), scale.data(), friction.data(), compliance.data(), p.data(), v.data()};
  v = b;  // of no impulses
  pack.likelyStates(known, asked, states);
  int found = 0, slides = 0, sticks = 0, open = 0;
  for (int guess = 0; guess < kGuesses; ++guess) {
    pack.solveSliding(G.data(), b.data(), states, compliance.data(), kAll, p.data());
    pack.velocity(G.data(), b.data(), p.data(), v.data());
    pack.residuals(scale.data(), active.data(), friction.data(), p.data(), v.data(), residual.data());
    for (int i = 0; i < kProblems; ++i) {
      if (!asked[i] || residual[i] > kTolerance) continue;
      asked[i] = false;
      ++found;
      for (int contact = 0; contact < kContacts; ++contact) {
        const int k = contact * kProblems + i;
        ++(states.presses[k] == 0.0 ? open : states.sticks[k] != 0.0 ? sticks : slides);
      }
    }
    pack.guessStates(known, asked, states);
  }
  EXPECT_GE(found, 5) << "of seven, which know of no robot";
  EXPECT_GE(std::min({slides, sticks, open}), 2) << "the test looks at nothing";
  for (int contact = 0; contact < kContacts; ++contact)
    EXPECT_EQ(states.presses[contact * kProblems + kLeftAlone], 0.0);
}

/// Two points of one foot hold against each other, both far beyond the limit of friction: the one with the smaller load
/// slides, and the other sticks.
TEST(ContactPackStates, OfPointsThatHoldAgainstEachOtherTheWeakerOneSlidesFirst) {
  for (const bool one_foot : {true, false}) {
    ContactPack pack{one_foot ? std::vector<int>{0, 0} : std::vector<int>{0, 1}};
    AlignedVector two(2 * kProblems, 1.0), rows(6 * kProblems, 0.0), one(kProblems, 0.5);
    ContactPackStates states(2);
    states.presses = states.sticks = two;
    AlignedVector p = rows;
    for (int i = 0; i < kProblems; ++i) {
      p[i] = 10.0, p[kProblems + i] = -10.0;                   // along x
      p[4 * kProblems + i] = 5.0, p[5 * kProblems + i] = 1.0;  // loads
    }
    pack.guessStates({two.data(), two.data(), one.data(), one.data(), p.data(), rows.data()}, kAll, states);
    for (int i = 0; i < kProblems; ++i) {
      EXPECT_EQ(states.sticks[i], one_foot ? 1.0 : 0.0);
      EXPECT_EQ(states.sticks[kProblems + i], 0.0);
      EXPECT_EQ(states.x[kProblems + i], 1.0) << "against its friction";
    }
  }
}

}  // namespace
}  // namespace footfall
