#include <fmt/format.h>
#include <tinyxml2.h>

#include <cmath>
#include <numbers>

#include "geometry/collada_mesh.hpp"
#include "geometry/mesh_formats.hpp"
#include "geometry/text_scanner.hpp"

namespace footfall {
namespace {

using Eigen::Affine3d;
using tinyxml2::XMLElement;

constexpr int kMaxDepth = 100;      // of nodes in nodes; a node that contains itself ends here
constexpr int kMaxNodes = 1 << 20;  // nodes that show others twice, and those others twice, are soon too many

template <int n>
Eigen::Matrix<double, n, 1> readNumbers(const XMLElement& element, const ColladaIndex& index) {
  TextScanner scanner(element.GetText() ? element.GetText() : "", index.source(), element.GetLineNum());
  Eigen::Matrix<double, n, 1> numbers;
  for (double& number : numbers) number = scanner.number();
  return numbers;
}

/// A child of a node that moves what is inside the node; the identity for every other child.
Affine3d readTransform(const XMLElement& element, const ColladaIndex& index) {
  const std::string_view tag = element.Name();
  Affine3d X = Affine3d::Identity();
  if (tag == "matrix") {
    const auto rows = readNumbers<16>(element, index);
    X.matrix() = Eigen::Map<const Eigen::Matrix<double, 4, 4, Eigen::RowMajor>>(rows.data());
    X.makeAffine();
  } else if (tag == "translate") {
    X.translate(readNumbers<3>(element, index));
  } else if (tag == "scale") {
    X.scale(readNumbers<3>(element, index));
  } else if (tag == "rotate") {
    const auto axis_angle = readNumbers<4>(element, index);
    const Vector3d axis = axis_angle.head<3>();
    if (axis.norm() > 0.0) X.rotate(Eigen::AngleAxisd(axis_angle[3] * std::numbers::pi / 180.0, axis.normalized()));
  } else if (tag == "lookat" || tag == "skew") {
    throw index.error(element, "this transform is not read");
  }
  return X;
}

/// Walks over the nodes of a scene and gathers what they show.
class SceneWalk {
 public:
  SceneWalk(const ColladaIndex& index, TriangleMesh& mesh) : index_(index), mesh_(mesh) {}

  void add(const XMLElement& node, Affine3d X, int depth = 0) {
    if (depth > kMaxDepth)
      throw index_.error(node, fmt::format("nodes lie more than {} deep in each other", kMaxDepth));
    if (++nodes_ > kMaxNodes) throw index_.error(node, fmt::format("the scene shows more than {} nodes", kMaxNodes));
    for (auto* child = node.FirstChildElement(); child; child = child->NextSiblingElement()) {
      const std::string_view tag = child->Name();
      if (tag == "instance_geometry")
        addColladaGeometry(index_.follow(*child, "url", "geometry"), X, index_, mesh_);
      else if (tag == "instance_node")
        add(index_.follow(*child, "url", "node"), X, depth + 1);
      else if (tag == "instance_controller")
        throw index_.error(*child, "meshes that are bent by a skeleton are not read");
      else if (tag == "node")
        add(*child, X, depth + 1);
      else
        X = X * readTransform(*child, index_);
    }
  }

 private:
  const ColladaIndex& index_;
  TriangleMesh& mesh_;
  int nodes_ = 0;
};

Affine3d unitScale(const XMLElement& root, const ColladaIndex& index) {
  const XMLElement* asset = root.FirstChildElement("asset");
  const XMLElement* unit = asset ? asset->FirstChildElement("unit") : nullptr;
  const double meters = unit ? unit->DoubleAttribute("meter", 1.0) : 1.0;
  if (!(meters > 0.0) || !std::isfinite(meters)) throw index.error(*unit, "the unit's 'meter' is not positive");
  return Affine3d(Eigen::Scaling(meters));
}

/// The scene that the file shows; files without one have at most the geometries themselves.
const XMLElement* shownScene(const XMLElement& root, const ColladaIndex& index) {
  const XMLElement* scene = root.FirstChildElement("scene");
  const XMLElement* instance = scene ? scene->FirstChildElement("instance_visual_scene") : nullptr;
  return instance ? &index.follow(*instance, "url", "visual_scene") : nullptr;
}

void addAllGeometries(const XMLElement& root, const Affine3d& X, const ColladaIndex& index, TriangleMesh& mesh) {
  for (auto* library = root.FirstChildElement("library_geometries"); library;
       library = library->NextSiblingElement("library_geometries"))
    for (auto* geometry = library->FirstChildElement("geometry"); geometry;
         geometry = geometry->NextSiblingElement("geometry"))
      addColladaGeometry(*geometry, X, index, mesh);
}

}  // namespace

ColladaIndex::ColladaIndex(const XMLElement& root, std::string source, const MeshLimits& limits)
    : source_(std::move(source)), limits_(limits) {
  add(root);
}

void ColladaIndex::add(const XMLElement& element) {
  if (const char* id = element.Attribute("id")) by_id_.emplace(id, &element);
  for (auto* child = element.FirstChildElement(); child; child = child->NextSiblingElement()) add(*child);
}

const XMLElement& ColladaIndex::follow(const XMLElement& from, const char* attribute, const char* tag) const {
  const char* target = from.Attribute(attribute);
  if (!target || target[0] != '#')
    throw error(from, fmt::format("attribute '{}' names nothing in this file", attribute));
  const auto found = by_id_.find(target + 1);
  if (found == by_id_.end() || std::string_view(found->second->Name()) != tag)
    throw error(from, fmt::format("{}=\"{}\", but there is no <{}> of that id", attribute, target, tag));
  return *found->second;
}

void ColladaIndex::checkSize(const TriangleMesh& mesh, const XMLElement& element) const {
  if (mesh.triangles.size() > limits_.triangles || mesh.vertices.size() / 3 > limits_.triangles)
    throw error(element, fmt::format("the mesh has more than the {} triangles allowed", limits_.triangles));
}

Error ColladaIndex::error(const XMLElement& element, const std::string& what) const {
  return Error(fmt::format("{}:{}", source_, element.GetLineNum()), fmt::format("<{}>: {}", element.Name(), what));
}

TriangleMesh parseCollada(std::string_view text, const std::string& source, const MeshLimits& limits) {
  tinyxml2::XMLDocument document;
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS)
    throw Error(fmt::format("{}:{}", source, document.ErrorLineNum()),
                fmt::format("is not XML that can be read: {}", document.ErrorName()), "is the file complete?");
  const XMLElement* root = document.RootElement();
  if (!root || std::string_view(root->Name()) != "COLLADA") throw Error(source, "is not a COLLADA file");

  const ColladaIndex index(*root, source, limits);
  const Affine3d unit = unitScale(*root, index);
  TriangleMesh mesh;
  if (const XMLElement* scene = shownScene(*root, index))
    SceneWalk(index, mesh).add(*scene, unit);
  else
    addAllGeometries(*root, unit, index, mesh);
  return mesh;
}

}  // namespace footfall
