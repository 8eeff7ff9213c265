#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "footfall/model/model.hpp"
#include "footfall/scene/scene.hpp"

namespace footfall {

/// Why two shapes pass through each other.
enum class Apart {
  one_robot,         ///< links of one robot, which do not touch each other unless `collisions.self` says so
  neighbours,        ///< one joint lies between their links
  touching_at_zero,  ///< they touch in the zero posture: shapes are only near the truth there
  disabled_by_srdf,
  not_listed,  ///< `collisions.only` does not name them
  excluded,    ///< `collisions.exclude` names them
};

struct ApartShapes {
  ShapePair shapes;
  Apart why;
};

/// Pairs of shapes that pass through each other, in ascending order, each with the first reason that there is. Links of
/// an SRDF file that the robot does not have are warnings: such files are shared by variants of a robot.
std::vector<ApartShapes> apartShapes(const Scene& scene, const Model& model, std::vector<std::string>& warnings);

/// The file that `collisions.srdf` names, beside the scene or in a package; throws Error where it is not found.
std::filesystem::path srdfFile(const Scene& scene);

/// Who touches whom: marks the shapes that meet others, the pairs that do not, and what single pairs are made of.
void setCollisions(const Scene& scene, Model& model, std::vector<std::string>& warnings);

}  // namespace footfall
