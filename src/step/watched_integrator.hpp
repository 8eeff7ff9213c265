#pragma once

#include <memory>
#include <string>

#include "footfall/step/integrator.hpp"

namespace footfall {

/// An integrator of a plug-in: what it throws, and what none may return, becomes an Error that names it.
std::unique_ptr<Integrator> watchIntegrator(std::unique_ptr<Integrator> made, const std::string& name);

}  // namespace footfall
