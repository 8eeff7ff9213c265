#include <fmi3FunctionTypes.h>
#include <fmt/format.h>

#include "footfall/base/error.hpp"
#include "import/imported_fmu.hpp"

namespace footfall::fmu {
namespace {

/// Keeps what the FMU says, for the next error.
void keepMessage(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String, fmi3String message) {
  if (status != fmi3OK) *static_cast<std::string*>(environment) = message;
}

class Fmi3Instance : public ImportedInstance {
 public:
  Fmi3Instance(const ImportedFmu& fmu, const std::string& name) : fmu_(fmu) {
    const auto instantiate = function<fmi3InstantiateCoSimulationTYPE>("fmi3InstantiateCoSimulation");
    const std::string resources = fmu.resources().string() + "/";
    instance_ = instantiate(name.c_str(), fmu.description().token.c_str(), resources.c_str(), false, false, false,
                            false, nullptr, 0, &message_, keepMessage, nullptr);
    if (instance_ == nullptr) throw Error(fmu.path(), fmt::format("no instance can be made: {}", message_));
  }
  ~Fmi3Instance() override { function<fmi3FreeInstanceTYPE>("fmi3FreeInstance")(instance_); }
  Fmi3Instance(const Fmi3Instance&) = delete;
  Fmi3Instance& operator=(const Fmi3Instance&) = delete;

  void set(const ImportedVariable& variable, std::span<const double> values) override {
    check("fmi3SetFloat64", set_(instance_, &variable.reference, 1, values.data(), values.size()));
  }
  void get(const ImportedVariable& variable, std::span<double> values) override {
    check("fmi3GetFloat64", get_(instance_, &variable.reference, 1, values.data(), values.size()));
  }
  void initialize(double start_time) override {
    check("fmi3EnterInitializationMode", function<fmi3EnterInitializationModeTYPE>("fmi3EnterInitializationMode")(
                                             instance_, false, 0.0, start_time, false, 0.0));
    check("fmi3ExitInitializationMode",
          function<fmi3ExitInitializationModeTYPE>("fmi3ExitInitializationMode")(instance_));
  }
  void step(double time, double step_size) override {
    bool event = false, terminate = false, early = false;
    double last = 0.0;
    check("fmi3DoStep", step_(instance_, time, step_size, false, &event, &terminate, &early, &last));
  }

  std::string save() override {
    fmi3FMUState state = nullptr;
    check("fmi3GetFMUState", function<fmi3GetFMUStateTYPE>("fmi3GetFMUState")(instance_, &state));
    size_t size = 0;
    check("fmi3SerializedFMUStateSize",
          function<fmi3SerializedFMUStateSizeTYPE>("fmi3SerializedFMUStateSize")(instance_, state, &size));
    std::string bytes(size, '\0');
    check("fmi3SerializeFMUState", function<fmi3SerializeFMUStateTYPE>("fmi3SerializeFMUState")(
                                       instance_, state, reinterpret_cast<fmi3Byte*>(bytes.data()), size));
    function<fmi3FreeFMUStateTYPE>("fmi3FreeFMUState")(instance_, &state);
    return bytes;
  }

  void load(const std::string& bytes) override {
    fmi3FMUState state = nullptr;
    check("fmi3DeserializeFMUState",
          function<fmi3DeserializeFMUStateTYPE>("fmi3DeserializeFMUState")(
              instance_, reinterpret_cast<const fmi3Byte*>(bytes.data()), bytes.size(), &state));
    check("fmi3SetFMUState", function<fmi3SetFMUStateTYPE>("fmi3SetFMUState")(instance_, state));
    function<fmi3FreeFMUStateTYPE>("fmi3FreeFMUState")(instance_, &state);
  }

 private:
  template <class Type>
  Type* function(const char* name) const {
    return reinterpret_cast<Type*>(fmu_.symbol(name));
  }
  void check(const char* call, fmi3Status status) {
    if (status == fmi3OK || status == fmi3Warning) return;
    throw Error(fmu_.path(), fmt::format("{} returned status {}: {}", call, static_cast<int>(status),
                                         message_.empty() ? "the FMU did not say why" : message_));
  }

  const ImportedFmu& fmu_;
  std::string message_;
  fmi3Instance instance_ = nullptr;
  fmi3SetFloat64TYPE* set_ = function<fmi3SetFloat64TYPE>("fmi3SetFloat64");
  fmi3GetFloat64TYPE* get_ = function<fmi3GetFloat64TYPE>("fmi3GetFloat64");
  fmi3DoStepTYPE* step_ = function<fmi3DoStepTYPE>("fmi3DoStep");
};

}  // namespace

std::unique_ptr<ImportedInstance> makeFmi3Instance(const ImportedFmu& fmu, const std::string& name) {
  return std::make_unique<Fmi3Instance>(fmu, name);
}

}  // namespace footfall::fmu
