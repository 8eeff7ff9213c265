#include <fmt/format.h>

#include <cstdint>
#include <cstring>

#include "geometry/mesh_formats.hpp"
#include "geometry/text_scanner.hpp"

namespace footfall {
namespace {

// A binary file: 80 bytes of anything, the number of triangles, then for each a normal, three corners and two bytes.
constexpr std::size_t kHeader = 80, kStart = 84, kTriangle = 50, kNormal = 12;

void addTriangle(const std::array<Vector3d, 3>& corners, TriangleMesh& mesh) {
  const int first = static_cast<int>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), corners.begin(), corners.end());
  mesh.triangles.push_back({first, first + 1, first + 2});
}

std::uint32_t littleEndian(const char* bytes) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

double floatAt(const char* bytes) {
  const std::uint32_t bits = littleEndian(bytes);
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

Vector3d vectorAt(const char* bytes) { return {floatAt(bytes), floatAt(bytes + 4), floatAt(bytes + 8)}; }

std::size_t binarySize(std::string_view bytes) { return kStart + kTriangle * littleEndian(bytes.data() + kHeader); }

/// Files that begin with "solid" may be binary all the same: only the size tells.
bool isText(std::string_view bytes) {
  if (bytes.substr(0, 5) != "solid") return false;
  return bytes.size() < kStart || binarySize(bytes) != bytes.size();
}

TriangleMesh parseBinary(std::string_view bytes, const std::string& source) {
  if (bytes.size() < kStart)
    throw Error(source, fmt::format("{} bytes are too few for an STL file", bytes.size()), "is the file complete?");
  if (bytes.size() < binarySize(bytes))
    throw Error(source,
                fmt::format("its header announces {} triangles, which need {} bytes, but it has {}",
                            littleEndian(bytes.data() + kHeader), binarySize(bytes), bytes.size()),
                "is the file complete, and an STL file?");
  TriangleMesh mesh;
  const std::size_t count = littleEndian(bytes.data() + kHeader);
  mesh.vertices.reserve(3 * count);
  mesh.triangles.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const char* corner = bytes.data() + kStart + i * kTriangle + kNormal;
    addTriangle({vectorAt(corner), vectorAt(corner + 12), vectorAt(corner + 24)}, mesh);
  }
  return mesh;
}

void expectWord(TextScanner& text, std::string_view expected) {
  const std::string_view found = text.word();
  if (found == expected) return;
  throw text.error(found.empty() ? fmt::format("the file ends where '{}' is expected", expected)
                                 : fmt::format("found something else where '{}' is expected", expected));
}

Vector3d readCorner(TextScanner& text) {
  expectWord(text, "vertex");
  Vector3d corner;
  for (double& component : corner) component = text.number();
  return corner;
}

TriangleMesh parseText(std::string_view bytes, const std::string& source) {
  TextScanner text(bytes, source);
  TriangleMesh mesh;
  expectWord(text, "solid");
  text.skipLine();  // the rest of the line is a name
  while (true) {
    const std::string_view word = text.word();
    if (word == "facet") {
      text.skipLine();  // the normal follows from the corners
      expectWord(text, "outer");
      expectWord(text, "loop");
      std::array<Vector3d, 3> corners;
      for (Vector3d& corner : corners) corner = readCorner(text);
      addTriangle(corners, mesh);
      expectWord(text, "endloop");
      expectWord(text, "endfacet");
    } else if (word == "endsolid") {
      text.skipLine();
      if (text.atEnd()) return mesh;
      expectWord(text, "solid");  // several solids in one file
      text.skipLine();
    } else {
      throw text.error(word.empty() ? "the file ends before 'endsolid'" : "expected 'facet' or 'endsolid'");
    }
  }
}

}  // namespace

TriangleMesh parseStl(std::string_view bytes, const std::string& source) {
  return isText(bytes) ? parseText(bytes, source) : parseBinary(bytes, source);
}

}  // namespace footfall
