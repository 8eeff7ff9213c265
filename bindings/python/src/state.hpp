#pragma once

#include <memory>
#include <string>

#include "footfall/model/state.hpp"
#include "footfall/step/step.hpp"
#include "names.hpp"
#include "one_thread.hpp"

namespace footfall::python {

/// A State that knows the names of its joints: one of its own, or the one that a simulation is in.
class NamedState {
 public:
  NamedState(State state, Names names)
      : own_(std::make_unique<State>(std::move(state))), state_(own_.get()), names_(std::move(names)) {}
  /// Looks at a state that belongs to someone who outlives it.
  NamedState(State* state, Names names) : state_(state), names_(std::move(names)) {}

  State& get() { return *state_; }
  const State& get() const { return *state_; }
  const Names& names() const { return names_; }

 private:
  std::unique_ptr<State> own_;
  State* state_;
  Names names_;
};

/// The input of a simulation, with the model that its names belong to.
struct NamedInput {
  Input& input;
  const Model& model;
  Names names;
  const OneThread* guard;  ///< of the simulation
};

struct NamedSprings {
  JointSprings& springs;
  Names names;
};

}  // namespace footfall::python
