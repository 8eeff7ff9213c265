#include "guard.hpp"

#include <csignal>
#include <exception>
#include <string>

#include "footfall/log/log.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace footfall::command {

int guarded(const std::function<int()>& program) {
  // A file that may not grow any more is an error of the write, to be reported, and not the end of the process.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return program();
  } catch (const LogError& error) {
    printError(error);
    return kCannotWrite;
  } catch (const Error& error) {
    printError(error);
    return kBadInput;
  } catch (const std::exception& error) {
    printError(std::string("internal error: ") + error.what(), "this is a bug in footfall; please report it");
    return kBug;
  }
}

}  // namespace footfall::command
