#pragma once

#include <memory>

#include "run_loop.hpp"

namespace footfall::command {

/// The clock and the controller that the command line asks for; null where it asks for neither. Throws Error where it
/// makes no sense.
std::unique_ptr<RunGuest> makeRealTimeGuest(const RunOptions& options);

}  // namespace footfall::command
