#pragma once

#include <functional>
#include <map>
#include <string>

#include "footfall/robot_file/collision_shapes.hpp"
#include "footfall/robot_file/urdf.hpp"

namespace footfall {

/// Robots that were loaded before, for those who run many scenes with the same one: reading its file takes longer than
/// all the rest of a scene. Files are taken to stay as they are. One thread at a time.
///
///     LoadedRobots robots;
///     for (…) {
///       const LoadedRobots::Use use(robots);   // what is loaded here is looked for among the robots first
///       Simulation simulation(scene);
///     }
class LoadedRobots {
 public:
  /// Until it ends, robots of scenes that its thread loads are those. A scene is plain data, which knows no cache.
  class Use {
   public:
    explicit Use(LoadedRobots& robots);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    LoadedRobots* before_;
  };
  /// Those that this thread uses; null: none.
  static LoadedRobots* inUse();

  /// The robot that the key stands for; reads it when it is met for the first time.
  const LoadedModel& find(const std::string& key, const std::function<LoadedModel()>& read);
  /// One of its collision shapes: the hull of a mesh takes longer than the robot's file.
  const LinkShape& findShape(const std::string& key, const std::function<LinkShape()>& make);

 private:
  std::map<std::string, LoadedModel> robots_;
  std::map<std::string, LinkShape> shapes_;
};

}  // namespace footfall
