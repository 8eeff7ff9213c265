// Edges and corners of the ground, and inner corners of it, meet shapes between their points.

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "physics/scene_tools.hpp"
#include "tools/random_seed.hpp"

namespace footfall::physics {
namespace {

constexpr double kDeepest = 50e-6;  // the promise of README [m]

const std::string kBlock =
    "ground:\n"
    "  - {shape: plane, friction: 0.5}\n"
    "  - {shape: box, size: [0.2, 0.2, 0.3], position: [0, 0, 0.15], friction: 0.5}\n";
const std::string kStairs =
    "ground:\n"
    "  - {shape: plane, friction: 0.5}\n"
    "  - {shape: stairs, steps: 4, rise: 0.1, run: 0.3, width: 2, position: [0, 0, 0], friction: 0.5}\n";

Simulation simulationOf(const std::string& text) { return Simulation(parseScene(text, "edges.yaml")); }

double deepestOf(const StepResult& result) {
  double deepest = 0.0;
  for (const ContactReport& contact : result.contacts) deepest = std::max(deepest, -contact.gap);
  return deepest;
}

/// Steps, and says how deep anything was.
double run(Simulation& simulation, int steps) {
  double deepest = 0.0;
  for (int k = 0; k < steps; ++k) {
    const StepResult& result = simulation.step();
    EXPECT_EQ(result.status, SolveStatus::converged) << "step " << k;
    if (result.status == SolveStatus::failed) break;
    deepest = std::max(deepest, deepestOf(result));
  }
  return deepest;
}

Vector3d positionOf(const Simulation& simulation, int body = 0) {
  return simulation.state().q.segment<3>(simulation.model().freePosition(body));
}

struct Across {
  const char* name;
  const char* body;
  double
      height;  ///< of its middle when it lies on the block [m]; across a ridge: square of its radius of gyration [m²]
};

class AcrossABlock : public testing::TestWithParam<Across> {};

/// None of its own corners is above the block.
TEST_P(AcrossABlock, LiesOnIt) {
  Simulation simulation =
      simulationOf(kBlock + "bodies:\n  - {name: a, mass: 1, position: [0, 0, 0.4], " + GetParam().body + "}\n");
  EXPECT_LT(run(simulation, 600), kDeepest);
  EXPECT_NEAR(positionOf(simulation).z(), GetParam().height, 1e-7);
  EXPECT_LT(simulation.state().nu.norm(), 1e-9);
  double carried = 0.0;
  for (const ContactReport& contact : simulation.result().contacts) carried += contact.force_W.z();
  EXPECT_NEAR(carried, 9.81, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(
    Bodies, AcrossABlock,
    testing::Values(Across{"plate", "shape: box, size: [0.6, 0.6, 0.05]", 0.325},
                    Across{"capsule", "shape: capsule, radius: 0.03, length: 0.6, rpy: [0, 90 deg, 0]", 0.33},
                    Across{"cylinder", "shape: cylinder, radius: 0.03, length: 0.6, rpy: [0, 90 deg, 0]", 0.33},
                    Across{"lid", "shape: cylinder, radius: 0.3, length: 0.04", 0.32}),
    [](const auto& tested) { return std::string(tested.param.name); });

/// A plank comes to lie on the edges of the stairs: its lower face goes through all of them.
TEST(Stairs, CarryAPlankOnTheirEdges) {
  const double slope = std::atan2(0.1, 0.3);
  Simulation simulation = simulationOf(
      kStairs +
      "bodies:\n  - {name: plank, shape: box, size: [1.2, 0.2, 0.05], mass: 1, position: [0.6, 0, 0.5], rpy: [0, " +
      std::to_string(-slope) + ", 0]}\n");
  EXPECT_LT(run(simulation, 800), kDeepest);
  EXPECT_LT(simulation.state().nu.norm(), 1e-7) << "μ 0.5 is above the slope of 1 : 3";
  const Vector3d up(-std::sin(slope), 0.0, std::cos(slope));
  const Vector3d edge(0.3, 0.0, 0.2);  // of the second step
  EXPECT_NEAR(up.dot(positionOf(simulation) - edge), 0.025, 1e-6);
}

/// A ball between tread and riser touches both; one of them alone let it sink by a millimetre.
TEST(Stairs, HoldABallInTheirCorner) {
  Simulation simulation = simulationOf(
      kStairs + "bodies:\n  - {name: ball, shape: sphere, radius: 0.1, mass: 1, position: [0.8, 0, 0.5]}\n");
  EXPECT_LT(run(simulation, 1000), 1e-6);
  EXPECT_NEAR(positionOf(simulation).z(), 0.4, 1e-6);
}

/// What slides down a wall arrives on the floor, which is farther away than the wall until it is inside. Nothing
/// bounces and nothing turns: it comes to rest where it arrives.
TEST(InnerCorner, StopsWhatSlidesDownAWall) {
  struct Body {
    const char* shape;
    double x, height;  ///< of its middle from the wall and from the floor [m]
  };
  for (const char* friction : {"0", "0.3"})
    for (const Body& body : {Body{"shape: box, size: [0.1, 0.1, 0.1]", 0.05, 0.05},
                             Body{"shape: capsule, radius: 0.03, length: 0.1", 0.03, 0.08},
                             Body{"shape: cylinder, radius: 0.05, length: 0.1", 0.05, 0.05},
                             Body{"shape: sphere, radius: 0.05", 0.05, 0.05}})
      for (const bool wall_is_plane : {false, true}) {
        std::ostringstream scene;
        scene << "ground:\n  - {shape: plane, friction: " << friction << "}\n";
        if (wall_is_plane)
          scene << "  - {shape: plane, incline: 90 deg, heading: 180 deg, friction: " << friction << "}\n";
        else
          scene << "  - {shape: box, size: [0.6, 0.6, 1], position: [0.3, 0, 0.5], friction: " << friction << "}\n";
        scene << "bodies:\n  - {name: a, mass: 1, friction: 1, velocity: [0, 0, -3], position: [" << -body.x
              << ", 0, 0.4], " << body.shape << "}\n";
        SCOPED_TRACE(scene.str());
        Simulation simulation = simulationOf(scene.str());
        EXPECT_LT(run(simulation, 300), 1e-6);
        EXPECT_NEAR(positionOf(simulation).x(), -body.x, 1e-6);
        EXPECT_NEAR(positionOf(simulation).z(), body.height, 1e-6);
        EXPECT_LT(simulation.state().nu.norm(), 1e-6);
      }
}

/// Over the seams of three tiles and of a plate that is let into the floor, where its edges are near its corners.
/// A point that slides without friction from a slope onto the level beside it keeps its speed along the level, and is
/// where the closed form says: a = g sin α for s, then v cos α. Until it was told of the second slope before it was
/// there, it was up to half of a step's way, sin α v Δt, deep.
TEST(InnerCorner, OfAHeightFieldTurnsWhatSlidesIntoIt) {
  const double slope = std::atan(0.5), way = 1.0 / std::cos(slope), fall = 9.81 * std::sin(slope);
  const double arrival = std::sqrt(2.0 * way / fall), speed = fall * arrival;
  for (const char* step : {"2 ms", "1 ms", "0.5 ms"}) {
    Simulation simulation = simulationOf(
        "robot: {model: sphere, base: {position: [-1, 0, 0.5]}}\n"
        "contacts: [{frame: sphere, footprint: [[0, 0, 0]]}]\n"
        "ground: {shape: height_field, formula: 'max(0, -0.5 * x)', extent: [8, 8], friction: 0}\n"
        "physics: {step: " +
        std::string(step) + "}\n");
    EXPECT_LT(run(simulation, static_cast<int>(std::round(1.0 / simulation.settings().step))), 1e-9) << step;
    EXPECT_NEAR(simulation.state().q[0], speed * std::cos(slope) * (1.0 - arrival), 1e-9) << step;
    EXPECT_NEAR(simulation.state().nu[0], speed * std::cos(slope), 1e-9) << step;
  }
}

/// Corners of a box, rims of a cylinder and ends of a capsule, at 4 to 6 m/s.
TEST(InnerCorner, OfAHeightFieldIsNotEntered) {
  for (const char* body : {"shape: box, size: [0.2, 0.2, 0.2]", "shape: cylinder, radius: 0.1, length: 0.2",
                           "shape: capsule, radius: 0.02, length: 0.2"}) {
    for (int start = 0; start < 6; ++start) {
      std::ostringstream scene;
      scene << "ground: {shape: height_field, formula: 'max(0, -0.5 * x)', extent: [20, 20], friction: 0}\n"
            << "bodies:\n  - {name: a, mass: 1, position: [" << -2.0 - 0.31 * start << ", 0, " << 1.25 + 0.155 * start
            << "], rpy: [0, 0.4636, " << 0.3 * start << "], " << body << "}\n";
      SCOPED_TRACE(scene.str());
      Simulation simulation = simulationOf(scene.str());
      const double energy = simulation.dynamics().energy().total();
      EXPECT_LT(run(simulation, 1500), kDeepest);
      EXPECT_LT(simulation.dynamics().energy().total(), energy);
    }
  }
}

TEST(Seams, AreNotFeltByWhatSlides) {
  constexpr double kSpeed = 2.0, kFriction = 0.3;
  const std::string ground =
      "ground:\n"
      "  - {shape: plane, friction: 0.3}\n"
      "  - {shape: box, size: [0.2, 1, 0.1], position: [0.3, 0, -0.05], friction: 0.3}\n"
      "  - {shape: box, size: [0.2, 1, 0.1], position: [0.5, 0, -0.05], friction: 0.3}\n"
      "  - {shape: box, size: [0.07, 1, 0.1], position: [0.635, 0, -0.05], friction: 0.3}\n";
  for (const char* body : {"shape: box, size: [0.3, 0.2, 0.02], position: [0, 0, 0.01]",
                           "shape: capsule, radius: 0.02, length: 0.2, rpy: [90 deg, 0, 0], position: [0, 0, 0.02]"}) {
    SCOPED_TRACE(body);
    Simulation simulation =
        simulationOf(ground + "bodies:\n  - {name: a, mass: 1, velocity: [2, 0, 0], " + body + "}\n");
    const bool rolls = std::string(body).find("capsule") != std::string::npos;
    double before = kSpeed;
    for (int k = 0; k < 400; ++k) {
      const StepResult& result = simulation.step();
      ASSERT_EQ(result.status, SolveStatus::converged);
      const double speed = simulation.state().nu[simulation.model().freeVelocity(0)];
      if (!rolls) {
        ASSERT_NEAR(speed, kSpeed - kFriction * 9.81 * 1e-3 * (k + 1), 1e-9) << "step " << k;
      }
      ASSERT_LE(speed, before + 1e-9);  // what the contact solver leaves, ten times
      ASSERT_GE(speed, before - kFriction * 9.81 * 1e-3 - 1e-9) << "stumbles in step " << k;
      before = speed;
    }
  }
}

/// A lift whose platform is smaller than what it carries.
TEST(Lift, RaisesAPlateThatStandsOver) {
  Simulation simulation = simulationOf(
      "ground:\n"
      "  - {shape: plane}\n"
      "  - {shape: box, size: [0.2, 0.2, 0.3], position: [0, 0, 0.15], motion: {translate: [{direction: [0, 0, 1], "
      "sine: "
      "{amplitude: 0.05, frequency: 1}}]}}\n"
      "bodies:\n  - {name: plate, shape: box, size: [0.6, 0.6, 0.05], mass: 1, position: [0, 0, 0.325]}\n");
  double deepest = 0.0;
  for (int k = 1; k <= 1000; ++k) {
    ASSERT_EQ(simulation.step().status, SolveStatus::converged);
    deepest = std::max(deepest, deepestOf(simulation.result()));
    const double lift = 0.05 * std::sin(2.0 * M_PI * 1e-3 * k);
    ASSERT_NEAR(positionOf(simulation).z(), 0.325 + lift, 1e-6) << "step " << k;  // (2π)² 0.05 is below g
  }
  EXPECT_LT(deepest, kDeepest);
}

/// A box beside a block that leans over it: the ground nearest to its middle is the block, but it is the floor that
/// its corners touch.
TEST(LeaningBlock, DoesNotHideTheFloor) {
  Simulation simulation = simulationOf(
      "ground:\n"
      "  - {shape: plane}\n"
      "  - {shape: box, size: [0.6, 0.6, 0.3], position: [0, 0, 0.3], rpy: [0, 0.6, 0]}\n"
      "bodies:\n  - {name: a, shape: box, size: [0.3, 0.3, 0.02], mass: 1, position: [-0.43, 0, 0.03], velocity: [1, "
      "0, 0]}\n");
  EXPECT_LT(run(simulation, 500), kDeepest);
  EXPECT_NEAR(positionOf(simulation).z(), 0.01, 1e-3);
}

/// Bodies of every kind, thrown onto stairs and a block: nothing enters the ground, and nothing gains energy.
TEST(EdgesOfTheGround, AreNotEnteredByAnythingThatIsThrown) {
  std::mt19937 random(randomSeed(7));
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const auto three = [&](double low, double high) {
    std::ostringstream text;
    for (const char* before : {"[", ", ", ", "}) text << before << uniform(low, high);
    return text.str() + "]";
  };
  const char* const shapes[] = {
      "shape: box, size: [0.3, 0.2, 0.05]",         "shape: box, size: [0.5, 0.04, 0.04]",
      "shape: capsule, radius: 0.03, length: 0.4",  "shape: cylinder, radius: 0.15, length: 0.03",
      "shape: cylinder, radius: 0.03, length: 0.4", "shape: sphere, radius: 0.1"};
  for (const std::string& ground : {kBlock, kStairs}) {
    for (int k = 0; k < 24; ++k) {
      std::ostringstream scene;
      scene << ground << "bodies:\n  - {name: a, mass: 1, " << shapes[k % 6] << ", position: [" << uniform(-0.1, 0.8)
            << ", " << uniform(-0.2, 0.2) << ", 1], rpy: " << three(-1.5, 1.5) << ", velocity: " << three(-2.0, 1.0)
            << ", angular_velocity: " << three(-10.0, 10.0) << "}\n";
      SCOPED_TRACE(scene.str());
      Simulation simulation = simulationOf(scene.str());
      double lowest = simulation.dynamics().energy().total();
      const double start = lowest;
      for (int step = 0; step < 800; ++step) {
        ASSERT_NE(simulation.step().status, SolveStatus::failed);
        ASSERT_LT(deepestOf(simulation.result()), 1e-4) << "step " << step;
        const double energy = simulation.dynamics().energy().total();
        ASSERT_LT(energy, lowest + 1e-3 * start) << "step " << step;  // the error of second order of what turns
        lowest = std::min(lowest, energy);
      }
    }
  }
}

// --- hills --------------------------------------------------------------------------------------------

class AcrossARidge : public testing::TestWithParam<Across> {};

/// A plank of half thickness h across a ridge of radius R, none of its corners near the ground, rolls to and fro on it:
/// ω² = g (R − h)/(k² + h²), k its radius of gyration; the period is longer by R² θ²/(4 k²), 5e-4, for an angle of θ.
TEST_P(AcrossARidge, RocksWithThePeriodOfItsCurvature) {
  constexpr double kRidge = 1.0, kHalf = 0.02, kAngle = 0.01;
  const double gyration = GetParam().height;
  const double omega = std::sqrt(9.81 * (kRidge - kHalf) / (gyration + kHalf * kHalf)), turning = kAngle * omega;
  std::ostringstream scene;
  scene.precision(17);
  scene << "ground: {shape: height_field, formula: sqrt(1 - x * x) - 1, extent: [1.2, 1.2], friction: 1}\n"
        << "bodies:\n  - {name: a, mass: 1, friction: 1, " << GetParam().body << ", position: [0, 0, " << kHalf
        << "], velocity: [" << turning * kHalf << ", 0, 0], angular_velocity: [0, " << turning << ", 0]}\n";
  Simulation simulation = simulationOf(scene.str());
  const auto rate = [&] { return simulation.state().nu[simulation.model().freeVelocity(0) + 4]; };
  std::vector<double> turns;  // when it turns back [s]
  for (int k = 0; k < 1000 && turns.size() < 3; ++k) {
    const double before = rate();
    const StepResult& result = simulation.step();
    ASSERT_EQ(result.status, SolveStatus::converged);
    ASSERT_LT(deepestOf(result), 1e-6) << "step " << k;
    if (before * rate() < 0.0) turns.push_back(1e-3 * (k + before / (before - rate())));
  }
  ASSERT_EQ(turns.size(), 3u);
  EXPECT_NEAR(turns[2] - turns[0], 2.0 * M_PI / omega, 1e-3 * 2.0 * M_PI / omega);
  EXPECT_NEAR(positionOf(simulation).y(), 0.0, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(
    Bodies, AcrossARidge,
    testing::Values(Across{"plank", "shape: box, size: [0.8, 0.1, 0.04]", (0.8 * 0.8 + 0.04 * 0.04) / 12.0},
                    Across{"cylinder", "shape: cylinder, radius: 0.02, length: 0.8, rpy: [0, 90 deg, 0]",
                           (3.0 * 0.02 * 0.02 + 0.8 * 0.8) / 12.0}),
    [](const auto& tested) { return std::string(tested.param.name); });

/// A ball that rolls from a level over an edge goes around it with its own radius, and then down the slope: nothing
/// works on it but its weight. What it gains in one step and loses in another is of second order in the way of a step.
TEST(HeightField, LetsABallRollAroundItsEdges) {
  constexpr double kRadius = 0.1;
  for (const double slope : {0.1, 0.3, 0.5, 1.0}) {
    for (const double speed : {0.05, 0.3}) {
      std::ostringstream scene;
      scene << "ground: {shape: height_field, formula: 'min(0, -" << slope << " * x)', extent: [20, 20], friction: 1}\n"
            << "bodies:\n  - {name: a, shape: sphere, radius: 0.1, mass: 1, position: [-0.02, 0.01, 0.1], velocity: ["
            << speed << ", 0, 0], angular_velocity: [0, " << speed / kRadius << ", 0]}\n";
      SCOPED_TRACE(scene.str());
      Simulation simulation = simulationOf(scene.str());
      const double start = simulation.dynamics().energy().total(), angle = std::atan(slope);
      bool goes_around = false;
      for (int k = 0; k < 800; ++k) {
        ASSERT_EQ(simulation.step().status, SolveStatus::converged);
        ASSERT_FALSE(simulation.result().impact);
        const Vector3d p = positionOf(simulation);
        const bool above_edge = p.x() > 0.0 && p.x() * std::cos(angle) < p.z() * std::sin(angle);
        goes_around = goes_around || above_edge;
        ASSERT_TRUE(!above_edge || std::hypot(p.x(), p.z()) > kRadius - 1e-6) << "step " << k;
        ASSERT_LT(deepestOf(simulation.result()), 1e-6) << "step " << k;
        ASSERT_NEAR(simulation.dynamics().energy().total(), start, 1e-5) << "step " << k;
      }
      EXPECT_TRUE(goes_around);
    }
  }
}

/// Bodies of every kind on a roof, whose ridge they meet anywhere, and lay themselves onto it while they turn. Of 600
/// random worlds with hills and roofs eight go deeper than 50 µm, and none deeper than 0.2 mm; one of these does. With
/// the second seed an edge crosses the ridge whose middle is above the slope that it does not look at (1.8 mm).
class Thrown : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Seeds, Thrown, testing::Values(5, 105));

TEST_P(Thrown, DoesNotEnterTheRoofOfAHeightField) {
  std::mt19937 random(randomSeed(GetParam()));
  const auto three = [&](double low, double high) {
    std::ostringstream text;
    for (const char* before : {"[", ", ", ", "})
      text << before << std::uniform_real_distribution<double>(low, high)(random);
    return text.str() + "]";
  };
  const char* const shapes[] = {"shape: box, size: [0.3, 0.2, 0.1]", "shape: sphere, radius: 0.1",
                                "shape: capsule, radius: 0.07, length: 0.2",
                                "shape: cylinder, radius: 0.07, length: 0.3"};
  for (int k = 0; k < 24; ++k) {
    std::ostringstream scene;
    scene << "ground: {shape: height_field, formula: 0.5 - 0.5 * abs(x), extent: [20, 20], friction: 0.3}\n"
          << "bodies:\n  - {name: a, mass: 1, " << shapes[k % 4] << ", position: [0, 0, 1], rpy: " << three(-3.0, 3.0)
          << ", velocity: " << three(-1.0, 1.0) << ", angular_velocity: " << three(-10.0, 10.0) << "}\n";
    SCOPED_TRACE(scene.str());
    Simulation simulation = simulationOf(scene.str());
    const double start = simulation.dynamics().energy().total();
    EXPECT_LT(run(simulation, 800), 4.0 * kDeepest);
    EXPECT_LT(simulation.dynamics().energy().total(), start);
  }
}

struct OnATip {
  const char* name;
  const char* ground;  ///< formula of a hill of 0.1 m whose tip or ridge is above the origin
  const char* body;
  double half;         ///< from its middle to the tip [m]
  double gyration;     ///< square of the radius about y [m²]
  double pitch = 0.0;  ///< of what lies on its side [rad]
};

class OnASharpHill : public testing::TestWithParam<OnATip> {};

/// What stands on a tip that pokes into it between its corners falls over as a pendulum does that is turned upside
/// down: θ = θ₀ cosh(λ t) with λ² = g h/(k² + h²). The sine of 5 mrad and the scheme are some 1e-5 of it; a contact
/// with the normal of one side of the hill, or none, is far away from that.
TEST_P(OnASharpHill, FallsOverAsAnInvertedPendulum) {
  const OnATip& on = GetParam();
  constexpr double kStart = 1e-3, kHill = 0.1;
  const double rate = std::sqrt(9.81 * on.half / (on.half * on.half + on.gyration));
  std::ostringstream scene;
  scene.precision(17);
  scene << "ground: {shape: height_field, formula: '" << on.ground << "', extent: [4, 4], friction: 0.05}\n"
        << "bodies:\n  - {name: a, mass: 1, " << on.body << ", position: [" << on.half * std::sin(kStart) << ", 0, "
        << kHill + on.half * std::cos(kStart) << "], rpy: [0, " << kStart + on.pitch << ", 0]}\n";
  Simulation simulation = simulationOf(scene.str());
  const int steps = static_cast<int>(2.0 / rate * 1e3);
  EXPECT_LT(run(simulation, steps), 1e-6);
  const double angle = std::asin(positionOf(simulation).x() / on.half);
  EXPECT_NEAR(angle, kStart * std::cosh(rate * 1e-3 * steps), 1e-4 * angle);
  EXPECT_NEAR(positionOf(simulation).y(), 0.0, 1e-7);
}

INSTANTIATE_TEST_SUITE_P(
    Bodies, OnASharpHill,
    testing::Values(OnATip{"plateOnAPyramid", "max(0, 0.1 - 0.2 * abs(x) - 0.3 * abs(y))",
                           "shape: box, size: [0.4, 0.4, 0.05]", 0.025, (0.4 * 0.4 + 0.05 * 0.05) / 12.0},
                    // as between the nodes of a bilinear table
                    OnATip{"plateOnAHollowTip", "0.1 * max(0, 1 - 2 * abs(x)) * max(0, 1 - 3 * abs(y))",
                           "shape: box, size: [0.4, 0.4, 0.05]", 0.025, (0.4 * 0.4 + 0.05 * 0.05) / 12.0},
                    OnATip{"plateOnACone", "max(0, 0.1 - 0.3 * sqrt(x * x + y * y))",
                           "shape: box, size: [0.4, 0.3, 0.05]", 0.025, (0.4 * 0.4 + 0.05 * 0.05) / 12.0},
                    OnATip{"discOnAPyramid", "max(0, 0.1 - 0.2 * abs(x + y) - 0.1 * abs(x - y))",
                           "shape: cylinder, radius: 0.2, length: 0.05", 0.025, 0.2 * 0.2 / 4.0 + 0.05 * 0.05 / 12.0},
                    OnATip{"plankOnARidge", "max(0, 0.1 - 0.2 * max(x, -2 * x))", "shape: box, size: [0.6, 0.1, 0.05]",
                           0.025, (0.6 * 0.6 + 0.05 * 0.05) / 12.0},
                    OnATip{"cylinderOnARidge", "max(0, 0.1 - 0.2 * abs(x))",
                           "shape: cylinder, radius: 0.03, length: 0.6", 0.03, 0.03 * 0.03 / 4.0 + 0.6 * 0.6 / 12.0,
                           M_PI / 2.0},
                    // 0.9375 of a capsule of 0.6 m and a radius of 0.03 m is its cylinder
                    OnATip{"capsuleOnARidge", "max(0, 0.1 - 0.2 * abs(x))", "shape: capsule, radius: 0.03, length: 0.6",
                           0.03,
                           0.9375 * (0.03 * 0.03 / 4.0 + 0.6 * 0.6 / 12.0) +
                               0.0625 * (0.4 * 0.03 * 0.03 + 0.3 * 0.3 + 0.375 * 0.6 * 0.03),
                           M_PI / 2.0}),
    [](const auto& tested) { return std::string(tested.param.name); });

/// Bodies of every kind, thrown onto hills that are smaller than themselves: nothing gains energy, nothing is entered
/// by more than the place where an edge meets a hill can jump in a step (of 100 such bodies ten go deeper than 0.2 mm).
TEST(Hills, AreNotEnteredByWhatIsThrown) {
  std::mt19937 random(randomSeed(11));
  const auto three = [&](double low, double high) {
    std::ostringstream text;
    for (const char* before : {"[", ", ", ", "})
      text << before << std::uniform_real_distribution<double>(low, high)(random);
    return text.str() + "]";
  };
  const char* const shapes[] = {"shape: box, size: [0.5, 0.4, 0.05]", "shape: box, size: [0.6, 0.05, 0.05]",
                                "shape: capsule, radius: 0.03, length: 0.5",
                                "shape: cylinder, radius: 0.25, length: 0.06",
                                "shape: cylinder, radius: 0.04, length: 0.5"};
  for (int k = 0; k < 20; ++k) {
    std::ostringstream scene;
    scene << "ground: {shape: height_field, formula: 0.05 * sin(9 * x) * cos(8 * y), extent: [20, 20], friction: 0.5}\n"
          << "bodies:\n  - {name: a, mass: 1, " << shapes[k % 5] << ", position: [0, 0, 0.7], rpy: " << three(-1.5, 1.5)
          << ", velocity: " << three(-1.0, 1.0) << ", angular_velocity: " << three(-5.0, 5.0) << "}\n";
    SCOPED_TRACE(scene.str());
    Simulation simulation = simulationOf(scene.str());
    double lowest = simulation.dynamics().energy().total();
    const double start = lowest;
    for (int step = 0; step < 1000; ++step) {
      ASSERT_NE(simulation.step().status, SolveStatus::failed);
      ASSERT_LT(deepestOf(simulation.result()), 1e-3) << "step " << step;
      const double energy = simulation.dynamics().energy().total();
      ASSERT_LT(energy, lowest + 1e-3 * start) << "step " << step;
      lowest = std::min(lowest, energy);
    }
  }
}

// --- rims that touch in several places --------------------------------------------------------------

/// Two planes that meet in a valley along y, each at this angle to the horizontal [rad].
std::string valley(double incline, double friction) {
  std::ostringstream text;
  text << "ground:\n  - {shape: plane, incline: " << incline << ", heading: 0, friction: " << friction
       << "}\n  - {shape: plane, incline: " << incline << ", heading: 180 deg, friction: " << friction << "}\n";
  return text.str();
}

constexpr double kMass = 1.0, kRadius = 0.1;  // of the cylinders below [kg, m]

/// A cylinder that lies along the valley.
std::string cylinderAlongValley(double x, double z, const std::string& motion) {
  std::ostringstream text;
  text.precision(17);
  text << "bodies:\n  - {name: a, shape: cylinder, mass: 1, radius: 0.1, length: 0.05, friction: 1, rpy: [90 deg, 0, 0]"
       << ", position: [" << x << ", 0, " << z << "], " << motion << "}\n";
  return text.str();
}

double spinOf(const Simulation& simulation) { return simulation.state().nu[simulation.model().freeVelocity(0) + 4]; }

/// Both planes carry it and rub. With F the sum of both normal forces, F + μ J F = m g e_z where J turns by 90°: they
/// add up to N = m g/((1 + μ²) cos α), both above zero for μ < tan α, and I ω̇ = −μ r N.
TEST(Valley, BrakesACylinderThatSpinsInIt) {
  constexpr double kIncline = 0.6, kFriction = 0.2, kSpin = 30.0;
  Simulation simulation =
      simulationOf(valley(kIncline, kFriction) +
                   cylinderAlongValley(0.0, kRadius / std::cos(kIncline), "angular_velocity: [0, 30, 0]"));
  const double normal = kMass * 9.81 / ((1.0 + kFriction * kFriction) * std::cos(kIncline));
  const double braking = kFriction * kRadius * normal / (0.5 * kMass * kRadius * kRadius);
  for (int k = 1; k <= 300; ++k) {
    const StepResult& result = simulation.step();
    ASSERT_EQ(result.status, SolveStatus::converged);
    ASSERT_LT(deepestOf(result), 1e-6) << "step " << k;
    ASSERT_NEAR(spinOf(simulation), kSpin - braking * 1e-3 * k, 1e-6) << "step " << k;
  }
}

/// It rolls down one plane until it meets the other one. Of the angular momentum about the new place nothing is lost:
/// ω⁺/ω = (I + m r² cos β)/(I + m r²), β the angle between the planes; the old place is left at once.
TEST(Valley, TurnsACylinderThatRollsIntoTheOtherSide) {
  constexpr double kIncline = 0.2, kSpeed = 1.0;
  const double c = std::cos(kIncline), s = std::sin(kIncline), g = 9.81;
  constexpr double kWay = 0.2;  // from where it starts to where it touches both [m]
  std::ostringstream motion;
  motion.precision(17);
  motion << "velocity: [" << -kSpeed * c << ", 0, " << -kSpeed * s << "], angular_velocity: [0, " << -kSpeed / kRadius
         << ", 0]";
  Simulation simulation =
      simulationOf(valley(kIncline, 1.0) + cylinderAlongValley(kWay * c, kRadius / c + kWay * s, motion.str()));
  double before = 0.0;
  for (int k = 0; k < 400; ++k) {
    before = std::abs(spinOf(simulation));
    const StepResult& result = simulation.step();
    ASSERT_EQ(result.status, SolveStatus::converged);
    ASSERT_LT(deepestOf(result), 1e-6) << "step " << k;
    if (std::abs(spinOf(simulation)) < before) break;
  }
  // On the way it gains ⅔ of the slope's weight; the last step ends up to one step away from the impact.
  const double arrived = std::sqrt(kSpeed * kSpeed + 4.0 / 3.0 * g * s * kWay) / kRadius;
  EXPECT_NEAR(before, arrived, 2.0 / 3.0 * g * s * 1e-3 / kRadius);
  const double kept = (1.0 + 2.0 * std::cos(2.0 * kIncline)) / 3.0;
  EXPECT_NEAR(std::abs(spinOf(simulation)), kept * arrived, 2.0 * 2.0 / 3.0 * g * s * 1e-3 / kRadius);
}

/// It rolls along the valley with a rim on either side, and keeps its speed; nothing strikes.
TEST(Valley, LetsAWheelRollAlongIt) {
  Simulation simulation = simulationOf(
      valley(0.3, 1.0) +
      "bodies:\n  - {name: a, shape: cylinder, mass: 1, radius: 0.1, length: 0.05, friction: 1, rpy: "
      "[0, 90 deg, 0], position: [0, 0, " +
      std::to_string(0.1 + 0.025 * std::tan(0.3)) + "], velocity: [0, 2, 0], angular_velocity: [-20, 0, 0]}\n");
  for (int k = 0; k < 500; ++k) {
    const StepResult& result = simulation.step();
    ASSERT_EQ(result.status, SolveStatus::converged);
    ASSERT_LT(deepestOf(result), 1e-6);
    for (const ContactReport& contact : result.contacts) ASSERT_LT(contact.impulse_W.norm(), 1e-6) << "step " << k;
  }
  EXPECT_NEAR(simulation.state().nu[simulation.model().freeVelocity(0) + 1], 2.0, 1e-5);
}

/// z = k x² is narrower than the cylinder: it rests on both sides, its middle at k r² + 1/(4 k).
TEST(Valley, OfAHeightFieldCarriesWhatIsTooLargeForItsBottom) {
  constexpr double kCurve = 10.0;
  Simulation simulation =
      simulationOf("ground: {shape: height_field, formula: 10 * x * x, extent: [2, 2], friction: 0.5}\n" +
                   cylinderAlongValley(0.003, 0.15, "velocity: [0.1, 0, 0]"));
  EXPECT_LT(run(simulation, 1500), kDeepest);
  EXPECT_NEAR(positionOf(simulation).z(), kCurve * kRadius * kRadius + 1.0 / (4.0 * kCurve), 1e-6);
  EXPECT_LT(simulation.state().nu.norm(), 1e-6);
}

/// The same without a rim: balls, and capsules that lie along it or stand in it.
struct InAValley {
  const char* name;
  const char* body;
  double middle;  ///< above that of the ball that lies in the valley [m]
};

class RoundInAValley : public testing::TestWithParam<InAValley> {};

std::string roundBody(const InAValley& c, double x, double z) {
  std::ostringstream text;
  text.precision(17);
  text << "bodies:\n  - {name: a, mass: 1, radius: 0.1, " << c.body << ", position: [" << x << ", 0, " << z + c.middle
       << "]}\n";
  return text.str();
}

TEST_P(RoundInAValley, LiesOnBothSidesOfAParabola) {
  constexpr double kCurve = 10.0, kHeight = kCurve * kRadius * kRadius + 1.0 / (4.0 * kCurve);
  Simulation simulation =
      simulationOf("ground: {shape: height_field, formula: 10 * x * x, extent: [2, 2], friction: 0.5}\n" +
                   roundBody(GetParam(), 0.0, kHeight + 0.01));
  EXPECT_LT(run(simulation, 500), kDeepest);
  EXPECT_NEAR(positionOf(simulation).z(), kHeight + GetParam().middle, 1e-6);
  EXPECT_LT(simulation.state().nu.norm(), 1e-6);
}

TEST_P(RoundInAValley, LiesOnBothSidesOfAGroove) {
  Simulation simulation =
      simulationOf("ground: {shape: height_field, formula: abs(x), extent: [2, 2], friction: 0.5}\n" +
                   roundBody(GetParam(), 0.0, std::sqrt(2.0) * kRadius + 1e-9));
  const VectorXd start = simulation.state().q;
  EXPECT_LT(run(simulation, 500), 1e-8);
  EXPECT_LT((simulation.state().q - start).lpNorm<Eigen::Infinity>(), 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Bodies, RoundInAValley,
                         testing::Values(InAValley{"Ball", "shape: sphere", 0.0},
                                         InAValley{"CapsuleAlongIt", "shape: capsule, length: 0.3, rpy: [90 deg, 0, 0]",
                                                   0.0},
                                         InAValley{"CapsuleThatStands", "shape: capsule, length: 0.3", 0.15}),
                         [](const auto& each) { return std::string(each.param.name); });

/// So do the balls of `contacts`.
TEST(Valley, CarriesTheRoundFootOfARobotOnBothSides) {
  Simulation simulation = simulationOf(
      "robot: {model: sphere, base: {position: [0, 0, 0.16]}}\n"
      "contacts: [{frame: sphere, footprint: [[0, 0, 0]], radius: 0.1}]\n"
      "ground: {shape: height_field, formula: abs(x), extent: [2, 2], friction: 0.5}\n");
  StepProfile profile;
  simulation.setProfile(&profile);
  EXPECT_LT(run(simulation, 500), kDeepest);
  EXPECT_NEAR(simulation.state().q[2], std::sqrt(2.0) * kRadius, 1e-6);
  EXPECT_EQ(profile.growths, 1) << "there was room for one contact, and none was made for the second";
  EXPECT_GE(profile.room, 2);
}

/// Rolling about an edge without slipping, from θ₀ at rest, a cylinder leaves it where cos θ = 4/7 cos θ₀.
TEST(Edge, LetsACylinderRollOffUntilItsWeightCarriesItNoMore) {
  constexpr double kStart = 0.2;
  std::ostringstream body;
  body.precision(17);
  body << "bodies:\n  - {name: a, shape: cylinder, mass: 1, radius: 0.1, length: 0.2, rpy: [90 deg, 0, 0], position: ["
       << kRadius * std::sin(kStart) << ", 0, " << kRadius * std::cos(kStart) << "]}\n";
  Simulation simulation = simulationOf(
      "ground:\n  - {shape: plane, point: [0, 0, -2]}\n"
      "  - {shape: box, size: [1, 1, 0.1], position: [-0.5, 0, -0.05], friction: 5}\n" +
      body.str());
  double angle = kStart;
  for (int k = 0; k < 400; ++k) {
    const StepResult& result = simulation.step();
    ASSERT_EQ(result.status, SolveStatus::converged) << "step " << k;
    EXPECT_LT(deepestOf(result), kDeepest);
    double carried = 0.0;
    for (const ContactReport& contact : result.contacts) {
      EXPECT_LT(std::abs(contact.force_W.y()), 1e-3) << "step " << k;
      carried += contact.force_W.norm() + contact.impulse_W.norm();
    }
    if (carried == 0.0) break;
    angle = std::atan2(positionOf(simulation).x(), positionOf(simulation).z());
  }
  // In the last step it turns by 7 mrad.
  EXPECT_NEAR(angle, std::acos(4.0 / 7.0 * std::cos(kStart)), 0.02);
  EXPECT_NEAR(positionOf(simulation).y(), 0.0, 1e-9);
}

}  // namespace
}  // namespace footfall::physics
