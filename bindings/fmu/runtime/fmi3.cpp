// FMI 3.0 for co-simulation: translates the C interface to Session.

#include <fmi3Functions.h>

#include <algorithm>

#include "runtime/instance.hpp"

namespace {

using footfall::fmu::Instance;
using footfall::fmu::Session;

Instance& instanceOf(fmi3Instance instance) { return *static_cast<Instance*>(instance); }

template <class Action>
fmi3Status run(fmi3Instance instance, Action&& action) {
  if (instance == nullptr) return fmi3Error;
  return instanceOf(instance).run(action) ? fmi3OK : fmi3Error;
}

fmi3Status refuse(fmi3Instance instance, const char* what) {
  if (instance != nullptr) instanceOf(instance).tell(what);
  return fmi3Error;
}

/// There are no variables of other types: asking for none of them is fine.
fmi3Status noneOf(fmi3Instance instance, size_t count, const char* type) {
  if (count == 0) return fmi3OK;
  return refuse(instance, (std::string("this FMU has no variables of the type ") + type).c_str());
}

/// Calls action(reference of one number, place of it in the host's array) for every number of the arrays that are
/// meant.
template <class Action>
void forEachNumber(const Session& session, const fmi3ValueReference references[], size_t count, size_t values,
                   Action&& action) {
  size_t place = 0;
  for (size_t i = 0; i < count; ++i) {
    const auto size = static_cast<size_t>(session.sizeOf(references[i]));
    if (place + size > values)
      throw footfall::Error("", "the array of the host has " + std::to_string(values) + " numbers, which is too few");
    for (size_t k = 0; k < size; ++k) action(static_cast<fmi3ValueReference>(references[i] + k), place++);
  }
  if (place != values)
    throw footfall::Error(
        "", "the array of the host has " + std::to_string(values) + " numbers, expected " + std::to_string(place));
}

const char* const kCoSimulationOnly = "this FMU is for co-simulation only";
const char* const kNoClocks = "this FMU has no clocks";

}  // namespace

const char* fmi3GetVersion() { return fmi3Version; }

fmi3Status fmi3SetDebugLogging(fmi3Instance, fmi3Boolean, size_t, const fmi3String[]) {
  return fmi3OK;  // errors are always told, and there is nothing else to tell
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String, fmi3String token, fmi3String resources, fmi3Boolean, fmi3Boolean,
                                         fmi3Boolean, fmi3Boolean, const fmi3ValueReference[], size_t,
                                         fmi3InstanceEnvironment environment, fmi3LogMessageCallback log_message,
                                         fmi3IntermediateUpdateCallback) {
  const auto report = [environment, log_message](const std::string& message) {
    if (log_message != nullptr) log_message(environment, fmi3Error, "logStatusError", message.c_str());
  };
  try {
    if (token == nullptr || resources == nullptr)
      throw footfall::Error("fmi3InstantiateCoSimulation", "the token or the path of the resources is missing");
    return new Instance(resources, token, report);
  } catch (const std::exception& error) {
    report(error.what());
  } catch (...) {
    report("something that is no std::exception was thrown");
  }
  return nullptr;
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean,
                                          fmi3InstanceEnvironment environment, fmi3LogMessageCallback log_message) {
  if (log_message != nullptr) log_message(environment, fmi3Error, "logStatusError", kCoSimulationOnly);
  return nullptr;
}

fmi3Instance fmi3InstantiateScheduledExecution(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean,
                                               fmi3InstanceEnvironment environment, fmi3LogMessageCallback log_message,
                                               fmi3ClockUpdateCallback, fmi3LockPreemptionCallback,
                                               fmi3UnlockPreemptionCallback) {
  if (log_message != nullptr) log_message(environment, fmi3Error, "logStatusError", kCoSimulationOnly);
  return nullptr;
}

void fmi3FreeInstance(fmi3Instance instance) { delete static_cast<Instance*>(instance); }

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean, fmi3Float64, fmi3Float64 start_time,
                                       fmi3Boolean, fmi3Float64) {
  return run(instance, [&](Session& session) { session.initialize(start_time); });
}
fmi3Status fmi3ExitInitializationMode(fmi3Instance instance) {
  return run(instance, [](Session& session) { session.fixParameters(); });
}
fmi3Status fmi3Terminate(fmi3Instance instance) {
  return run(instance, [](Session& session) { session.terminate(); });
}
fmi3Status fmi3Reset(fmi3Instance instance) {
  return run(instance, [](Session& session) { session.reset(); });
}

fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference references[], size_t count,
                          fmi3Float64 values[], size_t value_count) {
  return run(instance, [&](Session& session) {
    forEachNumber(session, references, count, value_count,
                  [&](fmi3ValueReference reference, size_t place) { values[place] = session.get(reference); });
  });
}

fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference references[], size_t count,
                          const fmi3Float64 values[], size_t value_count) {
  return run(instance, [&](Session& session) {
    forEachNumber(session, references, count, value_count,
                  [&](fmi3ValueReference reference, size_t place) { session.set(reference, values[place]); });
  });
}

// The other types: the interface asks for all the functions, and this FMU has variables of one type.
#define FOOTFALL_NO_VARIABLES_OF(Type)                                                                              \
  fmi3Status fmi3Get##Type(fmi3Instance instance, const fmi3ValueReference[], size_t count, fmi3##Type[], size_t) { \
    return noneOf(instance, count, #Type);                                                                          \
  }                                                                                                                 \
  fmi3Status fmi3Set##Type(fmi3Instance instance, const fmi3ValueReference[], size_t count, const fmi3##Type[],     \
                           size_t) {                                                                                \
    return noneOf(instance, count, #Type);                                                                          \
  }
FOOTFALL_NO_VARIABLES_OF(Float32)
FOOTFALL_NO_VARIABLES_OF(Int8)
FOOTFALL_NO_VARIABLES_OF(UInt8)
FOOTFALL_NO_VARIABLES_OF(Int16)
FOOTFALL_NO_VARIABLES_OF(UInt16)
FOOTFALL_NO_VARIABLES_OF(Int32)
FOOTFALL_NO_VARIABLES_OF(UInt32)
FOOTFALL_NO_VARIABLES_OF(Int64)
FOOTFALL_NO_VARIABLES_OF(UInt64)
FOOTFALL_NO_VARIABLES_OF(Boolean)
FOOTFALL_NO_VARIABLES_OF(String)
#undef FOOTFALL_NO_VARIABLES_OF

fmi3Status fmi3GetBinary(fmi3Instance instance, const fmi3ValueReference[], size_t count, size_t[], fmi3Binary[],
                         size_t) {
  return noneOf(instance, count, "Binary");
}
fmi3Status fmi3SetBinary(fmi3Instance instance, const fmi3ValueReference[], size_t count, const size_t[],
                         const fmi3Binary[], size_t) {
  return noneOf(instance, count, "Binary");
}
fmi3Status fmi3GetClock(fmi3Instance instance, const fmi3ValueReference[], size_t count, fmi3Clock[]) {
  return noneOf(instance, count, "Clock");
}
fmi3Status fmi3SetClock(fmi3Instance instance, const fmi3ValueReference[], size_t count, const fmi3Clock[]) {
  return noneOf(instance, count, "Clock");
}

fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* state) {
  return run(instance, [&](Session& session) {
    std::unique_ptr<Session::Memory> memory = session.save();
    delete static_cast<Session::Memory*>(*state);
    *state = memory.release();
  });
}

fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState state) {
  if (state == nullptr) return refuse(instance, "fmi3SetFMUState: there is no state");
  return run(instance, [&](Session& session) { session.restore(*static_cast<Session::Memory*>(state)); });
}

fmi3Status fmi3FreeFMUState(fmi3Instance, fmi3FMUState* state) {
  if (state == nullptr) return fmi3OK;
  delete static_cast<Session::Memory*>(*state);
  *state = nullptr;
  return fmi3OK;
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState state, size_t* size) {
  if (state == nullptr) return refuse(instance, "fmi3SerializedFMUStateSize: there is no state");
  return run(instance, [&](Session&) { *size = Session::serialize(*static_cast<Session::Memory*>(state)).size(); });
}

fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState state, fmi3Byte bytes[], size_t size) {
  if (state == nullptr) return refuse(instance, "fmi3SerializeFMUState: there is no state");
  return run(instance, [&](Session&) {
    const std::string text = Session::serialize(*static_cast<Session::Memory*>(state));
    if (size < text.size()) throw footfall::Error("fmi3SerializeFMUState", "the buffer is too small");
    std::copy(text.begin(), text.end(), bytes);
  });
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte bytes[], size_t size, fmi3FMUState* state) {
  return run(instance, [&](Session& session) {
    *state = session.deserialize({reinterpret_cast<const char*>(bytes), size}).release();
  });
}

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 point, fmi3Float64 step, fmi3Boolean,
                      fmi3Boolean* event_handling_needed, fmi3Boolean* terminate, fmi3Boolean* early_return,
                      fmi3Float64* last_successful_time) {
  *event_handling_needed = *terminate = *early_return = false;
  const fmi3Status status = run(instance, [&](Session& session) { session.doStep(point, step); });
  if (instance != nullptr) *last_successful_time = instanceOf(instance).session().time();
  return status;
}

// Modes without anything to do.
fmi3Status fmi3EnterStepMode(fmi3Instance instance) { return instance == nullptr ? fmi3Error : fmi3OK; }
fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance) { return instance == nullptr ? fmi3Error : fmi3OK; }
fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance) { return instance == nullptr ? fmi3Error : fmi3OK; }

// What this FMU says in its model description that it cannot do.
fmi3Status fmi3EnterEventMode(fmi3Instance i) { return refuse(i, "this FMU has no event mode"); }
fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance i, fmi3ValueReference, size_t*) {
  return refuse(i, "this FMU tells no dependencies of single elements");
}
fmi3Status fmi3GetVariableDependencies(fmi3Instance i, fmi3ValueReference, size_t[], fmi3ValueReference[], size_t[],
                                       fmi3DependencyKind[], size_t) {
  return refuse(i, "this FMU tells no dependencies of single elements");
}
fmi3Status fmi3GetDirectionalDerivative(fmi3Instance i, const fmi3ValueReference[], size_t, const fmi3ValueReference[],
                                        size_t, const fmi3Float64[], size_t, fmi3Float64[], size_t) {
  return refuse(i, "this FMU gives no directional derivatives");
}
fmi3Status fmi3GetAdjointDerivative(fmi3Instance i, const fmi3ValueReference[], size_t, const fmi3ValueReference[],
                                    size_t, const fmi3Float64[], size_t, fmi3Float64[], size_t) {
  return refuse(i, "this FMU gives no adjoint derivatives");
}
fmi3Status fmi3GetOutputDerivatives(fmi3Instance i, const fmi3ValueReference[], size_t, const fmi3Int32[],
                                    fmi3Float64[], size_t) {
  return refuse(i, "this FMU gives no derivatives of its outputs");
}
fmi3Status fmi3GetIntervalDecimal(fmi3Instance i, const fmi3ValueReference[], size_t, fmi3Float64[],
                                  fmi3IntervalQualifier[]) {
  return refuse(i, kNoClocks);
}
fmi3Status fmi3GetIntervalFraction(fmi3Instance i, const fmi3ValueReference[], size_t, fmi3UInt64[], fmi3UInt64[],
                                   fmi3IntervalQualifier[]) {
  return refuse(i, kNoClocks);
}
fmi3Status fmi3GetShiftDecimal(fmi3Instance i, const fmi3ValueReference[], size_t, fmi3Float64[]) {
  return refuse(i, kNoClocks);
}
fmi3Status fmi3GetShiftFraction(fmi3Instance i, const fmi3ValueReference[], size_t, fmi3UInt64[], fmi3UInt64[]) {
  return refuse(i, kNoClocks);
}
fmi3Status fmi3SetIntervalDecimal(fmi3Instance i, const fmi3ValueReference[], size_t, const fmi3Float64[]) {
  return refuse(i, kNoClocks);
}
fmi3Status fmi3SetIntervalFraction(fmi3Instance i, const fmi3ValueReference[], size_t, const fmi3UInt64[],
                                   const fmi3UInt64[]) {
  return refuse(i, kNoClocks);
}
fmi3Status fmi3SetShiftDecimal(fmi3Instance i, const fmi3ValueReference[], size_t, const fmi3Float64[]) {
  return refuse(i, kNoClocks);
}
fmi3Status fmi3SetShiftFraction(fmi3Instance i, const fmi3ValueReference[], size_t, const fmi3UInt64[],
                                const fmi3UInt64[]) {
  return refuse(i, kNoClocks);
}
fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance i) { return refuse(i, "this FMU has no event mode"); }
fmi3Status fmi3UpdateDiscreteStates(fmi3Instance i, fmi3Boolean*, fmi3Boolean*, fmi3Boolean*, fmi3Boolean*,
                                    fmi3Boolean*, fmi3Float64*) {
  return refuse(i, "this FMU has no event mode");
}
fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance i) { return refuse(i, kCoSimulationOnly); }
fmi3Status fmi3CompletedIntegratorStep(fmi3Instance i, fmi3Boolean, fmi3Boolean*, fmi3Boolean*) {
  return refuse(i, kCoSimulationOnly);
}
fmi3Status fmi3SetTime(fmi3Instance i, fmi3Float64) { return refuse(i, kCoSimulationOnly); }
fmi3Status fmi3SetContinuousStates(fmi3Instance i, const fmi3Float64[], size_t) { return refuse(i, kCoSimulationOnly); }
fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance i, fmi3Float64[], size_t) {
  return refuse(i, kCoSimulationOnly);
}
fmi3Status fmi3GetEventIndicators(fmi3Instance i, fmi3Float64[], size_t) { return refuse(i, kCoSimulationOnly); }
fmi3Status fmi3GetContinuousStates(fmi3Instance i, fmi3Float64[], size_t) { return refuse(i, kCoSimulationOnly); }
fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance i, fmi3Float64[], size_t) {
  return refuse(i, kCoSimulationOnly);
}
fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance i, size_t*) { return refuse(i, kCoSimulationOnly); }
fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance i, size_t*) { return refuse(i, kCoSimulationOnly); }
fmi3Status fmi3ActivateModelPartition(fmi3Instance i, fmi3ValueReference, fmi3Float64) {
  return refuse(i, kCoSimulationOnly);
}
