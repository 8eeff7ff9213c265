#include <exception>
#include <string>
#include <string_view>

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
  // What readers call by the option of the command is the argument `set` here.
  nb::register_exception_translator(
      [](const std::exception_ptr& thrown, void*) {
        constexpr std::string_view kOption = "--";
        try {
          std::rethrow_exception(thrown);
        } catch (const Error& problem) {
          const std::string_view text = problem.what();
          if (!text.starts_with("--set ")) throw;  // the others know what to do with it
          PyErr_SetString(error.ptr(), std::string(text.substr(kOption.size())).c_str());
        }
      },
      nullptr);
}

}  // namespace footfall::python
