// FMI 2.0 for co-simulation: translates the C interface to Session.

#include <fmi2Functions.h>

#include <algorithm>
#include <cctype>

#include "runtime/instance.hpp"

namespace {

using footfall::fmu::Instance;
using footfall::fmu::Session;

Instance& instanceOf(fmi2Component component) { return *static_cast<Instance*>(component); }

fmi2Status toStatus(bool good) { return good ? fmi2OK : fmi2Error; }

template <class Action>
fmi2Status run(fmi2Component component, Action&& action) {
  if (component == nullptr) return fmi2Error;
  return toStatus(instanceOf(component).run(action));
}

fmi2Status refuse(fmi2Component component, const char* what) {
  if (component != nullptr) instanceOf(component).tell(what);
  return fmi2Error;
}

/// There are no variables of other types: asking for none of them is fine.
fmi2Status noneOf(fmi2Component component, size_t count, const char* type) {
  if (count == 0) return fmi2OK;
  return refuse(component, (std::string("this FMU has no variables of the type ") + type).c_str());
}

/// "file:///home/user/my%20robot" → "/home/user/my robot"
std::string pathOfUri(const std::string& uri) {
  std::string rest = uri.rfind("file:", 0) == 0 ? uri.substr(5) : uri;
  if (rest.rfind("//", 0) == 0) rest = rest.substr(rest.find('/', 2) == std::string::npos ? 2 : rest.find('/', 2));
  std::string path;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == '%' && i + 2 < rest.size() && std::isxdigit(static_cast<unsigned char>(rest[i + 1])) != 0) {
      path += static_cast<char>(std::stoi(rest.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      path += rest[i];
    }
  }
  return path;
}

}  // namespace

const char* fmi2GetTypesPlatform() { return fmi2TypesPlatform; }
const char* fmi2GetVersion() { return fmi2Version; }

fmi2Status fmi2SetDebugLogging(fmi2Component, fmi2Boolean, size_t, const fmi2String[]) {
  return fmi2OK;  // errors are always told, and there is nothing else to tell
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String token, fmi2String resources,
                              const fmi2CallbackFunctions* functions, fmi2Boolean, fmi2Boolean) {
  const std::string instance_name = name == nullptr ? "" : name;
  fmi2CallbackFunctions host{};
  if (functions != nullptr) host = *functions;
  const auto report = [host, instance_name](const std::string& message) {
    if (host.logger != nullptr)
      host.logger(host.componentEnvironment, instance_name.c_str(), fmi2Error, "logStatusError", "%s", message.c_str());
  };
  try {
    if (type != fmi2CoSimulation) throw footfall::Error("fmi2Instantiate", "this FMU is for co-simulation only");
    if (token == nullptr || resources == nullptr)
      throw footfall::Error("fmi2Instantiate", "the GUID or the location of the resources is missing");
    return new Instance(pathOfUri(resources), token, report);
  } catch (const std::exception& error) {
    report(error.what());
  } catch (...) {
    report("something that is no std::exception was thrown");
  }
  return nullptr;
}

void fmi2FreeInstance(fmi2Component component) { delete static_cast<Instance*>(component); }

fmi2Status fmi2SetupExperiment(fmi2Component component, fmi2Boolean, fmi2Real, fmi2Real start_time, fmi2Boolean,
                               fmi2Real) {
  if (component == nullptr) return fmi2Error;
  instanceOf(component).setStartTime(start_time);
  return fmi2OK;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component component) {
  return run(component, [&](Session& session) { session.initialize(instanceOf(component).startTime()); });
}
fmi2Status fmi2ExitInitializationMode(fmi2Component component) {
  return run(component, [](Session& session) { session.fixParameters(); });
}
fmi2Status fmi2Terminate(fmi2Component component) {
  return run(component, [](Session& session) { session.terminate(); });
}

fmi2Status fmi2Reset(fmi2Component component) {
  return run(component, [&](Session& session) {
    session.reset();
    instanceOf(component).setStartTime(0.0);  // unless the host sets up another experiment
  });
}

fmi2Status fmi2GetReal(fmi2Component component, const fmi2ValueReference vr[], size_t count, fmi2Real value[]) {
  return run(component, [&](Session& session) {
    for (size_t i = 0; i < count; ++i) value[i] = session.get(vr[i]);
  });
}

fmi2Status fmi2SetReal(fmi2Component component, const fmi2ValueReference vr[], size_t count, const fmi2Real value[]) {
  return run(component, [&](Session& session) {
    for (size_t i = 0; i < count; ++i) session.set(vr[i], value[i]);
  });
}

fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference[], size_t n, fmi2Integer[]) {
  return noneOf(c, n, "Integer");
}
fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference[], size_t n, fmi2Boolean[]) {
  return noneOf(c, n, "Boolean");
}
fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference[], size_t n, fmi2String[]) {
  return noneOf(c, n, "String");
}
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference[], size_t n, const fmi2Integer[]) {
  return noneOf(c, n, "Integer");
}
fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference[], size_t n, const fmi2Boolean[]) {
  return noneOf(c, n, "Boolean");
}
fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference[], size_t n, const fmi2String[]) {
  return noneOf(c, n, "String");
}

fmi2Status fmi2GetFMUstate(fmi2Component component, fmi2FMUstate* state) {
  return run(component, [&](Session& session) {
    std::unique_ptr<Session::Memory> memory = session.save();
    delete static_cast<Session::Memory*>(*state);
    *state = memory.release();
  });
}

fmi2Status fmi2SetFMUstate(fmi2Component component, fmi2FMUstate state) {
  if (state == nullptr) return refuse(component, "fmi2SetFMUstate: there is no state");
  return run(component, [&](Session& session) { session.restore(*static_cast<Session::Memory*>(state)); });
}

fmi2Status fmi2FreeFMUstate(fmi2Component, fmi2FMUstate* state) {
  if (state == nullptr) return fmi2OK;
  delete static_cast<Session::Memory*>(*state);
  *state = nullptr;
  return fmi2OK;
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component component, fmi2FMUstate state, size_t* size) {
  if (state == nullptr) return refuse(component, "fmi2SerializedFMUstateSize: there is no state");
  return run(component, [&](Session&) { *size = Session::serialize(*static_cast<Session::Memory*>(state)).size(); });
}

fmi2Status fmi2SerializeFMUstate(fmi2Component component, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
  if (state == nullptr) return refuse(component, "fmi2SerializeFMUstate: there is no state");
  return run(component, [&](Session&) {
    const std::string text = Session::serialize(*static_cast<Session::Memory*>(state));
    if (size < text.size()) throw footfall::Error("fmi2SerializeFMUstate", "the buffer is too small");
    std::copy(text.begin(), text.end(), bytes);
  });
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component component, const fmi2Byte bytes[], size_t size, fmi2FMUstate* state) {
  return run(component, [&](Session& session) { *state = session.deserialize({bytes, size}).release(); });
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference[], size_t, const fmi2ValueReference[],
                                        size_t, const fmi2Real[], fmi2Real[]) {
  return refuse(c, "this FMU gives no directional derivatives");
}
fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference[], size_t, const fmi2Integer[],
                                       const fmi2Real[]) {
  return refuse(c, "this FMU does not interpolate its inputs");
}
fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference[], size_t, const fmi2Integer[],
                                        fmi2Real[]) {
  return refuse(c, "this FMU gives no derivatives of its outputs");
}

fmi2Status fmi2DoStep(fmi2Component component, fmi2Real point, fmi2Real step, fmi2Boolean) {
  return run(component, [&](Session& session) { session.doStep(point, step); });
}
fmi2Status fmi2CancelStep(fmi2Component c) { return refuse(c, "steps are not asynchronous and cannot be cancelled"); }

fmi2Status fmi2GetStatus(fmi2Component, const fmi2StatusKind, fmi2Status* value) {
  *value = fmi2OK;
  return fmi2OK;
}
fmi2Status fmi2GetRealStatus(fmi2Component component, const fmi2StatusKind kind, fmi2Real* value) {
  if (kind != fmi2LastSuccessfulTime) return fmi2Discard;
  return run(component, [&](Session& session) { *value = session.time(); });
}
fmi2Status fmi2GetIntegerStatus(fmi2Component, const fmi2StatusKind, fmi2Integer*) { return fmi2Discard; }
fmi2Status fmi2GetBooleanStatus(fmi2Component, const fmi2StatusKind kind, fmi2Boolean* value) {
  if (kind != fmi2Terminated) return fmi2Discard;
  *value = fmi2False;
  return fmi2OK;
}
fmi2Status fmi2GetStringStatus(fmi2Component, const fmi2StatusKind, fmi2String*) { return fmi2Discard; }
