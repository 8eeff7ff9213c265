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
  NamedState(State state, Names names, std::string robot)
      : own_(std::make_unique<State>(std::move(state))),
        state_(own_.get()),
        names_(std::move(names)),
        robot_(std::move(robot)) {}
  NamedState(State state, const Model& model) : NamedState(std::move(state), jointNames(model), robotIdentity(model)) {}
  /// Looks at a state that belongs to someone who outlives it.
  NamedState(State* state, Names names, const Model& model)
      : state_(state), names_(std::move(names)), robot_(robotIdentity(model)) {}
  NamedState copy() const { return {State(*state_), names_, robot_}; }

  State& get() { return *state_; }
  const State& get() const { return *state_; }
  const Names& names() const { return names_; }
  /// robotIdentity() of its model; empty: it comes from a pickle of before, which did not know it.
  const std::string& robot() const { return robot_; }

 private:
  std::unique_ptr<State> own_;
  State* state_;
  Names names_;
  std::string robot_;
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
