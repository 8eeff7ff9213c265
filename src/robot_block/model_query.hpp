#pragma once

#include "footfall/base/error.hpp"
#include "footfall/block/registry.hpp"
#include "footfall/robot_block/internal/robot_signals.hpp"
#include "footfall/robot_block/robot_setup.hpp"
#include "robot_block/part_names.hpp"

namespace footfall {

/// Controllers of one robot do not know how to carry others.
inline void requireRobotAlone(const Parameters& parameters, const Model& model) {
  if (model.further_bodies > 0)
    throw Error(
        parameters.where,
        "block " + parameters.block + ": the scene has bodies beside the robot, which this block cannot control",
        "use PostureHold, or blocks of your own");
}

/// A block that looks at the model of the scene at (q, ν): its first two inputs. Scratch is an engine at that state.
class ModelQuery : public Block {
 public:
  explicit ModelQuery(const Parameters& parameters)
      : setup_(findRobotSetup(parameters)), engine_(engineNamed(parameters, setup_->settings().engine)) {}

  std::unique_ptr<BlockScratch> makeScratch() const override {
    return std::make_unique<Scratch>(makeDynamics(engine_, model()));
  }

  void outputs(Evaluation& e) const final {
    Scratch& scratch = e.scratch<Scratch>();
    scratch.dynamics->update(e.vector(0), e.vector(1));
    answer(*scratch.dynamics, scratch.work, e);
  }

  /// What all of them have in common.
  static ParameterDescription engineParameter() {
    return {"engine", "physics engine", "as the scene", "", false, "plug-in"};
  }
  static PortDescription qPort() { return {"q", "of the robot; vector of 7 + n"}; }
  static PortDescription nuPort() { return {"nu", "of the robot; vector of 6 + n"}; }

 protected:
  const Model& model() const { return setup_->model(); }
  const RobotSetup& setup() const { return *setup_; }

  /// Declares the inputs q and nu.
  void declareState(BlockInterface& io) const {
    io.input("q", positionsType(model()));
    io.input("nu", velocitiesType(model()));
  }

  /// @param work scratch (nv)
  virtual void answer(RobotDynamics& dynamics, VectorXd& work, Evaluation& e) const = 0;

 private:
  struct Scratch : BlockScratch {
    explicit Scratch(std::unique_ptr<Dynamics> d)
        : dynamics(std::move(d)), work(VectorXd::Zero(dynamics->model().nv())) {}
    std::unique_ptr<Dynamics> dynamics;
    VectorXd work;
  };

  std::shared_ptr<const RobotSetup> setup_;
  std::string engine_;
};

/// An output as a matrix, column by column.
inline Eigen::Map<MatrixXd> outMatrix(Evaluation& e, int output, Eigen::Index rows) {
  const auto values = e.out(output);
  return {values.data(), rows, static_cast<Eigen::Index>(values.size()) / rows};
}

}  // namespace footfall
