#include "footfall/base/error.hpp"
#include "footfall/record/run_snapshot.hpp"
#include "footfall/record/runner.hpp"
#include "runtime/simulator.hpp"

namespace footfall::fmu {
namespace {

const std::vector<std::string> kWrench{"fx", "fy", "fz", "mx", "my", "mz"};
const std::vector<std::string> kWrenchUnits{"N", "N", "N", "N m", "N m", "N m"};

/// A scene without diagram: torques and wrenches in, the channels of its log out.
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
  void setInputs(const std::vector<double>& values) override {
    const Model& model = runner_.simulation().model();
    Input& input = runner_.simulation().input();
    const int n = model.jointDofs();
    std::copy(values.begin(), values.begin() + n, input.tau.begin());
    input.wrenches.clear();
    for (std::size_t link = 0; link < model.links.size(); ++link) {
      const Eigen::Map<const Vector6d> wrench(values.data() + n + 6 * static_cast<int>(link));
      if (!wrench.isZero(0.0)) input.wrenches.push_back({LinkIndex(static_cast<int>(link)), Vector3d::Zero(), wrench});
    }
  }

  std::span<const double> outputValues() override {
    return snapshot_.take(runner_.instrumented(), has_stepped_).subspan(1);  // without the time
  }

  void advance() override {
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
  std::vector<SceneParameter> parameters_;
  SceneRunner runner_;
  RunSnapshot snapshot_;
  std::vector<Signal> inputs_, outputs_;
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
