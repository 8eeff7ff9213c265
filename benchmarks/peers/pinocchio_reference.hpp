#pragma once

#include <memory>

#include "footfall/model/model.hpp"

namespace footfall::bench {

/// Pinocchio's own forward dynamics of the same robot: the unit in which speeds are told.
/// Includes nothing of Pinocchio.
class PinocchioReference {
 public:
  explicit PinocchioReference(const Model& model);
  ~PinocchioReference();

  /// Translates our mixed representation into Pinocchio's; not to be timed. tau has nv entries.
  void setState(const Eigen::Ref<const VectorXd>& q, const Eigen::Ref<const VectorXd>& nu,
                const Eigen::Ref<const VectorXd>& tau);
  /// pinocchio::aba() at that state, and nothing else. Returns the first entry of the acceleration, so that
  /// no compiler can leave it out.
  double aba();
  /// The acceleration of the last aba() in our representation, for checks.
  VectorXd acceleration() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace footfall::bench
