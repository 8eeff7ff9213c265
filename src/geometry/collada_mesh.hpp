#pragma once

#include <Eigen/Geometry>
#include <map>
#include <string>

#include "footfall/base/error.hpp"
#include "footfall/geometry/triangle_mesh.hpp"

namespace tinyxml2 {
class XMLElement;
}

namespace footfall {

/// The elements of a COLLADA file by their id, and how much may become of them.
class ColladaIndex {
 public:
  ColladaIndex(const tinyxml2::XMLElement& root, std::string source, const MeshLimits& limits);

  const std::string& source() const { return source_; }

  /// The element that an attribute such as url="#id" points to; throws Error when it is missing or of another kind.
  const tinyxml2::XMLElement& follow(const tinyxml2::XMLElement& from, const char* attribute, const char* tag) const;

  /// Throws Error when `element` has made the mesh too large.
  void checkSize(const TriangleMesh& mesh, const tinyxml2::XMLElement& element) const;

  Error error(const tinyxml2::XMLElement& element, const std::string& what) const;

 private:
  void add(const tinyxml2::XMLElement& element);

  std::string source_;
  MeshLimits limits_;
  std::map<std::string, const tinyxml2::XMLElement*> by_id_;
};

/// Adds the triangles of a <geometry>, moved by X; lines are skipped, they have no surface.
void addColladaGeometry(const tinyxml2::XMLElement& geometry, const Eigen::Affine3d& X, const ColladaIndex& index,
                        TriangleMesh& mesh);

}  // namespace footfall
