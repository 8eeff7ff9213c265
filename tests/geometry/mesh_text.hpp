#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "footfall/base/error.hpp"
#include "footfall/geometry/triangle_mesh.hpp"

namespace footfall {

/// A file in a folder of its own that is removed with it.
class MeshFile {
 public:
  MeshFile(const std::string& name, const std::string& bytes) {
    std::string folder = (std::filesystem::temp_directory_path() / "footfall_mesh_XXXXXX").string();
    folder_ = mkdtemp(folder.data());
    path_ = folder_ / name;
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~MeshFile() { std::filesystem::remove_all(folder_); }
  MeshFile(const MeshFile&) = delete;
  MeshFile& operator=(const MeshFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path folder_, path_;
};

inline TriangleMesh readBytesAs(const std::string& name, const std::string& bytes,
                                const Vector3d& scale = Vector3d::Ones(), const MeshLimits& limits = {}) {
  return readMesh(MeshFile(name, bytes).path(), scale, limits);
}

/// What the error about a file says; empty when it is read without one.
inline std::string problemWith(const std::string& name, const std::string& bytes, const MeshLimits& limits = {}) {
  try {
    readBytesAs(name, bytes, Vector3d::Ones(), limits);
  } catch (const Error& error) {
    return error.where().find(name) == std::string::npos ? "the error does not name the file" : error.what();
  }
  return "";
}

}  // namespace footfall
