#include "views.hpp"

namespace footfall::python {

void bindDiagram(nb::module_&) {}

}  // namespace footfall::python
