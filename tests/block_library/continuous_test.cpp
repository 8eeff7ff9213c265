// Continuous blocks against closed forms, with rk4.

#include <gtest/gtest.h>

#include <cmath>

#include "block_library/library_tools.hpp"

namespace footfall::test {
namespace {

constexpr double kStep = 1e-3;

/// Largest difference between a signal and a function of time.
template <class Exact>
double worst(const Diagram& diagram, const std::string& signal, int steps, Exact exact) {
  Context context = diagram.makeContext();
  double largest = 0.0;
  for (int k = 0; k < steps; ++k) {
    diagram.step(context);
    largest = std::max(largest, std::abs(context.signal(signal)[0] - exact(context.signalTime())));
  }
  return largest;
}

/// ω² / (s² + 2 ζ ω s + ω²) after a unit step at t = 0.
double secondOrderStep(double t, double omega, double zeta) {
  const double damped = omega * std::sqrt(1.0 - zeta * zeta);
  return 1.0 - std::exp(-zeta * omega * t) * (std::cos(damped * t) + zeta * omega / damped * std::sin(damped * t));
}

constexpr double kOmega = 5.0, kZeta = 0.2;
// A step of rk4 errs by (ω h)⁵/120, and errors fade within 1/(ζ ω): (ω h)⁴/(120 ζ) = 2.6e-11 at most.
constexpr double kSecondOrderTolerance = 3e-11;

TEST(TransferFunction, HasTheStepResponseOfASecondOrderSystem) {
  Rig rig;
  rig.add("u", "Constant", {{"value", 1.0}});
  rig.add("h", "TransferFunction",
          {{"numerator", kOmega * kOmega}, {"denominator", list({1, 2 * kZeta * kOmega, kOmega * kOmega})}});
  const Diagram diagram = rig.connect("u", "h").build(kStep);
  EXPECT_LT(worst(diagram, "h.out", 5000, [](double t) { return secondOrderStep(t, kOmega, kZeta); }),
            kSecondOrderTolerance);
}

TEST(StateSpace, HasTheStepResponseOfASecondOrderSystem) {
  Rig rig;
  rig.add("u", "Constant", {{"value", 1.0}});
  rig.add("h", "StateSpace",
          {{"A", rows({{0, 1}, {-kOmega * kOmega, -2 * kZeta * kOmega}})},
           {"B", rows({{0}, {kOmega * kOmega}})},
           {"C", rows({{1, 0}})}});
  const Diagram diagram = rig.connect("u", "h").build(kStep);
  EXPECT_LT(worst(diagram, "h.out", 5000, [](double t) { return secondOrderStep(t, kOmega, kZeta); }),
            kSecondOrderTolerance);
}

TEST(TransferFunction, WithDirectFeedThroughJumpsAtOnce) {
  // (2 s + 1) / (s + 1) = 2 − 1 / (s + 1): step response 1 + e⁻ᵗ.
  Rig rig;
  rig.add("u", "Constant", {{"value", 1.0}});
  rig.add("h", "TransferFunction", {{"numerator", list({2, 1})}, {"denominator", list({1, 1})}});
  const Diagram diagram = rig.connect("u", "h").build(kStep);
  EXPECT_LT(worst(diagram, "h.out", 3000, [](double t) { return 1.0 + std::exp(-t); }), 1e-13);
}

TEST(Integrator, ChainsGivePolynomials) {
  // The fourth integral of 24 is t⁴: rk4 is exact for it, up to rounding.
  Rig rig;
  rig.add("u", "Constant", {{"value", 24.0}});
  std::string last = "u";
  for (const char* name : {"a", "b", "c", "d"}) {
    rig.add(name, "Integrator").connect(last, std::string(name) + ".in");
    last = name;
  }
  EXPECT_LT(worst(rig.build(kStep), "d.out", 2001, [](double t) { return t * t * t * t; }), 1e-12);
}

TEST(Integrator, DoesNotWindUpAtItsLimits) {
  // Rises at 1/s to the limit 0.5, stands until the input turns at t = 1, and leaves at once.
  Rig rig;
  rig.add("u", "Step", {{"time", 1.0}, {"before", 1.0}, {"after", -1.0}});
  rig.add("x", "Integrator", {{"upper", 0.5}, {"lower", -0.25}}).connect("u", "x.in");
  const auto exact = [](double t) { return t < 1.0 ? std::min(t, 0.5) : std::max(1.5 - t, -0.25); };
  EXPECT_LT(worst(rig.build(kStep), "x.out", 2500, exact), kStep + 1e-12);  // the input turns inside of one step
}

TEST(Integrator, IsHeldWhileReset) {
  Rig rig;
  rig.add("u", "Constant", {{"value", 1.0}}).add("clock", "Clock");
  rig.add("late", "Compare", {{"operation", ">="}, {"value", 0.1}}).connect("clock", "late.a");
  rig.add("later", "Compare", {{"operation", "<"}, {"value", 0.2}}).connect("clock", "later.a");
  rig.add("reset", "And").connect("late", "reset.in1").connect("later", "reset.in2");
  rig.add("x", "Integrator", {{"initial", 3.0}}).connect("u", "x.in").connect("reset", "x.reset");
  const Diagram diagram = rig.build(0.01);
  Context context = diagram.makeContext();
  for (int k = 0; k < 30; ++k) {
    diagram.step(context);
    const double expected = k < 10 ? 3.0 + 0.01 * k : k < 20 ? 3.0 : 3.0 + 0.01 * (k - 20);
    // The flag may change inside of a step, which then counts in part.
    EXPECT_NEAR(context.signal("x.out")[0], expected, 0.01 + 1e-12) << k;
    if (k >= 10 && k < 20) {
      EXPECT_EQ(context.signal("x.out")[0], 3.0) << k;
    }
  }
}

TEST(Derivative, OfARampIsItsSlopeBehindALowPass) {
  Rig rig;
  rig.add("u", "Ramp", {{"slope", 3.0}}).add("d", "Derivative", {{"filter", "50 ms"}}).connect("u", "d");
  EXPECT_LT(worst(rig.build(kStep), "d.out", 1000, [](double t) { return 3.0 * (1.0 - std::exp(-t / 0.05)); }), 1e-7);
}

TEST(Continuous, ADiscreteControllerAndAContinuousPlantAgreeWithTheirExactDifferenceEquation) {
  // ẋ = u, u = −k x held for 10 ms: x shrinks by 1 − k T each sample.
  Rig rig;
  rig.add("x", "Integrator", {{"initial", 1.0}});
  rig.add("u", "Gain", {{"factor", -20.0}, {"sample", "10 ms"}}).connect("x", "u").connect("u", "x.in");
  const Diagram diagram = rig.build(kStep);
  Context context = diagram.makeContext();
  for (int k = 0; k < 100; ++k) {
    diagram.step(context);
    const double sample = std::pow(0.8, k / 10), share = k % 10 / 10.0;
    EXPECT_NEAR(context.signal("x.out")[0], sample * (1.0 - 0.2 * share), 1e-14) << k;
  }
}

}  // namespace
}  // namespace footfall::test
