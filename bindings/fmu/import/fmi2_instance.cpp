#include <fmi2FunctionTypes.h>
#include <fmt/format.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "footfall/base/error.hpp"
#include "import/imported_fmu.hpp"

namespace footfall::fmu {
namespace {

/// Keeps what the FMU says, for the next error.
void keepMessage(fmi2ComponentEnvironment environment, fmi2String, fmi2Status status, fmi2String, fmi2String format,
                 ...) {
  if (status == fmi2OK) return;
  char text[2000];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  *static_cast<std::string*>(environment) = text;
}

class Fmi2Instance : public ImportedInstance {
 public:
  Fmi2Instance(const ImportedFmu& fmu, const std::string& name) : fmu_(fmu) {
    const auto instantiate = function<fmi2InstantiateTYPE>("fmi2Instantiate");
    const std::string uri = "file://" + fmu.resources().string();
    instance_ = instantiate(name.c_str(), fmi2CoSimulation, fmu.description().token.c_str(), uri.c_str(), &callbacks_,
                            fmi2False, fmi2False);
    if (instance_ == nullptr) throw Error(fmu.path(), fmt::format("no instance can be made: {}", message_));
  }
  ~Fmi2Instance() override { function<fmi2FreeInstanceTYPE>("fmi2FreeInstance")(instance_); }
  Fmi2Instance(const Fmi2Instance&) = delete;
  Fmi2Instance& operator=(const Fmi2Instance&) = delete;

  void set(const ImportedVariable& variable, std::span<const double> values) override {
    check("fmi2SetReal", set_(instance_, &variable.reference, 1, values.data()));
  }
  void get(const ImportedVariable& variable, std::span<double> values) override {
    check("fmi2GetReal", get_(instance_, &variable.reference, 1, values.data()));
  }
  void initialize(double start_time) override {
    check("fmi2SetupExperiment", function<fmi2SetupExperimentTYPE>("fmi2SetupExperiment")(instance_, fmi2False, 0.0,
                                                                                          start_time, fmi2False, 0.0));
    check("fmi2EnterInitializationMode",
          function<fmi2EnterInitializationModeTYPE>("fmi2EnterInitializationMode")(instance_));
    check("fmi2ExitInitializationMode",
          function<fmi2ExitInitializationModeTYPE>("fmi2ExitInitializationMode")(instance_));
  }
  void step(double time, double step_size) override {
    check("fmi2DoStep", step_(instance_, time, step_size, fmi2False));
  }

  std::string save() override {
    fmi2FMUstate state = nullptr;
    check("fmi2GetFMUstate", function<fmi2GetFMUstateTYPE>("fmi2GetFMUstate")(instance_, &state));
    size_t size = 0;
    check("fmi2SerializedFMUstateSize",
          function<fmi2SerializedFMUstateSizeTYPE>("fmi2SerializedFMUstateSize")(instance_, state, &size));
    std::string bytes(size, '\0');
    check("fmi2SerializeFMUstate",
          function<fmi2SerializeFMUstateTYPE>("fmi2SerializeFMUstate")(instance_, state, bytes.data(), size));
    function<fmi2FreeFMUstateTYPE>("fmi2FreeFMUstate")(instance_, &state);
    return bytes;
  }

  void load(const std::string& bytes) override {
    fmi2FMUstate state = nullptr;
    check("fmi2DeSerializeFMUstate", function<fmi2DeSerializeFMUstateTYPE>("fmi2DeSerializeFMUstate")(
                                         instance_, bytes.data(), bytes.size(), &state));
    check("fmi2SetFMUstate", function<fmi2SetFMUstateTYPE>("fmi2SetFMUstate")(instance_, state));
    function<fmi2FreeFMUstateTYPE>("fmi2FreeFMUstate")(instance_, &state);
  }

 private:
  template <class Type>
  Type* function(const char* name) const {
    return reinterpret_cast<Type*>(fmu_.symbol(name));
  }
  void check(const char* call, fmi2Status status) {
    if (status == fmi2OK || status == fmi2Warning) return;
    throw Error(fmu_.path(), fmt::format("{} returned status {}: {}", call, static_cast<int>(status),
                                         message_.empty() ? "the FMU did not say why" : message_));
  }

  const ImportedFmu& fmu_;
  std::string message_;
  fmi2CallbackFunctions callbacks_{keepMessage, std::calloc, std::free, nullptr, &message_};
  fmi2Component instance_ = nullptr;
  fmi2SetRealTYPE* set_ = function<fmi2SetRealTYPE>("fmi2SetReal");
  fmi2GetRealTYPE* get_ = function<fmi2GetRealTYPE>("fmi2GetReal");
  fmi2DoStepTYPE* step_ = function<fmi2DoStepTYPE>("fmi2DoStep");
};

}  // namespace

std::unique_ptr<ImportedInstance> makeFmi2Instance(const ImportedFmu& fmu, const std::string& name) {
  return std::make_unique<Fmi2Instance>(fmu, name);
}

}  // namespace footfall::fmu
