#include <fmt/format.h>

#include "footfall/base/error.hpp"
#include "footfall/diagram/all_blocks.hpp"
#include "footfall/diagram/diagram_runner.hpp"
#include "footfall/diagram/signal_channels.hpp"
#include "runtime/simulator.hpp"

namespace footfall::fmu {
namespace {

/// One signal for each port, or for each field of a bus.
void appendSignals(const std::string& name, const SignalType& type, std::vector<Signal>& signals) {
  if (type.kind == SignalType::Kind::bus) {
    for (const BusField& field : type.fields) appendSignals(name + "." + field.name, field.type, signals);
    return;
  }
  Signal signal{name, fmt::format("{} of the diagram: {}", name, type.describe()), type.unit, {}};
  const bool single = type.kind == SignalType::Kind::scalar || type.kind == SignalType::Kind::boolean;
  for (int i = 1; !single && i <= type.size(); ++i) signal.components.push_back(std::to_string(i));
  signals.push_back(std::move(signal));
}

class DiagramSimulator : public Simulator {
 public:
  explicit DiagramSimulator(DiagramSource source)
      : runner_(std::move(source)), shown_(loggedSignals(runner_.diagram(), {})) {
    if (const auto& scene = runner_.diagramSource().scene) parameters_ = sceneParameters(*scene);
    for (const Diagram::Port& port : runner_.diagram().inputs()) appendSignals(port.name, port.type, inputs_);
    for (const std::string& name : shown_) appendSignals(name, runner_.context().signalType(name), outputs_);
    if (inputs_.empty() && outputs_.empty())
      throw Error("", "the diagram has neither inputs nor signals: an FMU of it could not be connected");
  }

  const std::vector<Signal>& inputs() const override { return inputs_; }
  const std::vector<Signal>& outputs() const override { return outputs_; }
  const std::vector<SceneParameter>& parameters() const override { return parameters_; }
  double duration() const override { return runner_.plan().duration; }
  double step() const override { return runner_.stepSize(); }
  double time() const override { return runner_.time(); }

  bool feedsThrough() const override { return true; }
  void setInputs(const std::vector<double>& values, double) override {
    const double* next = values.data();
    for (const Diagram::Port& port : runner_.diagram().inputs()) {
      runner_.context().setInput(port.name, Eigen::Map<const VectorXd>(next, port.type.size()));
      next += port.type.size();
    }
  }

  std::span<const double> outputValues() override {
    runner_.diagram().evaluate(runner_.context());
    values_.clear();
    for (const std::string& name : shown_) {
      const auto signal = runner_.context().signal(name);
      values_.insert(values_.end(), signal.begin(), signal.end());
    }
    return values_;
  }

  void advance() override {
    if (!runner_.step()) throw Error("", runner_.failure());
  }

  void finish() override { runner_.finish(); }

  std::string save() const override { return runner_.save(); }
  void load(const std::string& bytes) override { runner_.restore(bytes, "FMU state"); }

 private:
  DiagramRunner runner_;
  std::vector<SceneParameter> parameters_;  ///< of the scene
  std::vector<std::string> shown_;          ///< outputs of the diagram, or else those of all its blocks
  std::vector<Signal> inputs_, outputs_;
  std::vector<double> values_;
};

}  // namespace

std::unique_ptr<Simulator> makeSimulator(const std::string& path, const std::vector<SceneOverride>& overrides) {
  const BlockRegistry blocks = builtInBlocks();
  if (!isSceneFile(path))
    return std::make_unique<DiagramSimulator>(diagramOfFile(loadDiagramFile(path, overrides), blocks));
  Scene scene = loadScene(path, overrides);
  if (scene.diagram.given()) return std::make_unique<DiagramSimulator>(diagramOfScene(std::move(scene), blocks));
  return makeSceneSimulator(std::move(scene));
}

}  // namespace footfall::fmu
