#pragma once

#include <algorithm>

#include "footfall/base/error.hpp"
#include "footfall/block/registry.hpp"
#include "footfall/robot_block/internal/robot_signals.hpp"
#include "footfall/robot_block/robot_setup.hpp"
#include "footfall/robot_block/stage_session.hpp"
#include "footfall/step/describe_failure.hpp"

namespace footfall {

// What the stage blocks have in common. The warm start of the contact solver travels as a vector of numbers.

/// Candidates, their impulses, those of joints, and whether these are the smallest.
inline int warmSize(const Model& model) { return 4 * stageContacts(model) + 2 * model.jointDofs() + 1; }

template <class Values>
void packWarmStart(const WarmStart& warm, const Model& model, Values&& values) {
  const Eigen::Index slots = stageContacts(model), joints = 2 * model.jointDofs();
  const Eigen::Index used = std::min(slots, warm.candidate.size());
  values.head(slots).setConstant(-1.0);
  values.head(used) = warm.candidate.head(used).template cast<double>();
  values.segment(slots, 3 * slots).setZero();
  values.segment(slots, 3 * used) = warm.impulse.head(3 * used);
  values.segment(4 * slots, joints) = warm.impulse.tail(joints);
  values[4 * slots + joints] = warm.minimum_norm ? 1.0 : 0.0;
}

inline void unpackWarmStart(const Eigen::Map<const VectorXd>& values, const Model& model, WarmStart& warm) {
  const Eigen::Index slots = stageContacts(model), impulses = 3 * slots + 2 * model.jointDofs();
  warm.candidate = values.head(slots).cast<int>();
  warm.impulse = values.segment(slots, impulses);
  warm.minimum_norm = values[slots + impulses] != 0.0;
}

inline SignalType sessionType() { return SignalType::function("footfall::StageSession"); }
inline PortDescription sessionPort() { return {"session", "function port of DynamicsTerms (footfall::StageSession)"}; }

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
