#include "footfall/step/internal/check_gains.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstdint>

#include "footfall/base/error.hpp"

namespace footfall {
namespace {

constexpr const char* kHint = "forces that push a joint on are torques of the input (input.tau), not springs";

/// Of what is no number at all the step tells (StepFailure::Reason::not_finite), as of every input.
bool isGain(double value) { return !(value < 0.0); }

/// Whether any number has its sign set: few instructions in every step, and nearly never true.
bool hasSign(const VectorXd& values) {
  std::uint64_t bits = 0;
  for (Eigen::Index i = 0; i < values.size(); ++i) bits |= std::bit_cast<std::uint64_t>(values[i]);
  return (bits >> 63) != 0;
}

void checkAll(const Model& model, const VectorXd& gains, const char* name) {
  if (gains.size() != model.jointDofs())
    throw Error(fmt::format("springs.{}", name), fmt::format("it has {} entries, expected {} of the robot '{}'",
                                                             gains.size(), model.jointDofs(), model.name));
  if (!hasSign(gains)) return;
  for (int i = 0; i < model.jointDofs(); ++i)
    if (!isGain(gains[i]))
      throw Error(fmt::format("springs.{}", name),
                  fmt::format("that of the joint '{}' is {}, expected zero or more", model.dofs[i].name, gains[i]),
                  kHint);
}

void checkOne(double value, const char* name, const std::string& of, const Model& model) {
  if (isGain(value)) return;
  throw Error(fmt::format("model '{}'", model.name),
              fmt::format("the {} of {} is {}, expected zero or more", name, of, value), kHint);
}

}  // namespace

void checkGains(const Model& model, const JointSprings& springs) {
  checkAll(model, springs.stiffness, "stiffness");
  checkAll(model, springs.damping, "damping");
}

void checkGains(const Model& model) {
  for (const Dof& dof : model.dofs) {
    const std::string joint = fmt::format("joint '{}'", dof.name);
    checkOne(dof.damping, "damping", joint, model);
    checkOne(dof.friction, "friction", joint, model);
    checkOne(dof.reflected_inertia, "reflected inertia", joint, model);
    checkOne(dof.spring_stiffness, "spring stiffness", joint, model);
  }
  for (std::size_t k = 0; k < model.point_springs.size(); ++k) {
    const std::string spring = fmt::format("the spring {} between two points", k);
    checkOne(model.point_springs[k].stiffness, "stiffness", spring, model);
    checkOne(model.point_springs[k].damping, "damping", spring, model);
  }
}

}  // namespace footfall
