#include <fmt/format.h>

#include <sstream>

#include "footfall/base/error.hpp"
#include "footfall/block_io/diagram_reader.hpp"
#include "footfall/block_library/library.hpp"
#include "footfall/robot_block/robot_blocks.hpp"
#include "footfall/robot_block/robot_setup.hpp"
#include "runtime/simulator.hpp"

namespace footfall::fmu {
namespace {

BlockRegistry builtInBlocks() {
  BlockRegistry registry;
  addLibraryBlocks(registry);
  addRobotBlocks(registry);
  return registry;
}

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

struct Loaded {
  Diagram diagram;
  double duration;
  std::vector<SceneParameter> parameters;
};

Loaded build(const DiagramFile& file) {
  return {readDiagram(file.diagram, builtInBlocks()).build(diagramSettings(file.diagram)), file.run.duration, {}};
}

Loaded build(const Scene& scene) {
  return {readDiagram(scene.diagram, builtInBlocks(), makeRobotEnvironment(scene))
              .build(diagramSettings(scene.diagram, scene.physics.step)),
          scene.run.duration, sceneParameters(scene)};
}

class DiagramSimulator : public Simulator {
 public:
  explicit DiagramSimulator(Loaded loaded) : loaded_(std::move(loaded)), context_(loaded_.diagram.makeContext()) {
    for (const Diagram::Port& port : loaded_.diagram.inputs()) appendSignals(port.name, port.type, inputs_);
    for (const Diagram::Port& port : loaded_.diagram.outputs()) appendSignals(port.name, port.type, outputs_);
    if (inputs_.empty() && outputs_.empty())
      throw Error("", "the diagram has neither inputs nor outputs: an FMU of it could not be connected",
                  "give it `inputs` and `outputs`");
  }

  const std::vector<Signal>& inputs() const override { return inputs_; }
  const std::vector<Signal>& outputs() const override { return outputs_; }
  const std::vector<SceneParameter>& parameters() const override { return loaded_.parameters; }
  double duration() const override { return loaded_.duration; }
  double step() const override { return loaded_.diagram.settings().step; }
  double time() const override { return context_.time(); }

  bool feedsThrough() const override { return true; }
  void setInputs(const std::vector<double>& values) override {
    const double* next = values.data();
    for (const Diagram::Port& port : loaded_.diagram.inputs()) {
      context_.setInput(port.name, Eigen::Map<const VectorXd>(next, port.type.size()));
      next += port.type.size();
    }
  }

  std::span<const double> outputValues() override {
    loaded_.diagram.evaluate(context_);
    values_.clear();
    for (const Diagram::Port& port : loaded_.diagram.outputs()) {
      const auto signal = context_.signal(port.name);
      values_.insert(values_.end(), signal.begin(), signal.end());
    }
    return values_;
  }

  void advance() override {
    if (!loaded_.diagram.step(context_)) throw Error("", context_.stopReason());
  }

  std::string save() const override {
    std::ostringstream out;
    context_.save(out);
    return out.str();
  }

  void load(const std::string& bytes) override {
    std::istringstream in(bytes);
    context_.load(in, "FMU state");
  }

 private:
  Loaded loaded_;
  Context context_;
  std::vector<Signal> inputs_, outputs_;
  std::vector<double> values_;
};

}  // namespace

std::unique_ptr<Simulator> makeSimulator(const std::string& path, const std::vector<SceneOverride>& overrides) {
  if (!isSceneFile(path)) return std::make_unique<DiagramSimulator>(build(loadDiagramFile(path, overrides)));
  Scene scene = loadScene(path, overrides);
  if (scene.diagram.given()) return std::make_unique<DiagramSimulator>(build(scene));
  return makeSceneSimulator(std::move(scene));
}

}  // namespace footfall::fmu
