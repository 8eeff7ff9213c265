// The demo alone, for those who see Footfall for the first time: `footfall demo` without the rest of the command.

#include "guard.hpp"
#include "verbs.hpp"

int main() {
  return footfall::command::guarded([] { return footfall::command::demo({}); });
}
