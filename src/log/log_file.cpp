#include "log/log_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace footfall {
namespace {

std::string hintFor(int error_number) {
  switch (error_number) {
    case ENOENT:
      return "does the folder exist?";
    case EACCES:
    case EROFS:
      return "choose a place that you may write to, with --log or run.log";
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "free some space, log less often with run.log_period, or leave out the meshes with --no-log-meshes";
    default:
      return "";
  }
}

}  // namespace

int openForWriting(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  int error_number = file < 0 ? errno : 0;
  struct stat status {};
  if (file >= 0 && ::fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {  // devices and pipes may have many writers
    // Where the file system knows no locks, nothing can be said.
    if (::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      ::close(file);
      throw LogError(path, "another log is being written to this file",
                     "choose another name, or end that run first; in Python, close() the diagram's run");
    }
    if (::ftruncate(file, 0) != 0) error_number = errno;
  }
  if (error_number == 0) return file;
  if (file >= 0) ::close(file);
  throw LogError(path, fmt::format("the log cannot be opened for writing: {}", std::strerror(error_number)),
                 hintFor(error_number));
}

int closeWritten(int file) {
  ::flock(file, LOCK_UN);
  return ::close(file);
}

std::size_t writeAll(int file, std::string_view bytes) {
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t count = ::write(file, bytes.data() + written, bytes.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    written += static_cast<std::size_t>(count);
  }
  return written;
}

LogError cannotWrite(const std::string& path, int error_number, const std::string& extent) {
  return LogError(path, fmt::format("the log cannot be written: {}; {}", std::strerror(error_number), extent),
                  hintFor(error_number));
}

std::string extentOf(std::size_t rows, const std::string& name, double last, const std::string& unit) {
  if (rows == 0) return "it has no complete row";
  return fmt::format("it is complete up to {} = {:.9g} {}, {} rows", name, last, unit, rows);
}

}  // namespace footfall
