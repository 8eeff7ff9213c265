#include "footfall/base/cannot_write.hpp"
#include "footfall/base/error.hpp"
#include "views.hpp"

namespace footfall::python {

void bindErrors(nb::module_& module) {
  // The later one is tried first, so that what cannot be written does not pass as a mere Error. LogErrors are among
  // these; those of a block in a diagram arrive as CannotWrite, with the name of the block.
  static nb::exception<Error> error(module, "Error", PyExc_ValueError);
  error.attr("__doc__") = "Bad input: the message says where it was found, what is wrong, and what to do about it.";
  static nb::exception<CannotWrite> log_error(module, "LogError", error.ptr());
  log_error.attr("__doc__") = "A log, or another file, cannot be written, or not any further.";
}

}  // namespace footfall::python
