#pragma once

#include <sys/inotify.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace footfall::studio::test {

/// A folder with files that nobody should touch; the kernel tells when somebody does.
class WatchedFolder {
 public:
  WatchedFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "footfall-watched-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder could be made");
    path_ = name;
  }
  ~WatchedFolder() {
    if (watch_ >= 0) close(watch_);
    std::filesystem::remove_all(path_);
  }
  WatchedFolder(const WatchedFolder&) = delete;
  WatchedFolder& operator=(const WatchedFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }

  void watch() {
    watch_ = inotify_init1(IN_NONBLOCK);
    if (watch_ < 0 || inotify_add_watch(watch_, path_.c_str(), IN_OPEN | IN_ACCESS | IN_CREATE | IN_DELETE) < 0)
      throw std::runtime_error("the kernel watches no folders");
  }

  /// Names of files that were opened, made or removed since the last call; each as often as it was.
  std::vector<std::string> touched() const {
    std::vector<std::string> names;
    alignas(inotify_event) char buffer[16384];
    for (ssize_t size; (size = read(watch_, buffer, sizeof buffer)) > 0;)
      for (ssize_t at = 0; at < size;) {
        const auto* event = reinterpret_cast<const inotify_event*>(buffer + at);
        if (event->len > 0) names.emplace_back(event->name);
        at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
      }
    return names;
  }

 private:
  std::filesystem::path path_;
  int watch_ = -1;
};

}  // namespace footfall::studio::test
