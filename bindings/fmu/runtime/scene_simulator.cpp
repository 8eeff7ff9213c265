#include <optional>

#include "footfall/base/error.hpp"
#include "footfall/model/loops.hpp"
#include "footfall/record/run_snapshot.hpp"
#include "footfall/record/runner.hpp"
#include "runtime/simulator.hpp"

namespace footfall::fmu {
namespace {

const std::vector<std::string> kWrench{"fx", "fy", "fz", "mx", "my", "mz"};
const std::vector<std::string> kWrenchUnits{"N", "N", "N", "N m", "N m", "N m"};

/// A joint whose motion is given, during a communication step: the cubic between both of its ends.
struct DrivenJoint {
  DofIndex dof;
  double start = 0.0, end = 0.0;          ///< [s]
  double from = 0.0, to = 0.0;            ///< [rad or m]
  double from_rate = 0.0, to_rate = 0.0;  ///< [rad/s or m/s]

  void at(double time, double slack, double& position, double& rate) const {
    if (time >= end - slack) {
      position = to;
      rate = to_rate;
      return;
    }
    const double length = end - start, f = (time - start) / length, distance = to - from;
    position =
        from + f * f * (3.0 - 2.0 * f) * distance + length * f * (1.0 - f) * ((1.0 - f) * from_rate - f * to_rate);
    rate = 6.0 * f * (1.0 - f) * distance / length + (1.0 - f) * (1.0 - 3.0 * f) * from_rate +
           f * (3.0 * f - 2.0) * to_rate;
  }
};

/// A scene without diagram: torques, wrenches and given motions in, the channels of its log out.
class SceneSimulator : public Simulator {
 public:
  explicit SceneSimulator(const Scene& scene)
      : parameters_(sceneParameters(scene)), runner_(scene), snapshot_(runner_.instrumented()) {
    const Model& model = runner_.simulation().model();
    for (const Dof& dof : model.dofs)
      inputs_.push_back({"torque." + dof.name,
                         "Torque or force that is added at the joint " + dof.name,
                         traitsOf(dof.kind).effort_unit,
                         {}});
    for (const Link& link : model.links)
      inputs_.push_back({"wrench." + link.name,
                         "Force [N] and moment [N m] on the link " + link.name + " at its origin, world axes", "-",
                         kWrench, kWrenchUnits});
    for (const DofIndex dof : runner_.simulation().world().robot().prescribed.movedFromOutside()) addDriven(model, dof);
    for (const TimedTie& tie : runner_.simulation().world().robot().ties)
      if (tie.commanded)
        inputs_.push_back({"tie." + tie.request.name,
                           "Above a half the loop " + tie.request.name + " is made, else released",
                           "-",
                           {}});
    for (const Channel& channel : snapshot_.channels())
      if (channel.name != "time")
        outputs_.push_back({channel.name, "Channel " + channel.name + " of the log", channel.unit, channel.components});
  }

  const std::vector<Signal>& inputs() const override { return inputs_; }
  const std::vector<Signal>& outputs() const override { return outputs_; }
  const std::vector<SceneParameter>& parameters() const override { return parameters_; }
  double duration() const override { return runner_.plan().duration; }
  double step() const override { return runner_.stepSize(); }
  double time() const override { return runner_.time(); }

  bool feedsThrough() const override { return false; }  // forces belong to the step that has ended
  void setInputs(const std::vector<double>& values, double end) override {
    const Model& model = runner_.simulation().model();
    Input& input = runner_.simulation().input();
    const int n = model.jointDofs();
    std::copy(values.begin(), values.begin() + n, input.tau.begin());
    input.wrenches.clear();
    for (std::size_t link = 0; link < model.links.size(); ++link) {
      const Eigen::Map<const Vector6d> wrench(values.data() + n + 6 * static_cast<int>(link));
      if (!wrench.isZero(0.0)) input.wrenches.push_back({LinkIndex(static_cast<int>(link)), Vector3d::Zero(), wrench});
    }
    const double* motion = values.data() + n + 6 * model.links.size();
    const State& state = runner_.simulation().state();
    for (DrivenJoint& joint : driven_) {
      joint = {
          joint.dof, state.time, end, state.joints()[joint.dof], motion[0], model.jointVelocities(state.nu)[joint.dof],
          motion[1]};
      motion += 2;
    }
    commandTies(motion);
  }

  std::span<const double> outputValues() override {
    return snapshot_.take(runner_.instrumented(), has_stepped_).subspan(1);  // without the time
  }

  void advance() override {
    Input& input = runner_.simulation().input();
    for (const DrivenJoint& joint : driven_)
      joint.at(runner_.simulation().state().timeAfter(step()), 1e-6 * step(), input.position[joint.dof],
               input.velocity[joint.dof]);
    if (!runner_.step()) throw Error("", runner_.failure());
    has_stepped_ = true;
  }

  /// Whether it has stepped, and what the run remembers.
  std::string save() const override { return (has_stepped_ ? '1' : '0') + runner_.save(); }

  void load(const std::string& bytes) override {
    if (bytes.empty()) throw Error("FMU state", "it ends too early");
    runner_.restore(bytes.substr(1), "FMU state");
    has_stepped_ = bytes.front() == '1';
  }

 private:
  /// A number for each loop that is commanded, in the order of the scene. Where one cannot be made, none is.
  void commandTies(const double* wanted) {
    Simulation& simulation = runner_.simulation();
    std::optional<State> before;
    for (const TimedTie& tie : simulation.world().robot().ties) {
      if (!tie.commanded) continue;
      const bool want = *wanted++ > 0.5;
      if (want == isNamed(tie.request.name, simulation.ties())) continue;
      if (!before) before = simulation.state();
      try {
        want ? static_cast<void>(simulation.tie(tie.request)) : simulation.release(tie.request.name);
      } catch (const Error& e) {
        simulation.setState(*before);
        throw Error("tie." + tie.request.name, e.problem(), e.hint());
      }
    }
  }

  void addDriven(const Model& model, DofIndex dof) {
    const std::string& name = model.dofs[dof].name;
    const JointTraits traits = traitsOf(model.dofs[dof].kind);
    const State& state = runner_.simulation().state();
    inputs_.push_back({"position." + name,
                       "Where the prescribed joint " + name + " is at the end of the communication step",
                       traits.position_unit,
                       {},
                       {},
                       state.joints()[dof]});
    inputs_.push_back({"velocity." + name,
                       "How fast the prescribed joint " + name + " moves at the end of the communication step",
                       traits.velocity_unit,
                       {},
                       {},
                       model.jointVelocities(state.nu)[dof]});
    driven_.push_back({dof});
  }

  std::vector<SceneParameter> parameters_;
  SceneRunner runner_;
  RunSnapshot snapshot_;
  std::vector<Signal> inputs_, outputs_;
  std::vector<DrivenJoint> driven_;
  bool has_stepped_ = false;
};

}  // namespace

std::unique_ptr<Simulator> makeSceneSimulator(Scene scene) {
  scene.run.log_period = 0.0;  // of the log that nobody writes here
  return std::make_unique<SceneSimulator>(scene);
}

std::vector<SceneParameter> sceneParameters(const Scene& scene) {
  std::vector<SceneParameter> parameters{
      {"physics.step", "Length of an internal step", "s", scene.physics.step},
      {"run.seed", "Seed of all random numbers", "-", static_cast<double>(scene.run.seed)},
  };
  // With several surfaces, `ground` is a list and has no friction of its own.
  if (scene.more_ground.empty()) {
    parameters.push_back({"ground.friction", "Coefficient of friction of the ground", "-", scene.ground.friction});
    parameters.push_back({"ground.restitution", "0: inelastic impacts, 1: elastic", "-", scene.ground.restitution});
  }
  return parameters;
}

}  // namespace footfall::fmu
