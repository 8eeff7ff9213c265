#pragma once

#include "show.hpp"

namespace footfall::command {

/// Shows scenes and logs in the browser until Ctrl-C; without any, the scene of `demo`.
int view(ViewOptions options);

}  // namespace footfall::command
