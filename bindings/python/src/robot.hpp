#pragma once

#include <optional>
#include <stdexcept>
#include <string>

#include "dynamics.hpp"
#include "footfall/picture/robot_picture.hpp"
#include "footfall/record/runner.hpp"
#include "one_thread.hpp"
#include "result.hpp"
#include "state.hpp"
#include "views.hpp"

namespace footfall::python {

/// A failed contact solve, where Python cannot look at a status: at the end of run().
class RunFailed : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A simulation, and the objects that show its parts to Python.
class Robot {
 public:
  Robot(const Scene& scene, nb::object contact_model, nb::object integrator);

  SceneRunner& runner() { return runner_; }
  Simulation& simulation() { return runner_.simulation(); }
  const Simulation& simulation() const { return runner_.simulation(); }
  InstrumentedSimulation& instrumented() { return runner_.instrumented(); }
  NamedState& state() { return state_; }
  NamedInput& input() { return input_; }
  NamedSprings* springs() { return springs_ ? &*springs_ : nullptr; }
  LastResult& result() { return result_; }
  Engine& dynamics() {
    guard_.requireNoOther();
    engine_.updateToSimulation();
    return engine_;
  }
  const OneThread& guard() const { return guard_; }
  /// Steps follow: whatever the engine knows is old.
  void simulationMoves() { engine_.simulationMoves(); }

  /// Red, green and blue: (height × width × 3).
  nb::object render(int width, int height, const PictureView& view);

  LastResult& step();
  void run(double seconds, const std::optional<std::string>& log_path, const nb::object& controller);

  /// Moves the targets of the springs to posture + scale · action, the action clipped to ±1; `clipped` becomes that.
  /// False: the action is not one finite number for each joint, and nothing has changed.
  bool aim(const Eigen::Ref<const VectorXd>& action, const Eigen::Ref<const VectorXd>& posture, double scale,
           Eigen::Ref<VectorXd> clipped);

  /// What a policy sees of a floating robot, in one call: height of the base, up (3), velocity (3) and angular velocity
  /// (3) of the base in its own axes, positions and velocities of the joints. Returns the sum of the squared torques of
  /// the joints.
  double look(Eigen::Ref<VectorXd> seen) const;

  /// How many steps are made in this time. Throws Error when it is no time.
  long long stepsIn(double seconds) const;
  /// So many steps on the thread that calls, which does not hold the GIL. False: one has failed, the state is that
  /// before it.
  bool advance(long long steps);

 private:
  void runSteps(long long steps, const nb::object& controller);
  bool stepSucceeds();
  /// Whether the next step starts where no step has ended, and not where the scene starts.
  bool isElsewhere() const;
  /// Of the step that was made: a Python warning that names what started inside of something. Needs the GIL.
  void warnOfDepths(int stack_level) const;

  const bool rigid_;  ///< contacts are those of a model of this library that lets nothing in
  OneThread guard_{"simulation"};
  SceneRunner runner_;
  std::optional<RobotPicture> picture_;  ///< once it was asked for
  Names names_;
  NamedState state_;
  NamedInput input_;
  std::optional<NamedSprings> springs_;
  LastResult result_;
  Engine engine_;
};

}  // namespace footfall::python
