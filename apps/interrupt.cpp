#include "interrupt.hpp"

#include <csignal>

namespace footfall::command {
namespace {
volatile std::sig_atomic_t asked = 0;
}

void endRunOnInterrupt() {
  struct sigaction action {};
  action.sa_handler = [](int) { asked = 1; };
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return asked != 0; }

}  // namespace footfall::command
