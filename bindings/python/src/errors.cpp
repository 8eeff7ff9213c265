#include "footfall/base/error.hpp"
#include "footfall/log/log.hpp"
#include "views.hpp"

namespace footfall::python {

void bindErrors(nb::module_& module) {
  // The later one is tried first, so that a LogError does not pass as a mere Error.
  static nb::exception<Error> error(module, "Error", PyExc_ValueError);
  error.attr("__doc__") = "Bad input: the message says where it was found, what is wrong, and what to do about it.";
  static nb::exception<LogError> log_error(module, "LogError", error.ptr());
  log_error.attr("__doc__") = "A log cannot be written, or not any further.";
}

}  // namespace footfall::python
