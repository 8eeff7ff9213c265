#include <fmt/format.h>

#include "geometry/mesh_formats.hpp"
#include "geometry/text_scanner.hpp"

namespace footfall {
namespace {

Vector3d readVertex(TextScanner& text) {
  Vector3d vertex;
  for (double& component : vertex) component = text.number();
  return vertex;
}

/// The vertex of a corner such as 7, 7/1, 7//3 or -1: counted from one, or backwards from the last one read.
int readCorner(std::string_view corner, int vertices, const TextScanner& text) {
  const int number = text.integerIn(corner.substr(0, corner.find('/')));
  const int index = number > 0 ? number - 1 : vertices + number;
  if (number == 0 || index < 0 || index >= vertices)
    throw text.error(fmt::format("a face names vertex {}, but {} vertices came before it", number, vertices));
  return index;
}

void readFace(TextScanner& text, TriangleMesh& mesh, std::vector<int>& corners) {
  corners.clear();
  for (std::string_view corner = text.wordOfLine(); !corner.empty(); corner = text.wordOfLine())
    corners.push_back(readCorner(corner, static_cast<int>(mesh.vertices.size()), text));
  if (corners.size() < 3)
    throw text.error(fmt::format("a face with {} corners, expected three or more", corners.size()));
  addPolygon(corners.data(), static_cast<int>(corners.size()), mesh);
}

}  // namespace

TriangleMesh parseObj(std::string_view bytes, const std::string& source) {
  TextScanner text(bytes, source);
  TriangleMesh mesh;
  std::vector<int> corners;
  while (!text.atEnd()) {
    const std::string_view keyword = text.word();
    if (keyword == "v")
      mesh.vertices.push_back(readVertex(text));
    else if (keyword == "f")
      readFace(text, mesh, corners);
    text.skipLine();  // colours, normals, textures, groups: nothing that has a shape
  }
  return mesh;
}

}  // namespace footfall
