#pragma once

#include <memory>

#include "footfall/dynamics/dynamics.hpp"

namespace footfall::native {

std::unique_ptr<Dynamics> makeNative(const Model& model);

}  // namespace footfall::native
