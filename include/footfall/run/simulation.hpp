#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "footfall/actuator/actuators.hpp"
#include "footfall/scene/world.hpp"
#include "footfall/step/stages.hpp"

namespace footfall {

/// The friendly owner of all the parts: a robot on the ground, with what the scene says.
///
///     Simulation simulation(loadScene("stand.yaml"));
///     while (simulation.time() < 1.0) simulation.step();
class Simulation {
 public:
  /// Throws Error where the scene is wrong, or has a diagram: a Simulation would run without it. loadDiagramSource() of
  /// footfall/diagram/diagram_source.hpp loads it, withoutDiagram() leaves it out.
  explicit Simulation(const Scene& scene);
  /// The same from what was built already: simulations of one world share it.
  explicit Simulation(std::shared_ptr<const World> world);
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  const World& world() const;
  const Model& model() const;
  const Settings& settings() const;
  const Scene& scene() const;
  const std::vector<std::string>& warnings() const;  ///< what was odd about the model file
  const Terrain& terrain() const;

  double time() const { return state().time; }
  const State& state() const;
  void setState(const State& state);  ///< throws Error when sizes do not fit
  /// The same without a copy: `state` is then what this simulation had.
  void swapState(State& state);

  /// Joint torques and wrenches that are added to what the scene asks for; kept until changed. Torques of joints that
  /// have motors are commands to these.
  Input& input();
  /// What acted during the last step: torques after the motors, all wrenches.
  const Input& applied() const;
  /// What holds the posture; null when the scene does not hold one. Springs at the joint, or, where a motor cannot
  /// deliver everything at once, gains of its commands.
  JointSprings* springs();
  /// Joints that are held by commands to their motors, not by springs.
  const std::vector<DofIndex>& heldByMotors() const;
  /// Torques that act all the time: those that hold the initial posture on its contacts, and those that the scene
  /// names, (n) [N m or N].
  const VectorXd& holdingTorque() const;

  /// Share of the torques of motors and inputs that reaches the joints, (n) [-]; springs at the joints keep theirs.
  /// Empty (the default): all of it.
  VectorXd& motorStrength();

  /// For those who step many robots with one simulation: as Workspace::setMasses().
  void setMasses(std::span<const LinkMass> masses, const MassTraits& traits);

  /// One step. A failed solve is a value, not an exception: look at result.status; the state stays as it was. A step
  /// that fails again from there throws Error with the reason: a loop that nobody watches does not run for ever.
  const StepResult& step();
  /// For those who make the next step themselves, many of them at once: what it starts from and what acts during it,
  /// until something of this simulation changes. Motors have moved on already, in the state. Afterwards setState().
  StepStart nextStep();
  /// The result of the last step; before the first one, empty.
  const StepResult& result() const;

  /// Ties two frames together as they are now: a hand that takes a ball. Between steps; see footfall/step/tie.hpp.
  TieImpact tie(const TieRequest& request);
  /// Takes a tie away again, also one that the scene has made.
  void release(std::string_view name);
  const std::vector<Loop>& ties() const { return state().ties; }

  /// What the motors of the scene did in the last step, in their order.
  const std::vector<MotorReport>& motors() const;

  /// As those of Workspace.
  void setContactModel(std::unique_ptr<ContactModel> model);
  void setIntegrator(std::unique_ptr<Integrator> integrator);
  void setForceField(ForceField field);
  /// As Workspace::setProfile().
  void setProfile(StepProfile* profile);

  /// Engine at the current state (updates it): poses, Jacobians, energy … It lasts until ties are made or released.
  /// Throws Error inside of a step, which uses the same engine: force fields get it with their arguments, parts make
  /// one of their own.
  Dynamics& dynamics();

  /// "t = 1.204 s: contact solve stopped after 200 iterations, residual 3.1e-4 > 1e-6 …"
  std::string describeFailure() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace footfall
