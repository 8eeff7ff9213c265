#pragma once

#include "footfall/base/error.hpp"
#include "footfall/block/registry.hpp"
#include "footfall/robot_block/internal/robot_signals.hpp"
#include "footfall/robot_block/robot_setup.hpp"
#include "footfall/robot_block/stage_session.hpp"
#include "footfall/step/describe_failure.hpp"

namespace footfall {

// What the stage blocks have in common. The warm start of the contact solver travels as a vector of numbers.

/// Candidates, their impulses, and whether these are the smallest.
inline int warmSize(const Model& model) {
  if (model.further_bodies > 0 || model.collides())
    throw Error("diagram", "the stages of a step as blocks are for one robot on the ground, without bodies beside it",
                "use the block Robot");
  return model.usualContacts() + warmStartSize(model) + 1;
}

template <class Values>
void packWarmStart(const WarmStart& warm, Values&& values) {
  const Eigen::Index slots = warm.candidate.size(), impulses = warm.impulse.size();
  values.head(slots) = warm.candidate.cast<double>();
  values.segment(slots, impulses) = warm.impulse;
  values[slots + impulses] = warm.minimum_norm ? 1.0 : 0.0;
}

inline void unpackWarmStart(const Eigen::Map<const VectorXd>& values, WarmStart& warm) {
  const Eigen::Index slots = warm.candidate.size(), impulses = warm.impulse.size();
  warm.candidate = values.head(slots).cast<int>();
  warm.impulse = values.segment(slots, impulses);
  warm.minimum_norm = values[slots + impulses] != 0.0;
}

inline SignalType sessionType() { return SignalType::function("footfall::StageSession"); }
inline PortDescription sessionPort() { return {"session", "function port of DynamicsTerms (footfall::StageSession)"}; }

/// Entries of an impulse vector: three for each contact and joint row that there may be.
inline int impulseSize(const Model& model) { return 3 * ConstraintSystem(model).capacity(); }

/// A stage of a step, as a block.
class StageBlock : public Block {
 public:
  explicit StageBlock(const Parameters& parameters) : setup_(findRobotSetup(parameters)) {
    if (!setup_->ties().empty())
      throw Error(setup_->ties().front().where, "the stages of a step as blocks cannot make or release ties",
                  "use the block Robot");
  }

 protected:
  const Model& model() const { return setup_->model(); }
  SampleTime everyStep() const { return SampleTime::discrete(setup_->settings().step); }
  void stopIfFailed(StageSession& session, Evaluation& e) const {
    if (session.failed())
      e.stop(describeFailure(session.numbers().result, session.state.time, model(), setup_->settings()));
  }

  std::shared_ptr<const RobotSetup> setup_;
};

}  // namespace footfall
