#pragma once

// Diagrams from YAML, with blocks that are small enough to see through.

#include <string>

#include "block/small_blocks.hpp"
#include "footfall/block.hpp"
#include "footfall/block_io/diagram_reader.hpp"
#include "footfall/scene/scene.hpp"
#include "tools/test_tools.hpp"

namespace footfall::test {

class Constant : public Block {
 public:
  explicit Constant(const Parameters& p) : value_(p.vector("value")), unit_(p.text("unit", "")) {}
  static BlockDescription description() {
    return {"Constant",
            "sources",
            "always the same",
            {{"value", "number or list", "", "", true}, {"unit", "of it", "", "", false}},
            {},
            {{"out", ""}},
            ""};
  }
  void declare(BlockInterface& io) const override {
    const int size = static_cast<int>(value_.size());
    io.output("out", size == 1 ? SignalType::scalar(unit_) : SignalType::vector(size, unit_));
  }
  void outputs(Evaluation& e) const override { e.outVector(0) = value_; }

 private:
  VectorXd value_;
  std::string unit_;
};

/// The sum of inputs with the given names.
class Sum : public Block {
 public:
  explicit Sum(const Parameters& p) : inputs_(p.texts("inputs")) {}
  static BlockDescription description() {
    return {"Sum", "maths", "of all inputs", {{"inputs", "names", "", "", true}}, {}, {{"out", ""}}, ""};
  }
  void declare(BlockInterface& io) const override {
    for (const std::string& name : inputs_) io.input(name);
    io.outputLike("out", 0);
  }
  void outputs(Evaluation& e) const override {
    e.outVector(0) = e.vector(0);
    for (int k = 1; k < static_cast<int>(inputs_.size()); ++k) e.outVector(0) += e.vector(k);
  }

 private:
  std::vector<std::string> inputs_;
};

/// The input one instant before; 0 at the start.
class Delay : public Block {
 public:
  explicit Delay(const Parameters&) {}
  static BlockDescription description() {
    return {"Delay", "discrete", "the input one instant before", {}, {{"in", ""}}, {{"out", ""}}, ""};
  }
  void declare(BlockInterface& io) const override {
    io.input("in", SignalType::scalar());
    io.output("out", SignalType::scalar(), {});
    io.discrete_states = 1;
  }
  void outputs(Evaluation& e) const override { e.set(0, e.discrete()[0]); }
  void update(Evaluation& e) const override { e.discrete()[0] = e.number(0); }
};

/// Wants a force.
class Scale : public Block {
 public:
  explicit Scale(const Parameters&) {}
  static BlockDescription description() { return {"Scale", "sinks", "weighs a force", {}, {{"force", "[N]"}}, {}, ""}; }
  void declare(BlockInterface& io) const override { io.input("force", SignalType::scalar("N")); }
  void outputs(Evaluation&) const override {}
};

inline BlockRegistry smallRegistry() {
  BlockRegistry registry;
  registry.add<Constant>();
  registry.add<Gain>();
  registry.add<Sum>();
  registry.add<Delay>();
  registry.add<Scale>();
  return registry;
}

/// Files of a test, of which one is the diagram.
class DiagramText : public ::testing::Test {
 protected:
  SceneDiagram load(const std::string& text, const std::vector<SceneOverride>& overrides = {}) const {
    return loadDiagramFile(folder.write("d.yaml", text), overrides).diagram;
  }
  Diagram build(const std::string& text, const Parameters& parameters = {}) const {
    const SceneDiagram read = load(text);
    return readDiagram(read, registry, nullptr, parameters).build(diagramSettings(read));
  }
  /// An output of the diagram or of a block at the start.
  double value(const Diagram& diagram, const std::string& signal) const {
    Context context = diagram.makeContext();
    diagram.evaluate(context);
    return context.signal(signal)[0];
  }
  /// What is wrong with it, without the folder of the test: "d.yaml:3: …".
  std::string errorOf(const std::string& text) const {
    std::string what = footfall::errorOf([&] { build(text); }).what();
    const std::string folder_name = folder.path().string() + "/";
    for (std::size_t at; (at = what.find(folder_name)) != std::string::npos;) what.erase(at, folder_name.size());
    return what;
  }

  TempFolder folder;
  BlockRegistry registry = smallRegistry();
};

}  // namespace footfall::test
