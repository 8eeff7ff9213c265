#pragma once

#include <memory>

#include "footfall/contact/contact_model.hpp"
#include "footfall/step/integrator.hpp"
#include "views.hpp"

namespace footfall::python {

/// A contact model whose solve(question) is written in Python.
std::unique_ptr<ContactModel> makePythonContactModel(nb::object python, const ContactSettings& settings);

/// An integrator whose advance(step) is written in Python.
std::unique_ptr<Integrator> makePythonIntegrator(nb::object python);

}  // namespace footfall::python
