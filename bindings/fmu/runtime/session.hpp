#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace footfall::fmu {

// What an FMU does, free of the two versions of the interface: fmi2.cpp and fmi3.cpp only translate.

using ValueReference = std::uint32_t;

enum class Causality { independent, parameter, input, output };

/// A number or an array that the outside can see. Its numbers have references from `reference` on, one after the other:
/// FMI 2 shows each of them as a scalar, FMI 3 the first one as an array.
struct Variable {
  ValueReference reference = 0;
  std::string name;  ///< "base.position"
  std::string description;
  std::string unit;  ///< "N m"; "-" for plain numbers
  Causality causality = Causality::output;
  std::vector<std::string> components;  ///< "x", "y", "z"; empty: a single number
  std::vector<double> start;            ///< of parameters and inputs
  std::vector<std::string> units = {};  ///< of the components, where they differ; `unit` is then "-"

  int size() const { return components.empty() ? 1 : static_cast<int>(components.size()); }
  const std::string& unitOf(int k) const { return units.empty() ? unit : units[static_cast<std::size_t>(k)]; }
};

/// Names of the files in the resources of an FMU.
inline constexpr const char* kSceneFile = "scene.yaml";
inline constexpr const char* kOverridesFile = "overrides.txt";  ///< one `key=value` a line
inline constexpr const char* kTokenFile = "token.txt";          ///< must be what the model description says

/// One instance of the simulation. Every call throws footfall::Error for what it cannot do, and then nothing has
/// changed.
class Session {
 public:
  /// Everything that an instance remembers.
  struct Memory {
    bool running = false;
    std::vector<double> parameters, inputs, outputs;
    double start_time = 0.0;  ///< [s]
    double time = 0.0;        ///< last communication point [s]
    std::string simulator;    ///< as Simulator::save() writes it
  };

  explicit Session(std::filesystem::path resources);
  ~Session();

  const std::vector<Variable>& variables() const;
  double internalStep() const;  ///< [s]
  double duration() const;      ///< of the run that the file asks for [s]

  /// One number; numbers of arrays follow one another.
  double get(ValueReference reference);
  void set(ValueReference reference, double value);
  /// How many numbers an array has from here on, as FMI 3 reads it.
  int sizeOf(ValueReference reference) const;

  /// The experiment begins. @param start_time [s]
  void initialize(double start_time);
  /// Parameters can be set until here.
  void fixParameters();
  /// Moves on by a step of any length; what is no multiple of the internal step is carried over to the next call.
  void doStep(double communication_point, double step_size);
  /// The run has ended: what the blocks of a diagram write is completed.
  void terminate();
  double time() const;  ///< of the last communication point [s]
  void reset();

  std::unique_ptr<Memory> save();
  void restore(const Memory& memory);
  static std::string serialize(const Memory& memory);
  std::unique_ptr<Memory> deserialize(std::span<const char> bytes) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace footfall::fmu
