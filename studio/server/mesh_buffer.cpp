#include "studio/server/mesh_buffer.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <unordered_map>

namespace footfall::studio {
namespace {

using Key = std::uint64_t;
using Quantized = std::array<std::uint16_t, 3>;

constexpr double kSharp = 0.766;  ///< cosine of 40°

struct Grid {
  Vector3d low = Vector3d::Zero(), size = Vector3d::Ones();

  explicit Grid(const TriangleMesh& mesh) {
    if (mesh.vertices.empty()) return;
    Vector3d high = mesh.vertices[0];
    low = high;
    for (const Vector3d& v : mesh.vertices) {
      low = low.cwiseMin(v);
      high = high.cwiseMax(v);
    }
    size = (high - low).cwiseMax(1e-9);
  }
  Quantized at(const Vector3d& p) const {
    const Vector3d unit = (p - low).cwiseQuotient(size) * 65535.0;
    return {static_cast<std::uint16_t>(std::lround(unit.x())), static_cast<std::uint16_t>(std::lround(unit.y())),
            static_cast<std::uint16_t>(std::lround(unit.z()))};
  }
};

Key keyOf(const Quantized& q) { return Key{q[0]} | Key{q[1]} << 16 | Key{q[2]} << 32; }

std::uint32_t packNormal(const Vector3d& n) {
  std::array<std::int8_t, 4> bytes{};
  for (int i = 0; i < 3; ++i) bytes[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(std::lround(n[i] * 127.0));
  std::uint32_t packed;
  std::memcpy(&packed, bytes.data(), sizeof packed);
  return packed;
}

template <class T>
void put(std::string& out, const T* values, std::size_t count) {
  out.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

/// Corners at one place with one normal become one vertex.
class Welder {
 public:
  explicit Welder(const TriangleMesh& mesh) : mesh_(mesh), grid_(mesh) {
    places_.reserve(mesh.vertices.size());
    for (const Vector3d& v : mesh.vertices) places_.push_back(grid_.at(v));
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      const auto& [a, b, c] = mesh.triangles[t];
      const Vector3d area = (vertex(b) - vertex(a)).cross(vertex(c) - vertex(a));
      areas_.push_back(area);
      directions_.push_back(area.stableNormalized());
      for (const int corner : mesh.triangles[t]) around_[keyOf(place(corner))].push_back(t);
    }
  }

  std::string buffer() {
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t)
      for (const int corner : mesh_.triangles[t]) indices_.push_back(weld(place(corner), normalAt(corner, t)));
    return pack();
  }

 private:
  const Vector3d& vertex(int i) const { return mesh_.vertices[static_cast<std::size_t>(i)]; }
  const Quantized& place(int i) const { return places_[static_cast<std::size_t>(i)]; }

  /// Mean of the faces around a corner that are not bent away from its own.
  Vector3d normalAt(int corner, std::size_t triangle) const {
    Vector3d sum = Vector3d::Zero();
    for (const std::size_t other : around_.at(keyOf(place(corner))))
      if (directions_[other].dot(directions_[triangle]) > kSharp) sum += areas_[other];
    return sum.isZero(0.0) ? directions_[triangle] : Vector3d(sum.stableNormalized());
  }

  std::uint32_t weld(const Quantized& q, const Vector3d& normal) {
    const std::uint32_t packed = packNormal(normal);
    const Key key = keyOf(q) * 0x9E3779B97F4A7C15u ^ packed;
    const auto [found, inserted] = welded_.try_emplace(key, static_cast<std::uint32_t>(normals_.size()));
    if (inserted) {
      positions_.insert(positions_.end(), q.begin(), q.end());
      normals_.push_back(packed);
    }
    return found->second;
  }

  std::string pack() {
    const std::uint32_t header[2] = {static_cast<std::uint32_t>(normals_.size()),
                                     static_cast<std::uint32_t>(mesh_.triangles.size())};
    const Eigen::Vector3f low = grid_.low.cast<float>(), size = grid_.size.cast<float>();
    if (positions_.size() % 2 != 0) positions_.push_back(0);
    std::string out;
    put(out, header, 2);
    put(out, low.data(), 3);
    put(out, size.data(), 3);
    put(out, positions_.data(), positions_.size());
    put(out, normals_.data(), normals_.size());
    put(out, indices_.data(), indices_.size());
    return out;
  }

  const TriangleMesh& mesh_;
  Grid grid_;
  std::vector<Quantized> places_;                             ///< of the vertices
  std::vector<Vector3d> areas_, directions_;                  ///< of the triangles
  std::unordered_map<Key, std::vector<std::size_t>> around_;  ///< triangles around a place
  std::unordered_map<Key, std::uint32_t> welded_;
  std::vector<std::uint16_t> positions_;
  std::vector<std::uint32_t> normals_, indices_;
};

}  // namespace

std::string meshBuffer(const TriangleMesh& mesh) { return Welder(mesh).buffer(); }

}  // namespace footfall::studio
