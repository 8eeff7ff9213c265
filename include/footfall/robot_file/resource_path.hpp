#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace footfall {

/// A robot that can be loaded by name.
struct KnownModel {
  std::string name;  ///< "iCubGazeboV2_5", "anymal_c_simple_description/anymal", "box"
  std::filesystem::path path;
};

/// Where models and meshes are looked for.
///
/// A folder of the path holds packages: `model://iCub/robots/x.urdf` and `package://iCub/robots/x.urdf` mean
/// <folder>/iCub/robots/x.urdf.
class ResourcePath {
 public:
  /// The given folders, and nothing else.
  explicit ResourcePath(std::vector<std::filesystem::path> folders) : folders_(std::move(folders)) {}

  /// The given folders, then those of FOOTFALL_MODEL_PATH, ROS_PACKAGE_PATH, AMENT_PREFIX_PATH (its share/),
  /// GZ_SIM_RESOURCE_PATH, IGN_GAZEBO_RESOURCE_PATH and GAZEBO_MODEL_PATH, then this project's own models/, then the
  /// Python packages icub-models and example-robot-data wherever an environment is found (VIRTUAL_ENV,
  /// CONDA_PREFIX, a .venv in or above the folders of the program, of this library and of the user).
  static ResourcePath standard(std::vector<std::filesystem::path> first = {});

  const std::vector<std::filesystem::path>& folders() const { return folders_; }

  /// The file that `uri` means: a plain path, file://, package:// or model://. Relative paths are relative to
  /// `beside`, a folder; packages are also looked for above it, because a robot usually lies in its own package.
  std::optional<std::filesystem::path> find(const std::string& uri, const std::filesystem::path& beside = {}) const;

  /// As `find`, and also the names of `models()`; throws Error that says where it was looked for.
  std::filesystem::path findModel(const std::string& name, const std::filesystem::path& beside = {}) const;

  /// Every robot on the path.
  std::vector<KnownModel> models() const;

 private:
  std::vector<std::filesystem::path> folders_;
};

}  // namespace footfall
