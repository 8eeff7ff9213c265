#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "footfall/scene/scene.hpp"

namespace footfall::fmu {

/// An input or an output of a simulation.
struct Signal {
  std::string name;
  std::string description;
  std::string unit;
  std::vector<std::string> components;
  std::vector<std::string> units = {};  ///< of the components, where they differ; `unit` is then "-"
  double start = 0.0;                   ///< of inputs

  int size() const { return components.empty() ? 1 : static_cast<int>(components.size()); }
};

/// A number of the scene that can be changed before the run.
struct SceneParameter {
  std::string key;  ///< "ground.friction"
  std::string help, unit;
  double start;
};

/// What is inside of an FMU: a scene, or a diagram.
class Simulator {
 public:
  virtual ~Simulator() = default;
  virtual const std::vector<Signal>& inputs() const = 0;
  virtual const std::vector<Signal>& outputs() const = 0;
  virtual const std::vector<SceneParameter>& parameters() const = 0;
  virtual double duration() const = 0;  ///< of the run that the file asks for [s]
  virtual double step() const = 0;      ///< [s]
  virtual double time() const = 0;      ///< [s]

  /// Outputs may depend on inputs of the same instant.
  virtual bool feedsThrough() const = 0;
  /// @param end of the communication step that begins with them [s]
  virtual void setInputs(const std::vector<double>& values, double end) = 0;
  /// All outputs, one after the other; valid until the next call.
  virtual std::span<const double> outputValues() = 0;
  /// One step; throws Error when it failed: the state then stays as it was.
  virtual void advance() = 0;
  /// No step follows: what blocks write is completed. Throws Error.
  virtual void finish() {}

  virtual std::string save() const = 0;
  virtual void load(const std::string& bytes) = 0;  ///< throws Error when it does not fit

  int inputCount() const {
    int count = 0;
    for (const Signal& signal : inputs()) count += signal.size();
    return count;
  }
};

/// A scene without diagram: torques and wrenches in, the channels of its log out.
std::unique_ptr<Simulator> makeSceneSimulator(Scene scene);

std::vector<SceneParameter> sceneParameters(const Scene& scene);

/// Whatever the file holds: a scene, or a diagram (alone or of a scene) with its own inputs and outputs.
std::unique_ptr<Simulator> makeSimulator(const std::string& path, const std::vector<SceneOverride>& overrides);

}  // namespace footfall::fmu
