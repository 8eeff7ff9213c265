// STL and OBJ files: whole, damaged and not what they claim to be.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <random>

#include "geometry/mesh_text.hpp"
#include "model/error_of.hpp"
#include "tools/random_seed.hpp"

namespace footfall {
namespace {

using Triangle = std::array<Vector3d, 3>;

const std::vector<Triangle> kTriangles = {{Vector3d(0, 0, 0), Vector3d(1, 0, 0), Vector3d(0, 2, 0)},
                                          {Vector3d(0, 0, 0), Vector3d(0, 2, 0), Vector3d(0, 0, -3.5)}};

template <class T>
std::string bytesOf(T value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

std::string binaryStl(const std::vector<Triangle>& triangles, const std::string& title = "made by a test") {
  std::string bytes = title + std::string(80 - title.size(), ' ');
  bytes += bytesOf(static_cast<std::uint32_t>(triangles.size()));
  for (const Triangle& triangle : triangles) {
    bytes += std::string(12, '\0');
    for (const Vector3d& corner : triangle)
      for (double x : corner) bytes += bytesOf(static_cast<float>(x));
    bytes += std::string(2, '\0');
  }
  return bytes;
}

const std::string kTextStl = R"(solid made by a test
  facet normal 0 0 1
    outer loop
      vertex 0 0 0
      vertex 1.0e0 0 0
      vertex 0 +2 1e-400
    endloop
  endfacet
  facet normal -1 0 0
    outer loop
      vertex 0 0 0
      vertex 0 2 0
      vertex 0 0 -3.5
    endloop
  endfacet
endsolid made by a test
)";

const std::string kObj = R"(# made by a test
mtllib none.mtl
o thing
v 0 0 0
v 1 0 0 0.5 0.5 0.5
v 0 2 0
v 0 0 -3.5
vn 0 0 1
f 1//1 2//1 3//1
usemtl none
f 1/1 -2 4
)";

void expectTheTwoTriangles(const TriangleMesh& mesh) {
  ASSERT_EQ(mesh.triangles.size(), 2u);
  for (int t = 0; t < 2; ++t)
    for (int i = 0; i < 3; ++i) EXPECT_EQ(mesh.vertices[mesh.triangles[t][i]], kTriangles[t][i]);
}

TEST(MeshFile, BinaryStlIsRead) { expectTheTwoTriangles(readBytesAs("a.stl", binaryStl(kTriangles))); }

TEST(MeshFile, BinaryStlThatBeginsLikeTextIsReadAsBinary) {
  expectTheTwoTriangles(readBytesAs("a.STL", binaryStl(kTriangles, "solid exported by a careless program")));
}

TEST(MeshFile, TextStlIsRead) { expectTheTwoTriangles(readBytesAs("a.stl", kTextStl)); }

TEST(MeshFile, TextStlWithSeveralSolidsIsReadWhole) {
  EXPECT_EQ(readBytesAs("a.stl", kTextStl + kTextStl).triangles.size(), 4u);
}

TEST(MeshFile, ObjIsReadWithTexturesNormalsAndNegativeNumbers) { expectTheTwoTriangles(readBytesAs("a.obj", kObj)); }

TEST(MeshFile, ObjPolygonsBecomeFans) {
  const TriangleMesh mesh = readBytesAs("a.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
  EXPECT_EQ(mesh.triangles, (std::vector<std::array<int, 3>>{{0, 1, 2}, {0, 2, 3}}));
}

TEST(MeshFile, ScaleAppliesToEachAxis) {
  const TriangleMesh mesh = readBytesAs("a.obj", kObj, {0.001, -1.0, 2.0});
  EXPECT_EQ(mesh.vertices[1], Vector3d(0.001, 0, 0));
  EXPECT_EQ(mesh.vertices[2], Vector3d(0, -2, 0));
  EXPECT_EQ(mesh.vertices[3], Vector3d(0, 0, -7));
}

TEST(MeshFile, TruncationIsAnErrorThatNamesTheFile) {
  const std::string binary = binaryStl(kTriangles);
  for (std::size_t size = 0; size < binary.size(); size += 3)
    EXPECT_NE(problemWith("cut.stl", binary.substr(0, size)).find("cut.stl"), std::string::npos) << size;
  const std::size_t end = kTextStl.find("endsolid");
  for (std::size_t size = 0; size < end; size += 3)
    EXPECT_NE(problemWith("cut.stl", kTextStl.substr(0, size)).find("cut.stl"), std::string::npos) << size;
}

TEST(MeshFile, GarbageIsAnErrorAndNeverACrash) {
  std::mt19937 engine(randomSeed(41));
  for (const char* name : {"a.stl", "a.obj", "a.dae"}) {
    for (int trial = 0; trial < 50; ++trial) {
      std::string bytes(engine() % 400, '\0');
      for (char& byte : bytes) byte = static_cast<char>(engine());
      EXPECT_NE(problemWith(name, bytes), "") << name;
    }
  }
}

TEST(MeshFile, DamagedTextIsAnErrorOrAnotherMeshButNeverACrash) {
  std::mt19937 engine(randomSeed(42));
  for (const auto& [name, text] : {std::pair<const char*, const std::string&>{"a.stl", kTextStl}, {"a.obj", kObj}}) {
    for (int trial = 0; trial < 200; ++trial) {
      std::string damaged = text;
      for (int i = 0; i < 3; ++i) damaged[engine() % damaged.size()] = static_cast<char>(engine());
      EXPECT_NE(problemWith(name, damaged), "the error does not name the file");
    }
  }
}

TEST(MeshFile, ErrorsSayLineAndReason) {
  EXPECT_NE(problemWith("a.obj", "v 0 0 0\nv 1 zero 0\n").find("a.obj:2: found 'zero', expected a finite number"),
            std::string::npos);
  EXPECT_NE(problemWith("a.obj", "v 0 0 0\nf 1 2 3\n").find("a.obj:2: a face names vertex 2, but 1 vertices"),
            std::string::npos);
  EXPECT_NE(problemWith("a.obj", "v 0 0 0\nf 1 1\n").find("2 corners"), std::string::npos);
  EXPECT_NE(problemWith("a.obj", "v 0 0 0\n").find("no triangles"), std::string::npos);
  EXPECT_NE(problemWith("a.obj", "v nan 0 0\n").find("finite"), std::string::npos);
  EXPECT_NE(
      problemWith("a.stl", binaryStl({{Vector3d(0, 0, 0), Vector3d(NAN, 0, 0), Vector3d(0, 1, 0)}})).find("finite"),
      std::string::npos);
  EXPECT_NE(problemWith("a.stl", binaryStl(kTriangles).substr(0, 150)).find("announces 2 triangles"),
            std::string::npos);
  EXPECT_NE(problemWith("a.ply", "ply").find("expected .stl, .obj or .dae"), std::string::npos);
}

TEST(MeshFile, LimitsAreKept) {
  EXPECT_NE(problemWith("a.obj", kObj, {.bytes = 10}).find("more than the 10 allowed"), std::string::npos);
  EXPECT_NE(problemWith("a.obj", kObj, {.triangles = 1}).find("2 triangles, more than the 1"), std::string::npos);
}

TEST(MeshFile, MissingFilesAndFoldersAreErrors) {
  expectError("/nonexistent/mesh.stl: cannot be read", [] { readMesh("/nonexistent/mesh.stl"); });
  expectError("is a folder, expected a mesh file", [] { readMesh(std::filesystem::temp_directory_path()); });
}

}  // namespace
}  // namespace footfall
