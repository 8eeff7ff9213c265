#pragma once

#include <functional>

namespace footfall::command {

/// What a program does, with its errors told on stderr and as an ExitCode.
int guarded(const std::function<int()>& program);

}  // namespace footfall::command
