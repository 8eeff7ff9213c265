#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "geometry/mesh_text.hpp"
#include "tools/random_seed.hpp"

namespace footfall {
namespace {

/// A triangle (0,0,0), (1,0,0), (0,2,0) whose corners also carry normals, drawn by `primitive`, shown by `nodes`.
std::string collada(const std::string& primitive, const std::string& nodes, const std::string& asset = "") {
  return fmt::format(R"(<?xml version="1.0"?>
<COLLADA version="1.4.1">
  <asset>{}</asset>
  <library_geometries><geometry id="shape"><mesh>
    <source id="positions"><float_array id="numbers" count="12">0 0 0  1 0 0
      0 2 0  1 2 0</float_array>
      <technique_common><accessor source="#numbers" count="4" stride="3"/></technique_common></source>
    <vertices id="corners"><input semantic="POSITION" source="#positions"/></vertices>
    {}
  </mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id="scene">{}</visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#scene"/></scene>
</COLLADA>)",
                     asset, primitive, nodes);
}

const std::string kInputs = R"(<input semantic="VERTEX" source="#corners" offset="0"/>
    <input semantic="NORMAL" source="#normals" offset="1"/>)";
const std::string kTriangle = "<triangles count='1'>" + kInputs + "<p>0 9 1 9 2 9</p></triangles>";
const std::string kInstance = "<instance_geometry url='#shape'/>";

std::vector<Vector3d> cornersOf(const TriangleMesh& mesh, int triangle = 0) {
  std::vector<Vector3d> corners;
  for (int corner : mesh.triangles.at(triangle)) corners.push_back(mesh.vertices.at(corner));
  return corners;
}

void expectNear(const std::vector<Vector3d>& found, const std::vector<Vector3d>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_LT((found[i] - expected[i]).norm(), 1e-14) << found[i].transpose();
}

TEST(Collada, TrianglesAreRead) {
  const TriangleMesh mesh = readBytesAs("a.dae", collada(kTriangle, "<node>" + kInstance + "</node>"));
  ASSERT_EQ(mesh.triangles.size(), 1u);
  expectNear(cornersOf(mesh), {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}});
}

TEST(Collada, PolylistsPolygonsFansAndStripsAreRead) {
  const std::string node = "<node>" + kInstance + "</node>";
  const std::string quad = "<p>0 9 1 9 3 9 2 9</p>";
  for (const std::string& primitive : {"<polylist count='1'>" + kInputs + "<vcount>4</vcount>" + quad + "</polylist>",
                                       "<polygons count='1'>" + kInputs + quad + "</polygons>",
                                       "<trifans count='1'>" + kInputs + quad + "</trifans>"}) {
    const TriangleMesh mesh = readBytesAs("a.dae", collada(primitive, node));
    ASSERT_EQ(mesh.triangles.size(), 2u) << primitive;
    expectNear(cornersOf(mesh, 1), {{0, 0, 0}, {1, 2, 0}, {0, 2, 0}});
  }
  const TriangleMesh strip =
      readBytesAs("a.dae", collada("<tristrips count='1'>" + kInputs + "<p>0 9 1 9 2 9 3 9</p></tristrips>", node));
  ASSERT_EQ(strip.triangles.size(), 2u);
  expectNear(cornersOf(strip, 1), {{1, 0, 0}, {0, 2, 0}, {1, 2, 0}});
}

TEST(Collada, LinesHaveNoSurface) {
  const std::string lines = "<lines count='1'>" + kInputs + "<p>0 9 1 9</p></lines>";
  EXPECT_EQ(readBytesAs("a.dae", collada(lines + kTriangle, "<node>" + kInstance + "</node>")).triangles.size(), 1u);
}

TEST(Collada, NodesMoveWhatIsInsideThemOuterOnesLast) {
  const std::string nodes = "<node><translate>10 0 0</translate><rotate>0 0 2 90</rotate><node><scale>3 1 1</scale>" +
                            kInstance + "</node></node>";
  expectNear(cornersOf(readBytesAs("a.dae", collada(kTriangle, nodes))), {{10, 0, 0}, {10, 3, 0}, {8, 0, 0}});
}

TEST(Collada, MatricesAreReadRowByRow) {
  const std::string nodes = "<node><matrix>0 -1 0 5  1 0 0 6  0 0 1 7  0 0 0 1</matrix>" + kInstance + "</node>";
  expectNear(cornersOf(readBytesAs("a.dae", collada(kTriangle, nodes))), {{5, 6, 7}, {5, 7, 7}, {3, 6, 7}});
}

TEST(Collada, OneGeometryMayBeShownSeveralTimes) {
  const std::string nodes = "<node>" + kInstance + "</node><node><translate>0 0 1</translate>" + kInstance + "</node>";
  const TriangleMesh mesh = readBytesAs("a.dae", collada(kTriangle, nodes));
  ASSERT_EQ(mesh.triangles.size(), 2u);
  expectNear(cornersOf(mesh, 1), {{0, 0, 1}, {1, 0, 1}, {0, 2, 1}});
}

TEST(Collada, TheUnitIsApplied) {
  const std::string nodes = "<node><translate>0 0 1</translate>" + kInstance + "</node>";
  expectNear(cornersOf(readBytesAs("a.dae", collada(kTriangle, nodes, "<unit name='mm' meter='0.001'/>"))),
             {{0, 0, 0.001}, {0.001, 0, 0.001}, {0, 0.002, 0.001}});
}

TEST(Collada, TheUpAxisIsNotAppliedAsInTheLoadersOfRos) {
  for (const char* axis : {"X_UP", "Y_UP", "Z_UP"})
    expectNear(cornersOf(readBytesAs("a.dae", collada(kTriangle, "<node>" + kInstance + "</node>",
                                                      fmt::format("<up_axis>{}</up_axis>", axis)))),
               {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}});
}

TEST(Collada, ErrorsSayLineElementAndReason) {
  const std::string node = "<node>" + kInstance + "</node>";
  const auto problem = [](const std::string& primitive, const std::string& nodes, const std::string& asset = "") {
    return problemWith("a.dae", collada(primitive, nodes, asset));
  };
  const auto contains = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  EXPECT_PRED2(contains, problem(kTriangle, "<node><instance_geometry url='#none'/></node>"),
               "no <geometry> of that id");
  EXPECT_PRED2(contains, problem("<triangles>" + kInputs + "<p>0 9 1 9 4 9</p></triangles>", node), "vertex 4 of 4");
  EXPECT_PRED2(contains, problem("<triangles>" + kInputs + "<p>0 9 1 9</p></triangles>", node),
               "ends inside a polygon");
  EXPECT_PRED2(contains, problem("<triangles>" + kInputs + "<p>0 9 1 9 x 9</p></triangles>", node),
               "expected an integer");
  EXPECT_PRED2(contains, problem("<triangles><p>0 1 2</p></triangles>", node), "no input for its vertices");
  EXPECT_PRED2(contains, problem(kTriangle, "<node id='n'><instance_node url='#n'/></node>"), "deep in each other");
  EXPECT_PRED2(contains, problem(kTriangle, "<node><skew>1 2 3 4 5 6 7</skew></node>"), "not read");
  EXPECT_PRED2(contains, problem(kTriangle, "<node><matrix>1 2 3</matrix></node>"), "ends where a number");
  EXPECT_PRED2(contains, problem(kTriangle, node, "<unit meter='-1'/>"), "not positive");
  EXPECT_PRED2(contains, problem(kTriangle, ""), "no triangles");
  EXPECT_PRED2(contains, problemWith("a.dae", "<robot/>"), "not a COLLADA file");
}

TEST(Collada, TruncationIsAnError) {
  const std::string whole = collada(kTriangle, "<node>" + kInstance + "</node>");
  for (std::size_t size = 0; size + 1 < whole.size(); size += 7)
    EXPECT_NE(problemWith("a.dae", whole.substr(0, size)), "") << size;
}

TEST(Collada, DamagedFilesNeverCrash) {
  const std::string whole = collada(kTriangle, "<node>" + kInstance + "</node>");
  std::mt19937 engine(randomSeed(43));
  for (int trial = 0; trial < 200; ++trial) {
    std::string damaged = whole;
    for (int i = 0; i < 3; ++i) damaged[engine() % damaged.size()] = static_cast<char>(engine() % 96 + 32);
    EXPECT_NE(problemWith("a.dae", damaged), "the error does not name the file");
  }
}

}  // namespace
}  // namespace footfall
