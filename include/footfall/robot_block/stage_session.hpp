#pragma once

#include "footfall/step/stages.hpp"

namespace footfall {

/// Contacts that the lines between stages have room for: lines have a fixed width, but in how many places shapes touch
/// edges of the ground, and points its corners, is known when they do. ContactDetection stops where it is not enough.
/// Throws Error for models whose links touch each other.
int stageContacts(const Model& model);

/// Entries of a vector of impulses: three for each contact and joint row that there may be.
int impulseSize(const Model& model);

/// One step under way, shared by the stage blocks of a diagram. Port type "footfall::StageSession"; it comes from the
/// block `DynamicsTerms`, and stages come one after the other as the numbers between them ask for.
struct StageSession {
  StageSession(const Model& model, const Terrain& terrain, const Settings& settings)
      : workspace(model, terrain, settings), state(makeState(model)), input(makeInput(model)) {}

  StepStart start() const { return {state, input, has_springs ? &springs : nullptr}; }
  StageNumbers numbers() { return stageNumbers(workspace); }
  /// A stage has failed: those behind it have nothing to do.
  bool failed() { return numbers().result.status == SolveStatus::failed; }

  Workspace workspace;
  State state;  ///< at the start of the step
  Input input;
  JointSprings springs;
  bool has_springs = false;
};

}  // namespace footfall
