#include <gtest/gtest.h>

#include <sstream>

#include "batch/batch_tools.hpp"
#include "footfall/base/error.hpp"
#include "model/error_of.hpp"

namespace footfall {
namespace {

constexpr int kCopies = 6;

/// Motors, delays, gains and a push: whatever worlds can be told.
BatchSimulation busyBatch() {
  BatchSimulation batch(physics::sceneFile("icub_motors.yaml"), {.copies = kCopies, .threads = 2, .longest_delay = 9});
  for (int world = 0; world < kCopies; ++world) {
    batch.values("delay")(world, 0) = world;
    batch.values("friction")(world, 0) = 0.5 + 0.1 * world;
    batch.values("tau").row(world).setConstant(0.1 * world);
    batch.values("push").row(world)[1] = 5.0 * world;
    batch.values("nu").row(world) = startVelocity(world, batch.values("nu").width());
  }
  return batch;
}

std::string saved(const BatchSimulation& batch) {
  std::ostringstream out;
  batch.save(out);
  return out.str();
}

void restore(BatchSimulation& batch, const std::string& bytes) {
  std::istringstream in(bytes);
  batch.load(in);
}

TEST(BatchSnapshot, ARestoredBatchGoesOnBitForBit) {
  BatchSimulation batch = busyBatch();
  const BatchArray& wrench = batch.values("sole_wrench");
  batch.step(40);
  BatchSimulation other(physics::sceneFile("icub_motors.yaml"), {.copies = kCopies, .threads = 1, .longest_delay = 9});
  other.values("motor_strength").row(2).setZero();  // set here only: the snapshot knows of no such thing
  const double* before = other.values("q").data();
  restore(other, saved(batch));
  EXPECT_EQ(other.values("q").data(), before) << "whoever looks at the array still does";
  for (BatchSimulation* each : {&batch, &other}) {
    each->values("tau").row(4).setConstant(1.0);
    each->step(30);
  }
  for (int world = 0; world < kCopies; ++world)
    EXPECT_TRUE(sameBits(other.state(world), batch.state(world))) << "world " << world;
  EXPECT_TRUE(sameBits(other.values("sole_wrench").row(3), wrench.row(3)));
}

TEST(BatchSnapshot, WhatDoesNotFitIsRefusedAndChangesNothing) {
  BatchSimulation batch = busyBatch();
  batch.step(3);
  const std::string bytes = saved(batch);
  const auto refused = [&](const Scene& scene, const BatchSettings& settings, const std::string& image) {
    BatchSimulation other(scene, settings);
    const State start = other.state(0);
    try {
      restore(other, image);
    } catch (const Error& error) {
      EXPECT_TRUE(sameBits(other.state(0), start));
      return std::string(error.what());
    }
    return std::string("it was taken");
  };
  const Scene icub = physics::sceneFile("icub_motors.yaml"), quadruped = physics::sceneFile("quadruped.yaml");
  EXPECT_NE(refused(icub, {.copies = 5, .longest_delay = 9}, bytes).find("6 copies, these have 5"), std::string::npos);
  EXPECT_NE(refused(icub, {.copies = kCopies, .longest_delay = 8}, bytes).find("longest delay"), std::string::npos);
  EXPECT_NE(refused(quadruped, {.copies = kCopies, .longest_delay = 9}, bytes).find("numbers of 'q'"),
            std::string::npos);
  EXPECT_NE(refused(icub, {.copies = kCopies, .longest_delay = 9}, "nothing of the kind").find("no saved worlds"),
            std::string::npos);
  for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 40)
    EXPECT_NE(refused(icub, {.copies = kCopies, .longest_delay = 9}, bytes.substr(0, size)).find("end too early"),
              std::string::npos)
        << "cut at " << size;
}

/// A box and a ball have as many numbers.
TEST(BatchSnapshot, WorldsOfAnotherRobotOfTheSameSizeAreRefused) {
  const auto batchOf = [](const std::string& model) {
    const std::string text =
        "robot: {model: " + model + ", base: {position: [0, 0, 1]}}\ncontacts: [{frame: " + model + "}]\n";
    return BatchSimulation(parseScene(text, "scene"), {.copies = 2});
  };
  BatchSimulation boxes = batchOf("box");
  const std::string bytes = saved(batchOf("sphere"));
  EXPECT_NE(errorOf([&] { restore(boxes, bytes); }).problem().find("of the robot 'sphere', not of 'box'"),
            std::string::npos);
  EXPECT_NO_THROW(restore(boxes, saved(batchOf("box"))));
}

}  // namespace
}  // namespace footfall
