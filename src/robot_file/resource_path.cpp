#include "footfall/robot_file/resource_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "footfall/base/error.hpp"
#include "footfall/base/suggest.hpp"
#include "robot_file/resource_folders.hpp"

namespace footfall {
namespace fs = std::filesystem;
namespace {

bool isFile(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

/// The rest of `text` after `prefix`, if it starts with it.
std::optional<std::string> after(const std::string& prefix, const std::string& text) {
  if (text.rfind(prefix, 0) != 0) return std::nullopt;
  return text.substr(prefix.size());
}

/// A package above `folder`: its name is the first part of `in_package`.
std::optional<fs::path> findInPackageAbove(const fs::path& folder, const fs::path& in_package) {
  if (folder.empty()) return std::nullopt;
  const fs::path package = *in_package.begin();
  for (fs::path above = fs::absolute(folder).lexically_normal(); above.has_relative_path();
       above = above.parent_path()) {
    if (above.filename() == package && isFile(above.parent_path() / in_package))
      return above.parent_path() / in_package;
  }
  return std::nullopt;
}

std::optional<fs::path> findInPackages(const std::vector<fs::path>& folders, const fs::path& in_package) {
  const fs::path package = in_package.empty() ? fs::path() : *in_package.begin();
  for (const fs::path& folder : folders) {
    if (isFile(folder / in_package)) return folder / in_package;
    // ROS also allows the package itself on its path.
    if (folder.filename() == package && isFile(folder.parent_path() / in_package))
      return folder.parent_path() / in_package;
  }
  return std::nullopt;
}

std::vector<fs::path> sortedEntries(const fs::path& folder) {
  std::error_code ignored;
  std::vector<fs::path> entries;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) entries.push_back(entry.path());
  std::sort(entries.begin(), entries.end());
  return entries;
}

std::vector<fs::path> urdfFilesIn(const fs::path& folder) {
  std::vector<fs::path> files = sortedEntries(folder);
  std::erase_if(files, [](const fs::path& file) { return file.extension() != ".urdf"; });
  return files;
}

/// Robots of one package: <package>/robots/<robot>/model.urdf or <package>/robots/<robot>/{urdf,robots}/*.urdf.
void appendPackageModels(const fs::path& package, std::vector<KnownModel>& models) {
  for (const fs::path& robot : sortedEntries(package / "robots")) {
    if (isFile(robot / "model.urdf")) models.push_back({robot.filename(), robot / "model.urdf"});
    for (const char* sub_folder : {"urdf", "robots"})
      for (const fs::path& file : urdfFilesIn(robot / sub_folder))
        models.push_back({robot.filename().string() + "/" + file.stem().string(), file});
  }
}

std::string folderList(const std::vector<fs::path>& folders) {
  if (folders.empty()) return "no folder is on the search path";
  std::string text = "looked in";
  for (const fs::path& folder : folders) text += "\n    " + (folder.empty() ? "." : folder.string());
  return text;
}

std::vector<std::string> namesOf(const std::vector<KnownModel>& models) {
  std::vector<std::string> names;
  for (const KnownModel& model : models) names.push_back(model.name);
  return names;
}

struct RobotPackage {
  const char* folder;  ///< "model://iCub/…"
  const char* wheel;   ///< of the Python registry
};
constexpr RobotPackage kRobotPackages[] = {{"iCub", "icub-models"}, {"example-robot-data", "example-robot-data"}};

bool isOnPath(const RobotPackage& package, const std::vector<fs::path>& folders) {
  std::error_code ignored;
  return std::any_of(folders.begin(), folders.end(),
                     [&](const fs::path& folder) { return fs::is_directory(folder / package.folder, ignored); });
}

/// What to install, where the name is one of a robot that we know the package of, or of none at all.
std::string missingPackagesHint(const std::string& name, const std::vector<fs::path>& folders) {
  if (fs::path(name).has_extension() && name.find("://") == std::string::npos) return {};  // a file
  std::string wheels;
  for (const RobotPackage& package : kRobotPackages) {
    const bool is_meant = name.find("://") == std::string::npos || name.find(package.folder) != std::string::npos;
    if (is_meant && !isOnPath(package, folders)) wheels += std::string(" ") + package.wheel;
  }
  return wheels.empty() ? "" : "robots come in Python packages: pip install" + wheels + "\n    ";
}

std::string notFoundHint(const std::string& name, const ResourcePath& resources) {
  const std::string stem = fs::path(name).stem().string();
  const std::string suggestion =
      missingPackagesHint(name, resources.folders()) + didYouMean(stem, namesOf(resources.models()));
  const std::string looked = folderList(resources.folders()) +
                             "\n    more folders: environment variable FOOTFALL_MODEL_PATH (colon-separated)";
  return suggestion.empty() ? looked : suggestion + " " + looked;
}

}  // namespace

ResourcePath ResourcePath::standard(std::vector<fs::path> first) {
  appendStandardResourceFolders(first);
  return ResourcePath(std::move(first));
}

std::optional<fs::path> ResourcePath::find(const std::string& uri, const fs::path& beside) const {
  for (const char* scheme : {"package://", "model://"}) {
    auto in_package = after(scheme, uri);
    if (!in_package) continue;
    in_package->erase(0, in_package->find_first_not_of('/'));  // some files write package:///name/…
    if (in_package->empty()) return std::nullopt;
    if (auto found = findInPackageAbove(beside, *in_package)) return found;
    return findInPackages(folders_, *in_package);
  }
  const fs::path plain = after("file://", uri).value_or(uri);
  const fs::path path = plain.is_absolute() ? plain : beside / plain;
  return isFile(path) ? std::optional(path) : std::nullopt;
}

fs::path ResourcePath::findModel(const std::string& name, const fs::path& beside) const {
  if (auto found = find(name, beside)) return *found;
  if (name.find("://") == std::string::npos) {
    for (const KnownModel& model : models())
      if (model.name == name) return model.path;
  }
  throw Error("", fmt::format("model '{}' is not found", name), notFoundHint(name, *this));
}

std::vector<KnownModel> ResourcePath::models() const {
  std::vector<KnownModel> models;
  for (const fs::path& folder : folders_) {
    for (const fs::path& file : urdfFilesIn(folder)) models.push_back({file.stem(), file});
    for (const char* package : {"iCub", "example-robot-data"}) appendPackageModels(folder / package, models);
  }
  return models;
}

}  // namespace footfall
