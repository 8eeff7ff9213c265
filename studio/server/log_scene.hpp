#pragma once

#include <filesystem>
#include <optional>

#include "footfall/base/internal/temporary_folder.hpp"
#include "footfall/log/log_reader.hpp"
#include "footfall/scene/scene.hpp"

namespace footfall::studio {

/// The scene that a log was made from. A log that holds its files (.mcap) needs nothing else: they are laid out in a
/// temporary folder, out of which no name in the log can lead. Other logs only say where the scene was.
class LogScene {
 public:
  /// Throws Error when there is no scene to be found.
  explicit LogScene(const LogReader& log);

  const Scene& scene() const { return scene_; }

 private:
  void layOut(const LogReader& log, const std::filesystem::path& root);
  void useHeights(SceneGround& ground) const;

  std::optional<TemporaryFolder> folder_;  ///< where the log holds its files
  std::filesystem::path robot_;            ///< the file of the robot in it
  Scene scene_;
};

/// Where a file that a robot or a scene calls `name` belongs below `root`, when names without a package are relative to
/// `beside`; empty when it does not belong there.
std::filesystem::path placeBelow(const std::filesystem::path& root, const std::filesystem::path& beside,
                                 const std::string& name);

}  // namespace footfall::studio
