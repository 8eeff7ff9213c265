#include "footfall/base/version.hpp"
#include "views.hpp"

NB_MODULE(_core, module) {
  using namespace footfall::python;
  // A part written in Python and the simulation that uses it may refer to each other until the process ends.
  nb::set_leak_warnings(false);
  module.def("_version", [] { return footfall::version(); });
  bindErrors(module);
  bindModel(module);
  bindState(module);
  bindDynamics(module);
  bindContactModel(module);
  bindIntegrator(module);
  bindResult(module);
  bindSimulation(module);
  bindWorkers(module);
  bindLog(module);
  bindDiagram(module);
  bindBatch(module);
  bindStudy(module);
}
