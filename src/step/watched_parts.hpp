#pragma once

#include <memory>
#include <string>

#include "footfall/contact/contact_model.hpp"
#include "footfall/solver/contact_solver.hpp"
#include "footfall/step/integrator.hpp"

namespace footfall {

// Parts of plug-ins: what they throw becomes an Error that names them, and so does what no such part may return. Those
// that are built in come back as they are.

std::unique_ptr<ContactSolver> watchPlugin(std::unique_ptr<ContactSolver> made, const std::string& name);
std::unique_ptr<ContactModel> watchPlugin(std::unique_ptr<ContactModel> made, const std::string& name);
/// Of those that are no plug-ins none comes here.
std::unique_ptr<Integrator> watchPlugin(std::unique_ptr<Integrator> made, const std::string& name);

}  // namespace footfall
