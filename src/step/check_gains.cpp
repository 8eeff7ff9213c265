#include "footfall/step/internal/check_gains.hpp"

#include <fmt/format.h>

#include "footfall/base/error.hpp"

namespace footfall {
namespace {

constexpr const char* kHint = "forces that push a joint on are torques of the input (input.tau), not springs";

/// Of what is no number at all the step tells (StepFailure::Reason::not_finite), as of every input.
bool isGain(double value) { return !(value < 0.0); }

void checkAll(const Model& model, const VectorXd& gains, const char* name) {
  if (gains.size() != model.jointDofs())
    throw Error(fmt::format("springs.{}", name), fmt::format("it has {} entries, expected {} of the robot '{}'",
                                                             gains.size(), model.jointDofs(), model.name));
  if (gains.size() == 0 || !(gains.minCoeff<Eigen::PropagateNumbers>() < 0.0)) return;
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
