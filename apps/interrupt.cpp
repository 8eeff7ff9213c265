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
  // A terminal that is closed, unless `nohup` has said that it does not matter.
  struct sigaction before {};
  if (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
}

bool interrupted() { return asked != 0; }

}  // namespace footfall::command
