#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <regex>
#include <sstream>

#include "batch/batch_tools.hpp"
#include "footfall/base/error.hpp"
#include "footfall/base/internal/temporary_folder.hpp"
#include "footfall/step/internal/pack_step.hpp"

// Worlds whose robots weigh something else than the model says. The oracle is a Simulation of a model that weighs so.

namespace footfall {
namespace {

constexpr double kPayload = 0.7;           // [kg]
const Vector3d kShift(0.02, -0.01, 0.03);  // [m]
const std::vector<SceneOverride> kExact = {{"physics.tolerance", "1e-12"}};

/// Factors between a half and two, other ones in each world.
VectorXd factors(int world, int links) {
  return startVelocity(world, links).unaryExpr([](double x) { return std::exp2(5.0 * x); });
}

/// All that a world can be told about masses.
void weigh(BatchSimulation& batch, int world, const VectorXd& factor) {
  batch.values("mass").row(world) = factor;
  if (!batch.model().floating_base) return;
  batch.values("payload")(world, 0) = kPayload;
  batch.values("com_shift").row(world) = kShift;
}

/// The same robot with the same gains and holding torques, in a model that weighs so.
std::shared_ptr<const World> heavierWorld(const Scene& scene, const VectorXd& factor) {
  auto world = std::make_shared<World>(*buildWorld(scene));
  Model& model = world->bodies.front().model;
  for (std::size_t k = 0; k < model.links.size(); ++k) {
    SpatialInertia& inertia = model.links[k].inertia;
    inertia.mass *= factor[static_cast<Eigen::Index>(k)];
    inertia.I_com *= factor[static_cast<Eigen::Index>(k)];
  }
  if (!model.floating_base) return world;
  model.links[0].inertia.mass += kPayload;
  model.links[0].inertia.com += kShift;
  return world;
}

class BatchMasses : public testing::TestWithParam<const char*> {};

/// As WorldMasses makes them of what weigh() says.
std::vector<LinkMass> linkMasses(const Model& model, const VectorXd& factor) {
  std::vector<LinkMass> masses;
  for (std::size_t k = 0; k < model.links.size(); ++k) {
    const double own = factor[static_cast<Eigen::Index>(k)];
    masses.push_back({own * model.links[k].inertia.mass, own, model.links[k].inertia.com});
  }
  if (!model.floating_base) return masses;
  masses[0].mass += kPayload;
  masses[0].com += kShift;
  return masses;
}

/// Every step, from where the world of the batch is: packs, and worlds that step one by one with bodies, loops, mimic
/// joints, impacts and other grounds. Where the solver takes more than twenty iterations, a Simulation leaves out its
/// corrections of second order (SecondOrderStep): with a problem that differs by rounding, one of two may do so and
/// the other not. Such steps are few, and not compared.
TEST_P(BatchMasses, AreThoseOfASimulationOfAModelThatWeighsSo) {
  constexpr int kCopies = 9, kSteps = 150, kLooked = 7, kMuchWork = 20, kFew = 5;
  constexpr double kAgreed = 1e-10;
  const Scene scene = physics::sceneFile(GetParam(), kExact);
  BatchSimulation batch(scene, {.copies = kCopies, .threads = 2});
  const int links = static_cast<int>(batch.model().links.size());
  for (int world = 0; world < kCopies; ++world) weigh(batch, world, factors(world, links));
  batch.values("nu").row(kLooked) += startVelocity(kLooked, batch.values("nu").width());
  Simulation heavy(heavierWorld(scene, factors(kLooked, links))), own(scene);
  const std::vector<LinkMass> masses = linkMasses(own.model(), factors(kLooked, links));
  MassTraits traits;
  OwnMassTraits(own.model(), own.settings().engine, own.settings().step).find(masses, traits);
  own.setMasses(masses, traits);
  if (!heavy.model().loops.empty() || heavy.model().hasPrescribedJoints())
    batch.values("nu").row(kLooked) = heavy.state().nu;  // no velocity that would tear it apart
  int hard = 0;
  for (int k = 0; k < kSteps; ++k) {
    for (Simulation* simulation : {&heavy, &own}) {
      simulation->setState(batch.state(kLooked));
      simulation->step();
    }
    batch.step();
    ASSERT_EQ(batch.status()[kLooked], heavy.result().status) << "in step " << k;
    if ((heavy.result().iterations > kMuchWork) != (own.result().iterations > kMuchWork)) {
      ++hard;
      continue;
    }
    const State world = batch.state(kLooked);
    ASSERT_LE((world.q - heavy.state().q).lpNorm<Eigen::Infinity>(), kAgreed) << "after step " << k;
    ASSERT_LE((world.nu - heavy.state().nu).lpNorm<Eigen::Infinity>(), kAgreed) << "after step " << k;
  }
  EXPECT_LE(hard, kFew);
}

INSTANTIATE_TEST_SUITE_P(InPacks, BatchMasses,
                         testing::Values("icub.yaml", "icub_motors.yaml", "quadruped.yaml", "ball_hips.yaml",
                                         "falling_box.yaml"));
INSTANTIATE_TEST_SUITE_P(OneByOne, BatchMasses,
                         testing::Values("biped_rod_ankles.yaml", "shaking_table.yaml", "push_ups.yaml", "stairs.yaml",
                                         "thrown_ball.yaml", "gripper.yaml", "four_bar.yaml"));

Scene quietQuadruped(const std::vector<SceneOverride>& overrides = {}) {
  Scene scene = physics::sceneFile("quadruped.yaml", overrides);
  scene.pushes.clear();
  scene.hold.gravity_compensation = false;  // that of another weight would be another one
  return scene;
}

/// With the file itself as the oracle, fixed joints and all, over a run.
TEST(BatchMass, IsThatOfAFileWithSuchNumbers) {
  constexpr int kSteps = 200;
  constexpr double kFactor = 1.375;
  std::ifstream file(sourceDir() + "/models/quadruped.urdf");
  std::stringstream text;
  text << file.rdbuf();
  std::string heavy;
  const std::string light = text.str();
  const std::regex number("(mass value|i[xyz]{2})=\"([^\"]*)\"");
  auto rest = light.cbegin();
  for (std::sregex_iterator found(light.begin(), light.end(), number), end; found != end; ++found) {
    heavy.append(rest, (*found)[0].first);
    std::ostringstream scaled;
    scaled.precision(17);
    scaled << (*found)[1] << "=\"" << kFactor * std::stod((*found)[2]) << '"';
    heavy += scaled.str();
    rest = (*found)[0].second;
  }
  heavy.append(rest, light.cend());
  const TemporaryFolder folder("heavy");
  std::ofstream((folder.path() / "heavy.urdf").string()) << heavy;

  Scene scene = quietQuadruped();
  BatchSimulation batch(scene, {.copies = 2, .threads = 1});
  batch.values("mass").row(1).setConstant(kFactor);
  batch.values("nu").row(1) = startVelocity(1, batch.values("nu").width());
  scene.robot.model = (folder.path() / "heavy.urdf").string();
  Simulation simulation(scene);
  ASSERT_NEAR(simulation.model().totalMass(), kFactor * batch.model().totalMass(), 1e-12);
  simulation.springs()->stiffness = batch.values("stiffness").row(1);  // the scene chooses them by the weight
  simulation.springs()->damping = batch.values("damping").row(1);
  simulation.springs()->target = batch.values("target").row(1);
  simulation.setState(batch.state(1));
  for (int k = 0; k < kSteps; ++k) simulation.step();
  batch.step(kSteps);
  EXPECT_TRUE(alike(batch.state(1), simulation.state(), kSteps));
  EXPECT_GT((batch.state(1).q - batch.state(0).q).lpNorm<Eigen::Infinity>(), 1e-3) << "it does something";
}

/// A box on its face.
Scene restingBox() {
  Scene scene = physics::boxScene();
  scene.robot.base_position.z() = 0.1;
  return scene;
}

/// The ground carries all that there is.
TEST(BatchMass, OfABoxAtRestIsWhatTheGroundCarries) {
  BatchSimulation batch(restingBox(), {.copies = 3, .threads = 1});
  const double mass = batch.model().totalMass();
  batch.values("mass").row(1).setConstant(2.5);
  batch.values("payload")(2, 0) = 3.0;
  batch.step(200);
  const BatchArray& wrench = batch.values("sole_wrench");
  batch.step();
  ASSERT_EQ(wrench.width(), 6);
  const double expected[] = {mass, 2.5 * mass, mass + 3.0};
  // Velocities are found to 1e-10 m/s, twice in a step of a millisecond.
  for (int world = 0; world < 3; ++world)
    EXPECT_NEAR(wrench(world, 2), expected[world] * physics::kGravity, 2e-7 * expected[world]);
}

/// F = m a on ice.
TEST(BatchMass, OfABoxIsWhatAPushHasToMove) {
  constexpr int kSteps = 100;
  constexpr double kForce = 4.0;
  Scene scene = restingBox();
  scene.ground.friction = 0.0;
  BatchSimulation batch(scene, {.copies = 3, .threads = 1});
  const double mass = batch.model().totalMass(), time = kSteps * batch.settings().step;
  batch.values("mass").row(1).setConstant(0.25);
  batch.values("payload")(2, 0) = 3.0;
  for (int world = 0; world < 3; ++world) batch.values("push")(world, 0) = kForce;
  batch.step(kSteps);
  const double expected[] = {mass, 0.25 * mass, mass + 3.0};
  for (int world = 0; world < 3; ++world)
    EXPECT_NEAR(batch.values("nu")(world, 0), kForce / expected[world] * time, kSteps * 1e-10);
}

/// The centre of all masses falls as a stone, and what turns keeps its angular momentum about it: only with the masses
/// that the world has.
TEST(BatchMass, OfARobotInTheAirMovesItsCentreOfMassAlongAParabola) {
  constexpr int kSteps = 200;
  Scene scene = quietQuadruped();
  scene.hold.enabled = false;
  BatchSimulation batch(scene, {.copies = 2, .threads = 1});
  const int links = static_cast<int>(batch.model().links.size());
  weigh(batch, 1, factors(1, links));
  batch.values("q")(1, 2) = 10.0;
  batch.values("nu").row(1) = 3.0 * startVelocity(1, batch.values("nu").width());
  const auto world = heavierWorld(scene, factors(1, links));
  const auto dynamics = makeDynamics("native", world->robot().model);
  const State start = batch.state(1);
  dynamics->update(start.q, start.nu);
  const Vector3d com = dynamics->centerOfMass();
  const Vector6d momentum = dynamics->momentum();
  const Vector3d velocity = momentum.head<3>() / world->robot().model.totalMass();
  batch.step(kSteps);
  const State end = batch.state(1);
  dynamics->update(end.q, end.nu);
  const double t = kSteps * batch.settings().step;
  const Vector3d expected = com + velocity * t - 0.5 * physics::kGravity * t * t * Vector3d::UnitZ();
  // The path is of second order: 200 steps with legs that swing at a few radians a second; momentum is kept.
  EXPECT_LT((dynamics->centerOfMass() - expected).norm(), 1e-6);
  EXPECT_LT((dynamics->momentum().tail<3>() - momentum.tail<3>()).norm(), 1e-10);
}

/// A leg of grams from which a foot of kilograms hangs, while the robot stands on the other one: such a world leaves
/// the pack for the rule of light links.
TEST(BatchMass, OfLightLinksThatCarryHeavyOnesIsForWorldsAlone) {
  const Scene scene = physics::sceneFile("icub.yaml", kExact);
  BatchSimulation batch(scene, {.copies = 2, .threads = 1});
  const Model& model = batch.model();
  VectorXd factor = VectorXd::Ones(static_cast<Eigen::Index>(model.links.size()));
  for (const char* link : {"r_hip_1", "r_hip_2", "r_upper_leg", "r_lower_leg"}) factor[model.link(link)] = 1e-6;
  for (const char* link : {"r_ankle_1", "r_ankle_2"}) factor[model.link(link)] = 10.0;
  weigh(batch, 1, factor);
  Simulation simulation(heavierWorld(scene, factor));
  MassTraits traits = massTraitsOf(simulation.model(), simulation.dynamics(), batch.settings().step);
  ASSERT_TRUE(traits.taut);
  batch.values("q")(1, 7 + model.dof("r_knee")) -= 0.2;  // its foot is in the air
  for (int k = 0; k < 50; ++k) {
    simulation.setState(batch.state(1));
    simulation.step();
    batch.step();
    ASSERT_LE((batch.state(1).nu - simulation.state().nu).lpNorm<Eigen::Infinity>(), 1e-10) << "after step " << k;
  }
}

TEST(BatchMass, OfLightLinksIsKnownToPacks) {
  Simulation robot(quietQuadruped());
  robot.step();
  MassTraits traits = massTraitsOf(robot.model(), robot.dynamics(), robot.settings().step);
  const std::vector<LinkMass> masses = linkMassesOf(robot.model());
  const auto pack = PackStep::make(robot.model(), robot.terrain(), robot.settings());
  const OwnMasses own{masses, traits};
  EXPECT_TRUE(pack->add(robot.nextStep(), 1.0, &own));
  traits.taut = true;
  EXPECT_FALSE(pack->add(robot.nextStep(), 1.0, &own));
}

TEST(BatchMass, DoesNotDependOnSizePlaceOrThreads) {
  for (const Scene& scene : {quietQuadruped(), physics::sceneFile("stairs.yaml")}) {
    const auto manyOf = [&](int copies, int threads, int first, int stride) {
      BatchSimulation batch(scene, {.copies = copies, .threads = threads});
      const int links = static_cast<int>(batch.model().links.size());
      for (int world = 0; world < copies; ++world) weigh(batch, world, factors(first + stride * world, links));
      for (int k = 0; k < 5; ++k) batch.step(10);
      return batch;
    };
    const BatchSimulation all = manyOf(20, 1, 0, 1), some = manyOf(3, 2, 2, 7);
    for (int world = 0; world < some.copies(); ++world)
      EXPECT_TRUE(sameBits(some.state(world), all.state(2 + 7 * world))) << "world " << world;
  }
}

TEST(BatchMass, ThatIsNoneFailsInItsWorldAlone) {
  BatchSimulation batch(quietQuadruped(), {.copies = 6, .threads = 1});
  batch.values("mass")(1, 3) = 0.0;
  batch.values("mass")(2, 4) = std::numeric_limits<double>::quiet_NaN();
  batch.values("payload")(3, 0) = -8.0;  // all that the trunk has
  batch.values("com_shift")(4, 1) = std::numeric_limits<double>::infinity();
  batch.step(5);
  BatchSimulation good(quietQuadruped(), {.copies = 1, .threads = 1});
  good.step(5);
  for (const int world : {0, 5}) EXPECT_TRUE(sameBits(batch.state(world), good.state(0))) << "world " << world;
  const std::string name = batch.model().links[3].name;
  for (const auto& [world, words] :
       {std::pair<int, std::string>{1, name}, {2, "nan"}, {3, "payload"}, {4, "com_shift"}}) {
    EXPECT_EQ(batch.status()[world], SolveStatus::failed);
    EXPECT_NE(batch.describeFailure(world).find(words), std::string::npos) << batch.describeFailure(world);
  }
  for (int world = 1; world < 5; ++world) {
    batch.values("mass").row(world).setOnes();
    batch.values("payload")(world, 0) = 0.0;
    batch.values("com_shift").row(world).setZero();
  }
  batch.step(5);
  EXPECT_EQ(batch.failedWorlds(), 0);
  EXPECT_TRUE(sameBits(batch.state(3), good.state(0))) << "with its masses it goes on from where it was";
}

TEST(BatchMass, OutlivesResetsAndSnapshots) {
  const Scene scene = quietQuadruped();
  BatchSimulation batch(scene, {.copies = 3, .threads = 1});
  const int links = static_cast<int>(batch.model().links.size());
  for (int world = 0; world < 3; ++world) weigh(batch, world, factors(world, links));
  batch.step(20);
  const State first = batch.state(1);
  std::ostringstream saved;
  batch.save(saved);
  BatchSimulation other(scene, {.copies = 3, .threads = 1});
  std::istringstream in(saved.str());
  other.load(in);
  EXPECT_TRUE(sameBits(VectorXd(other.values("mass").row(1)), factors(1, links)));
  const std::vector<std::uint8_t> mask = {0, 1, 0};
  for (BatchSimulation* each : {&batch, &other}) {
    each->reset(mask);
    each->step(20);
    EXPECT_TRUE(sameBits(each->state(1), first)) << "the same masses after the reset";
  }
  EXPECT_TRUE(sameBits(other.state(2), batch.state(2)));
}

TEST(BatchMass, OfABaseThatDoesNotFloatHasNoPayload) {
  BatchSimulation batch(physics::sceneFile("four_bar.yaml"), {.copies = 1});
  EXPECT_THROW(batch.values("payload"), Error) << "nothing floats";
  EXPECT_EQ(batch.values("mass").width(), static_cast<int>(batch.model().links.size()));
}

}  // namespace
}  // namespace footfall
