#include "robot_file/resource_folders.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>
#include <system_error>

namespace footfall {
namespace fs = std::filesystem;
namespace {

bool isFolder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

void appendOnce(const fs::path& folder, std::vector<fs::path>& folders) {
  const fs::path clean = folder.lexically_normal();
  if (!clean.empty() && isFolder(clean) && std::find(folders.begin(), folders.end(), clean) == folders.end())
    folders.push_back(clean);
}

std::vector<fs::path> foldersOfVariable(const char* variable) {
  std::vector<fs::path> folders;
  const char* value = std::getenv(variable);
  std::istringstream parts(value ? value : "");
  for (std::string part; std::getline(parts, part, ':');)
    if (!part.empty()) folders.emplace_back(part);
  return folders;
}

/// A Python environment: icub-models lies in its share/, example-robot-data below the prefix of cmeel.
void appendEnvironment(const fs::path& prefix, std::vector<fs::path>& folders) {
  if (isFolder(prefix / "share" / "iCub")) appendOnce(prefix / "share", folders);
  if (isFolder(prefix / "share" / "example-robot-data")) appendOnce(prefix / "share", folders);
  std::error_code ignored;
  for (const auto& python : fs::directory_iterator(prefix / "lib", ignored)) {
    if (python.path().filename().string().rfind("python", 0) != 0) continue;
    for (const char* packages : {"site-packages", "dist-packages"}) {
      const fs::path share = python.path() / packages / "cmeel.prefix" / "share";
      if (isFolder(share / "example-robot-data")) appendOnce(share, folders);
    }
  }
}

/// Folder of the shared library (or program) that this code was linked into.
fs::path folderOfThisLibrary() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&appendStandardResourceFolders), &info) == 0 || !info.dli_fname) return {};
  std::error_code ignored;
  return fs::absolute(info.dli_fname, ignored).parent_path();
}

/// Places to start from: the user's folder, the program's, the library's.
std::vector<fs::path> startingFolders() {
  std::error_code ignored;
  return {fs::current_path(ignored), fs::read_symlink("/proc/self/exe", ignored).parent_path(), folderOfThisLibrary()};
}

/// Our own models: models/ of the source tree or share/footfall/models of an installation, known by box.urdf.
void appendOwnModels(const fs::path& folder, std::vector<fs::path>& folders) {
  std::error_code ignored;
  for (const char* place : {"models", "share/footfall/models"})
    if (fs::exists(folder / place / "box.urdf", ignored)) appendOnce(folder / place, folders);
}

template <class Visit>
void forEachFolderUpwards(const fs::path& start, Visit visit) {
  for (fs::path folder = start; !folder.empty(); folder = folder.parent_path()) {
    visit(folder);
    if (folder == folder.parent_path()) break;
  }
}

}  // namespace

void appendStandardResourceFolders(std::vector<fs::path>& folders) {
  for (const char* variable : {"FOOTFALL_MODEL_PATH", "ROS_PACKAGE_PATH"})
    for (const fs::path& folder : foldersOfVariable(variable)) appendOnce(folder, folders);
  for (const fs::path& prefix : foldersOfVariable("AMENT_PREFIX_PATH")) appendOnce(prefix / "share", folders);
  for (const char* variable : {"GZ_SIM_RESOURCE_PATH", "IGN_GAZEBO_RESOURCE_PATH", "GAZEBO_MODEL_PATH"})
    for (const fs::path& folder : foldersOfVariable(variable)) appendOnce(folder, folders);

  const std::vector<fs::path> starts = startingFolders();
  for (const fs::path& start : starts)
    forEachFolderUpwards(start, [&](const fs::path& folder) { appendOwnModels(folder, folders); });
  for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    for (const fs::path& prefix : foldersOfVariable(variable)) appendEnvironment(prefix, folders);
  for (const fs::path& start : starts)
    forEachFolderUpwards(start, [&](const fs::path& folder) { appendEnvironment(folder / ".venv", folders); });
  // The environment that a wheel of ours was installed into, whether it is active or not.
  for (const fs::path& start : starts)
    forEachFolderUpwards(start, [&](const fs::path& folder) {
      if (folder.filename() == "site-packages" || folder.filename() == "dist-packages")
        appendEnvironment(folder.parent_path().parent_path().parent_path(), folders);
    });
  for (const fs::path& home : foldersOfVariable("HOME")) appendEnvironment(home / ".local", folders);
  for (const char* prefix : {"/usr/local", "/usr"}) appendEnvironment(prefix, folders);
}

}  // namespace footfall
