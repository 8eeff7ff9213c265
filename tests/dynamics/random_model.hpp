#pragma once

#include <random>

#include "footfall/dynamics/dynamics.hpp"
#include "footfall/model/model.hpp"
#include "footfall/model/state.hpp"

namespace footfall::test {

/// Robots that no one has built: random trees with branches, for fixed seeds.
struct RandomModelOptions {
  int joints = 12;
  bool floating_base = true;
  bool prismatic_joints = true;
  bool ball_joints = false;      ///< some joints are ball joints
  int mimic_joints = 0;          ///< how many of the joints follow another one
  int couplings = 0;             ///< pairs of joints with a motor in common
  bool across_branches = false;  ///< these pairs are any joints, not a joint and the one below it
  double straightness = 0.6;     ///< chance that a joint goes on with the last link, not with any other
};

Model randomModel(std::mt19937& random, const RandomModelOptions& options);

/// Any pose, joints within ±2, velocities within ±1.
State randomState(const Model& model, std::mt19937& random);

/// Of numbers that may be zero: relative to what is expected, absolute below 1.
inline double relativeError(const MatrixXd& actual, const MatrixXd& expected) {
  return (actual - expected).norm() / (1.0 + expected.norm());
}

VectorXd randomVector(int size, std::mt19937& random);  ///< entries within ±1

/// Points on random links in random order, with random contact axes or those of the world.
std::vector<ContactFrame> randomContacts(const Model& model, int count, bool world_axes, std::mt19937& random);

}  // namespace footfall::test
