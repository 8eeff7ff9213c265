#include "footfall/base/version.hpp"
#include "views.hpp"

NB_MODULE(_core, module) {
  using namespace footfall::python;
  module.attr("__version__") = footfall::version();
  bindErrors(module);
  bindModel(module);
  bindState(module);
  bindDynamics(module);
  bindContactModel(module);
  bindIntegrator(module);
  bindResult(module);
  bindSimulation(module);
  bindLog(module);
  bindDiagram(module);
}
