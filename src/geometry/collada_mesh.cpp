#include "geometry/collada_mesh.hpp"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <string_view>

#include "geometry/mesh_formats.hpp"
#include "geometry/text_scanner.hpp"

namespace footfall {
namespace {

using tinyxml2::XMLElement;

const XMLElement& requiredChild(const XMLElement& parent, const char* tag, const ColladaIndex& index) {
  if (const XMLElement* child = parent.FirstChildElement(tag)) return *child;
  throw index.error(parent, fmt::format("<{}> is missing", tag));
}

TextScanner scan(const XMLElement& element, const ColladaIndex& index) {
  const char* text = element.GetText();
  return TextScanner(text ? text : "", index.source(), element.GetLineNum());
}

/// An attribute that counts something; throws when it is missing, negative or no integer.
int countOf(const XMLElement& element, const char* attribute, const ColladaIndex& index) {
  int value = -1;
  if (element.QueryIntAttribute(attribute, &value) != tinyxml2::XML_SUCCESS || value < 0)
    throw index.error(element, fmt::format("attribute '{}' is not a count", attribute));
  return value;
}

/// The positions of a <source>: its numbers, taken three by three as its accessor says.
void addPositions(const XMLElement& source, const Eigen::Affine3d& X, const ColladaIndex& index, TriangleMesh& mesh) {
  const XMLElement& technique = requiredChild(source, "technique_common", index);
  const XMLElement& accessor = requiredChild(technique, "accessor", index);
  const int count = countOf(accessor, "count", index);
  const int stride = accessor.IntAttribute("stride", 1), offset = accessor.IntAttribute("offset", 0);
  if (stride < 3 || offset < 0)
    throw index.error(accessor, "positions need a stride of three or more, and an offset of zero or more");
  TextScanner numbers = scan(requiredChild(source, "float_array", index), index);
  for (int i = 0; i < offset; ++i) numbers.number();
  for (int i = 0; i < count; ++i) {
    Vector3d p;
    for (double& component : p) component = numbers.number();
    for (int k = 3; k < stride && i + 1 < count; ++k) numbers.number();
    mesh.vertices.push_back(X * p);
  }
}

/// How a primitive lists its corners: `stride` indices for each, the one of the vertex at `offset`.
struct CornerLayout {
  int stride = 1;
  int offset = 0;
  const XMLElement* vertices = nullptr;  ///< the <vertices> that the corners count in
};

constexpr int kLargestOffset = 1000;  ///< of an input; files use a handful

CornerLayout cornerLayout(const XMLElement& primitive, const ColladaIndex& index) {
  CornerLayout layout;
  for (auto* input = primitive.FirstChildElement("input"); input; input = input->NextSiblingElement("input")) {
    const int offset = input->IntAttribute("offset", 0);
    if (offset < 0 || offset > kLargestOffset)
      throw index.error(*input, fmt::format("offset=\"{}\", expected 0 to {}", offset, kLargestOffset));
    layout.stride = std::max(layout.stride, offset + 1);
    if (!input->Attribute("semantic", "VERTEX")) continue;
    layout.offset = offset;
    layout.vertices = &index.follow(*input, "source", "vertices");
  }
  if (!layout.vertices) throw index.error(primitive, "it has no input for its vertices");
  return layout;
}

const XMLElement& positionSource(const XMLElement& vertices, const ColladaIndex& index) {
  for (auto* input = vertices.FirstChildElement("input"); input; input = input->NextSiblingElement("input"))
    if (input->Attribute("semantic", "POSITION")) return index.follow(*input, "source", "source");
  throw index.error(vertices, "it has no input for its positions");
}

/// Where the vertices of this geometry lie in the mesh.
struct VertexRange {
  int first = 0;
  int count = 0;
};

/// Reads the corners of one <p>, or `limit` of them.
class CornerReader {
 public:
  CornerReader(const XMLElement& p, const CornerLayout& layout, VertexRange range, const ColladaIndex& index)
      : scanner_(scan(p, index)), layout_(layout), range_(range) {}

  bool atEnd() { return scanner_.atEnd(); }

  void read(int limit, std::vector<int>& corners) {
    corners.clear();
    while (static_cast<int>(corners.size()) < limit && !scanner_.atEnd()) corners.push_back(readCorner());
  }

 private:
  int readCorner() {
    int vertex = 0;
    for (int k = 0; k < layout_.stride; ++k) {
      const int value = scanner_.integer();
      if (k == layout_.offset) vertex = value;
    }
    if (vertex < 0 || vertex >= range_.count)
      throw scanner_.error(fmt::format("a corner names vertex {} of {} vertices", vertex, range_.count));
    return range_.first + vertex;
  }

  TextScanner scanner_;
  const CornerLayout& layout_;
  VertexRange range_;
};

constexpr int kAll = std::numeric_limits<int>::max();

/// <triangles>: three corners each. <polylist>: as many as <vcount> says.
void addCountedPolygons(const XMLElement& primitive, const CornerLayout& layout, VertexRange range,
                        const ColladaIndex& index, TriangleMesh& mesh) {
  const XMLElement* p = primitive.FirstChildElement("p");
  if (!p) return;  // no polygon at all
  CornerReader reader(*p, layout, range, index);
  const bool triangles = std::string_view(primitive.Name()) == "triangles";
  TextScanner counts = scan(triangles ? *p : requiredChild(primitive, "vcount", index), index);
  std::vector<int> corners;
  while (triangles ? !reader.atEnd() : !counts.atEnd()) {
    const int count = triangles ? 3 : counts.integer();
    reader.read(count, corners);
    if (static_cast<int>(corners.size()) != count) throw index.error(*p, "the list of corners ends inside a polygon");
    addPolygon(corners.data(), count, mesh);
  }
}

/// <polygons>, <trifans>: a fan for each <p>. <tristrips>: a strip for each <p>.
void addListedPolygons(const XMLElement& primitive, const CornerLayout& layout, VertexRange range,
                       const ColladaIndex& index, TriangleMesh& mesh) {
  if (primitive.FirstChildElement("ph")) throw index.error(primitive, "polygons with holes are not read");
  const bool strips = std::string_view(primitive.Name()) == "tristrips";
  std::vector<int> corners;
  for (auto* p = primitive.FirstChildElement("p"); p; p = p->NextSiblingElement("p")) {
    CornerReader(*p, layout, range, index).read(kAll, corners);
    const int count = static_cast<int>(corners.size());
    if (!strips) addPolygon(corners.data(), count, mesh);
    for (int i = 0; strips && i + 2 < count; ++i) addPolygon(&corners[i], 3, mesh);
  }
}

enum class Primitive { counted, listed, other };

Primitive kindOf(std::string_view tag) {
  if (tag == "triangles" || tag == "polylist") return Primitive::counted;
  if (tag == "polygons" || tag == "trifans" || tag == "tristrips") return Primitive::listed;
  return Primitive::other;
}

}  // namespace

void addColladaGeometry(const XMLElement& geometry, const Eigen::Affine3d& X, const ColladaIndex& index,
                        TriangleMesh& mesh) {
  const XMLElement* shape = geometry.FirstChildElement("mesh");
  if (!shape) throw index.error(geometry, "only geometries with a <mesh> are read");
  std::map<const XMLElement*, VertexRange> ranges;  // primitives share their vertices
  for (auto* primitive = shape->FirstChildElement(); primitive; primitive = primitive->NextSiblingElement()) {
    const Primitive kind = kindOf(primitive->Name());
    if (kind == Primitive::other) continue;
    const CornerLayout layout = cornerLayout(*primitive, index);
    const auto [entry, is_new] = ranges.try_emplace(layout.vertices);
    if (is_new) {
      entry->second.first = static_cast<int>(mesh.vertices.size());
      addPositions(positionSource(*layout.vertices, index), X, index, mesh);
      index.checkSize(mesh, *primitive);
      entry->second.count = static_cast<int>(mesh.vertices.size()) - entry->second.first;
    }
    const auto add = kind == Primitive::counted ? addCountedPolygons : addListedPolygons;
    add(*primitive, layout, entry->second, index, mesh);
    index.checkSize(mesh, *primitive);
  }
}

}  // namespace footfall
