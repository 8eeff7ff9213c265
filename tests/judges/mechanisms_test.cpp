// Published benchmarks of mechanisms: docs/judges.md lists them with their sources.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "footfall/run/simulation.hpp"
#include "tools/source_dir.hpp"

namespace footfall {
namespace {

Scene judge(const std::string& name, const std::vector<SceneOverride>& overrides = {}) {
  return loadScene(sourceDir() + "/tests/data/judges/" + name, overrides);
}

/// Angles after 30 ms, by PSIDE with a tolerance of 1e-14 (IVP Test Set, Andrews' squeezing mechanism).
struct Angle {
  const char* joint;
  double value;  ///< [rad]
};
constexpr std::array<Angle, 7> kAndrews = {{{"beta", 15.81077119629904},
                                            {"Theta", -15.75637105984298},
                                            {"gamma", 0.04082224013073101},
                                            {"Phi", -0.5347301163226948},
                                            {"delta", 0.5244099658805304},
                                            {"Omega", 0.5347301163226948},
                                            {"epsilon", 1.048080741042263}}};

/// An integrator, and how near it comes. A scheme of second order whose links turn by α in a step leaves about α²/12 of
/// the whole angle: of the 68 rad or so of the N-four-bar 4e-6 at 7 rad/s.
struct Judged {
  const char* integrator;
  double tolerance;  ///< [rad]
};

class AndrewsSqueezer : public testing::TestWithParam<Judged> {};

TEST_P(AndrewsSqueezer, ArrivesWhereTheReferenceDoes) {
  Simulation simulation(judge("andrews_squeezer.yaml", {{"physics.integrator", GetParam().integrator}}));
  while (simulation.time() < 0.03) ASSERT_NE(simulation.step().status, SolveStatus::failed);
  for (const Angle& angle : kAndrews)
    EXPECT_NEAR(simulation.state().joints()[simulation.model().dof(angle.joint)], angle.value, GetParam().tolerance)
        << angle.joint;
}

INSTANTIATE_TEST_SUITE_P(Integrators, AndrewsSqueezer,
                         testing::Values(Judged{"rk4", 1e-9}, Judged{"second_order", 1e-9}),
                         [](const auto& test) { return std::string(test.param.integrator); });

// --- IFToMM A02 -----------------------------------------------------------------------------------------

/// On its branch all uprights turn together: θ̈ = (3.5 g/3) sin θ, whose solution after 10 s is the reference.
class NFourBar : public testing::TestWithParam<Judged> {};

TEST_P(NFourBar, PassesTheConfigurationsInWhichItCouldFold) {
  Simulation simulation(judge("n_four_bar.yaml", {{"physics.integrator", GetParam().integrator}}));
  const double start = simulation.dynamics().energy().total();
  double worst = 0.0;
  for (int k = 0; k < 10000; ++k) {
    ASSERT_NE(simulation.step().status, SolveStatus::failed) << simulation.describeFailure();
    worst = std::max(worst, std::abs(simulation.dynamics().energy().total() - start));
  }
  const double theta = simulation.state().joints()[simulation.model().dof("pivot_0")];
  EXPECT_NEAR(std::sin(theta), 0.3284581115, GetParam().tolerance);
  EXPECT_NEAR(std::cos(theta), 0.9445185382, GetParam().tolerance);
  // The energy of the tops that turn: 3.5 rods, up to 6.8 m/s.
  EXPECT_LT(worst, 10.0 * GetParam().tolerance * 70.0);
}

INSTANTIATE_TEST_SUITE_P(Integrators, NFourBar,
                         testing::Values(Judged{"rk4", 1e-9}, Judged{"second_order", 1e-9}, Judged{"midpoint", 2e-5}),
                         [](const auto& test) { return std::string(test.param.integrator); });

// --- IFToMM A04 -----------------------------------------------------------------------------------------

TEST(Bricard, KeepsItsEnergyForTenSecondsWithMoreConstraintsThanFreedom) {
  Simulation simulation(judge("bricard.yaml"));
  const double start = simulation.dynamics().energy().total();
  double worst = 0.0, fastest = 0.0;
  for (int k = 0; k < 10000; ++k) {
    ASSERT_NE(simulation.step().status, SolveStatus::failed) << simulation.describeFailure();
    worst = std::max(worst, std::abs(simulation.dynamics().energy().total() - start));
    fastest = std::max(fastest, simulation.dynamics().energy().kinetic);
  }
  EXPECT_GT(fastest, 4.0);  // it swings [J]
  EXPECT_LT(worst, 1e-6 * fastest);
  EXPECT_LT(simulation.result().loop_gap, 1e-12);
}

// --- a body that flips ------------------------------------------------------------------------------------

/// Quarter of the period of Jacobi's functions with modulus k, by the arithmetic-geometric mean.
double quarterPeriod(double k) {
  double a = 1.0, b = std::sqrt(1.0 - k * k);
  while (a - b > 1e-15) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  return 0.5 * M_PI / a;
}

/// Turns about its middle axis, and so turns over again and again (Dzhanibekov). Euler's equations, solved by elliptic
/// functions, say how often.
TEST(Dzhanibekov, TurnsOverAsOftenAsEulersEquationsSay) {
  const Vector3d I(0.01, 0.02, 0.03), omega(0.1, 5.0, 0.1);
  Model model;
  model.gravity.setZero();
  model.links.push_back({"body", {1.0, Vector3d::Zero(), I.asDiagonal()}});
  model.frames.push_back({"body", LinkIndex(0), {}});
  const Vector3d L = I.cwiseProduct(omega);
  const double T2 = omega.dot(L), L2 = L.squaredNorm();
  ASSERT_GT(L2, T2 * I[1]);  // else the other axes change places
  const double n = std::sqrt((I[2] - I[1]) * (L2 - T2 * I[0]) / (I[0] * I[1] * I[2]));
  const double k = std::sqrt((I[1] - I[0]) * (T2 * I[2] - L2) / ((I[2] - I[1]) * (L2 - T2 * I[0])));
  const double flip = 2.0 * quarterPeriod(k) / n;  // from one end of the middle axis to the other [s]

  const Plane ground(Vector3d(0, 0, -10), Vector3d::UnitZ(), 0.5, 0.0);
  Workspace workspace(model, ground, Settings{});
  State state = makeState(model);
  state.nu.tail<3>() = omega;
  const Input input = makeInput(model);
  const double seconds = 600.0;
  const auto middle = [&] { return (state.basePose().R.transpose() * state.nu.tail<3>()).y(); };
  double sign = middle(), last = 0.0, first = 0.0, worst = 0.0;
  int flips = 0;
  for (int step_number = 0; step_number < static_cast<int>(seconds / 1e-3); ++step_number) {
    state = step(state, input, nullptr, workspace).next;
    const Vector3d omega_B = state.basePose().R.transpose() * state.nu.tail<3>();
    worst = std::max(worst, std::abs(omega_B.dot(I.cwiseProduct(omega_B)) - T2) / T2);
    if (middle() * sign >= 0.0) continue;
    sign = middle();
    last = state.time;
    if (flips++ == 0) first = last;
  }
  EXPECT_EQ(flips, static_cast<int>((seconds - first) / flip) + 1);
  EXPECT_NEAR((last - first) / (flips - 1), flip, 1e-3 * flip);
  EXPECT_LT(worst, 1e-5);
}

}  // namespace
}  // namespace footfall
