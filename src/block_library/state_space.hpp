#pragma once

#include "block_library/shapes.hpp"

namespace footfall {

struct StateSpace {
  MatrixXd A, B, C, D;
  VectorXd initial;  ///< state at the start
};

/// From the parameters A, B, C, D and initial; throws Error when their sizes do not fit.
StateSpace readStateSpace(const Parameters& parameters);
/// From the parameters numerator and denominator, in controllable canonical form; throws Error when the numerator is
/// of higher degree.
StateSpace readTransferFunction(const Parameters& parameters);

/// A block whose output is C x + D u.
class LinearBlock : public Block {
 public:
  LinearBlock(StateSpace matrices, std::string unit) : matrices_(std::move(matrices)), unit_(std::move(unit)) {}
  void declare(BlockInterface& io) const override;

 protected:
  const StateSpace& matrices() const { return matrices_; }
  int states() const { return static_cast<int>(matrices_.A.rows()); }
  void output(Evaluation& e, const Eigen::Map<VectorXd>& x) const;
  /// A x + B u
  void next(Evaluation& e, const Eigen::Map<VectorXd>& x, Eigen::Map<VectorXd> result) const;

 private:
  bool feedsThrough() const { return !matrices_.D.isZero(0.0); }
  StateSpace matrices_;
  std::string unit_;
};

}  // namespace footfall
