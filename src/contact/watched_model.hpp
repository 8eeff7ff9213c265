#pragma once

#include <memory>
#include <string>

#include "footfall/contact/contact_model.hpp"

namespace footfall {

/// A contact model of a plug-in: what it throws, and what none may return, becomes an Error that names it.
std::unique_ptr<ContactModel> watchModel(std::unique_ptr<ContactModel> made, const std::string& name);

}  // namespace footfall
