#pragma once

#include <filesystem>
#include <string>

#include "footfall/robot_file/urdf.hpp"
#include "model/error_of.hpp"

namespace footfall {

/// A folder that is there for the length of a test.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Writes a file, with the folders that it needs.
  std::filesystem::path write(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path path_;
};

/// <inertial> of a small solid body.
std::string inertial(double mass = 1.0);

/// A link with that inertia.
std::string link(const std::string& name, double mass = 1.0);

/// A joint about or along z, 1 m above its parent; `more` is put into the element.
std::string joint(const std::string& name, const std::string& type, const std::string& parent, const std::string& child,
                  const std::string& more = "");

/// <robot> around the parts.
std::string robot(const std::string& parts);

/// Has a warning that holds this text.
bool warns(const LoadedModel& loaded, const std::string& text);

/// Pose of every link in the base, for joint coordinates s.
std::vector<Pose> linkPoses(const Model& model, const VectorXd& s);

/// The whole robot as one body, in the base frame.
SpatialInertia wholeBody(const Model& model, const VectorXd& s);

}  // namespace footfall
