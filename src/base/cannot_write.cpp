#include "footfall/base/cannot_write.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace footfall {

void requireWritable(const std::string& path, const std::string& what) {
  std::error_code ignored;
  const std::filesystem::file_status before = std::filesystem::status(path, ignored);
  const bool is_new = before.type() == std::filesystem::file_type::not_found;
  // Pipes would wait for who reads them, and devices are told by their first write.
  if (!is_new && !std::filesystem::is_regular_file(before) && !std::filesystem::is_directory(before)) return;
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) {
    const int error_number = errno;
    throw CannotWrite(path, what + " cannot be written: " + std::strerror(error_number),
                      error_number == ENOENT ? "does the folder exist?" : "choose a place that you may write to");
  }
  ::close(file);
  if (is_new) ::unlink(path.c_str());
}

}  // namespace footfall
