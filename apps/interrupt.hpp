#pragma once

namespace footfall::command {

/// The first Ctrl-C asks the run to end after its step; a second one ends the process as usual.
void endRunOnInterrupt();

/// Somebody has asked for the end.
bool interrupted();

}  // namespace footfall::command
