#pragma once

#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "footfall/model/model.hpp"
#include "footfall/scene/scene.hpp"
#include "footfall/terrain/moving_terrain.hpp"
#include "studio/server/recording.hpp"

namespace footfall::studio {

/// Everything that the page needs to draw a scene, apart from what changes with time.
class SceneDescription {
 public:
  /// @param model as it was built from the scene
  SceneDescription(const Scene& scene, const Model& model, const LoadedModel& robot);

  /// Robot and ground. Meshes are named by their numbers.
  const nlohmann::json& data() const { return *json_; }
  int meshes() const { return static_cast<int>(meshes_.size()); }
  /// A mesh as meshBuffer() writes it; read at the first call. Throws Error when the file cannot be read.
  std::shared_ptr<const std::string> mesh(int index) const;

  /// Surfaces that move; each adds a pose to the rows that are sent.
  int movingGrounds() const { return static_cast<int>(motions_.size()); }
  /// Position and quaternion (x, y, z, w) of each of them, 7 numbers for each.
  void addGroundPoses(double time, std::vector<double>& out) const;

 private:
  struct MeshFile {
    std::string path;
    Vector3d scale;
  };
  nlohmann::json geometryJson(const LinkGeometry& geometry, const Model& model);
  nlohmann::json groundJson(const SceneGround& ground);
  int meshNumber(const LinkGeometry& geometry);

  std::shared_ptr<nlohmann::json> json_;
  std::vector<MeshFile> meshes_;
  mutable std::map<int, std::shared_ptr<const std::string>> buffers_;
  std::vector<Motion> motions_;
};

/// Adds the columns of a recording to a description, and where the state of the robot is among them. Throws Error that
/// names the column that is missing.
void addColumns(const std::vector<Column>& columns, const Model& model, nlohmann::json& description);

}  // namespace footfall::studio
