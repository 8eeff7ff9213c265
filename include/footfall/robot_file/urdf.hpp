#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "footfall/model/model.hpp"
#include "footfall/robot_file/resource_path.hpp"

namespace footfall {

/// What to do with a joint that moves nothing with mass: its mass matrix cannot be inverted.
enum class MasslessLinks {
  error,   ///< refuse the model
  ignore,  ///< lock that joint and report it
};

struct UrdfOptions {
  bool floating_base = true;
  std::vector<std::string> joints;  ///< movable joints, in the order of the coordinates; empty: all, in file order
  std::map<std::string, double> positions;  ///< where the other joints are locked; 0 if not named [rad or m]
  MasslessLinks massless_links = MasslessLinks::error;
  std::string sdf_model;                              ///< which model of an SDF file; empty: the only one
  ResourcePath resources = ResourcePath::standard();  ///< where models and meshes are looked for
};

/// Something suspicious that does not keep the model from being used.
struct Warning {
  std::string where;  ///< file:line
  std::string what;
};

/// One visual or collision shape S, as the file describes it; collisionShapes() makes contact shapes of these.
struct LinkGeometry {
  std::string where;  ///< file:line
  std::string link;   ///< name of the URDF link, which is the name of a frame F
  bool collision = false;
  std::string shape;                       ///< box, cylinder, sphere, capsule or mesh
  Pose X_FS;                               ///< in the frame of the URDF link
  Vector3d size = Vector3d::Zero();        ///< of a box [m]
  double radius = 0.0;                     ///< of a sphere, cylinder or capsule [m]
  double length = 0.0;                     ///< of a cylinder, or of the straight part of a capsule [m]
  std::string mesh;                        ///< what the file says, for a mesh
  Vector3d mesh_scale = Vector3d::Ones();  ///< factors for the coordinates of a mesh [-]
  std::string mesh_path;                   ///< where the mesh lies; empty when it is not found
  int body = 0;                            ///< of a world: 0 is its robot, then its further bodies
  std::optional<Eigen::Vector4d> color;    ///< red, green, blue, opacity from 0 to 1; none: the file names none
};

struct LoadedModel {
  Model model;
  std::string source;  ///< path of the file
  std::vector<Warning> warnings;
  std::vector<LinkGeometry> geometries;
  std::map<std::string, std::string> link_places;  ///< file:line of each link of the file
};

/// Reads a URDF file; throws Error with file and line. `name` is a path, package://, model:// or a short name
/// that `options.resources` knows.
///
/// Fixed and locked joints make one link of two. The base is the root of the file. A planar joint becomes two
/// sliding joints and a turning one, named <joint>_x, <joint>_y, <joint>_yaw; a floating joint becomes three and
/// three (<joint>_x, _y, _z, _yaw, _pitch, _roll), except at a root without mass (often called world), where it
/// says that its child is a floating base.
///
/// A model of an SDF file is read in the same way, also of its worlds: `worlds.sdf#robot` names it where there are
/// several. A joint whose child another joint moves already closes a loop.
LoadedModel loadUrdf(const std::string& name, const UrdfOptions& options = {});

/// The same from text; `source` is what errors call it, and meshes are looked for beside it.
LoadedModel parseUrdf(const std::string& text, const std::string& source, const UrdfOptions& options = {});

}  // namespace footfall
