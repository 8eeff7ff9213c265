#include "guard.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>

#include "footfall/base/cannot_write.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace footfall::command {

namespace {

/// A descriptor that is closed would be that of the next file that is opened: what is printed would be written into a
/// log.
void openStandardStreams() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor)
    if (::fcntl(descriptor, F_GETFD) < 0) static_cast<void>(::open("/dev/null", O_RDWR));  // the lowest that is free
}

/// Drawings, schemas and tables are printed, too: one that is cut off by a full disk is no success.
int withOutputArrived(int code) {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  printError(std::string("standard output cannot be written") + (errno == 0 ? "" : ": ") +
             (errno == 0 ? "" : std::strerror(errno)));
  return code == kSuccess ? int{kCannotWrite} : code;
}

}  // namespace

int guarded(const std::function<int()>& program) {
  openStandardStreams();
  // A file that may not grow any more is an error of the write, to be reported, and not the end of the process.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return withOutputArrived(program());
  } catch (const CannotWrite& error) {
    printError(error);
    return kCannotWrite;
  } catch (const Error& error) {
    printError(error);
    return kBadInput;
  } catch (const std::bad_alloc&) {
    printError("there is not enough memory for what is asked for", "fewer copies, a shorter log, a coarser ground?");
    return kBadInput;
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) return withOutputArrived(kSuccess);
    printError(std::string("internal error: ") + error.what(), "this is a bug in footfall; please report it");
    return kBug;
  }
}

}  // namespace footfall::command
