#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <string_view>

namespace footfall::fuzz {

/// A file that lives in memory, for readers that want a path.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes = {}) : file_(memfd_create("footfall", 0)) {
    for (std::size_t written = 0; written < bytes.size();) {
      const ssize_t more = ::write(file_, bytes.data() + written, bytes.size() - written);
      if (more <= 0) break;
      written += static_cast<std::size_t>(more);
    }
  }
  ~MemoryFile() { ::close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }
  std::string bytes() const {
    std::string bytes(static_cast<std::size_t>(::lseek(file_, 0, SEEK_END)), '\0');
    const ssize_t read = ::pread(file_, bytes.data(), bytes.size(), 0);
    bytes.resize(read < 0 ? 0 : static_cast<std::size_t>(read));
    return bytes;
  }

 private:
  int file_;
};

}  // namespace footfall::fuzz
