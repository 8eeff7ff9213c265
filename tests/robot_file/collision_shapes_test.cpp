#include "footfall/robot_file/collision_shapes.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <sstream>

#include "tools/test_tools.hpp"

namespace footfall {
namespace {

std::string collision(const std::string& geometry, const std::string& origin = "") {
  return "<collision>" + origin + "<geometry>" + geometry + "</geometry></collision>";
}

/// A robot of one link with these parts in it.
LoadedModel bodyWith(const std::string& parts, const std::string& source = "body.urdf") {
  return parseUrdf(robot("<link name='body'>" + inertial() + parts + "</link>"), source);
}

TEST(CollisionShapes, AreThePrimitivesOfTheFile) {
  const auto shapes = collisionShapes(
      bodyWith(collision("<box size='0.1 0.2 0.3'/>") + collision("<sphere radius='0.4'/>") +
               collision("<cylinder radius='0.5' length='0.6'/>") + collision("<capsule radius='0.7' length='0.8'/>") +
               "<visual><geometry><sphere radius='9'/></geometry></visual>"));
  ASSERT_EQ(shapes.size(), 4u) << "what is only seen is no contact shape";
  EXPECT_EQ(shapes[0].shape.kind, ShapeKind::box);
  EXPECT_EQ(shapes[0].shape.half_size, Vector3d(0.05, 0.1, 0.15));
  EXPECT_EQ(shapes[1].shape.kind, ShapeKind::sphere);
  EXPECT_EQ(shapes[1].shape.radius, 0.4);
  EXPECT_EQ(shapes[2].shape.kind, ShapeKind::cylinder);
  EXPECT_EQ(shapes[2].shape.radius, 0.5);
  EXPECT_EQ(shapes[2].shape.half_length, 0.3);
  EXPECT_EQ(shapes[3].shape.kind, ShapeKind::capsule);
  EXPECT_EQ(shapes[3].shape.half_length, 0.4);
}

TEST(CollisionShapes, OfLumpedLinksAreInTheFrameOfTheLinkThatCarriesThem) {
  // The tip hangs fixed on the arm, 1 m above it and turned by 90° about z; its shape lies 0.5 m along its x.
  const std::string tip = "<link name='tip'>" + inertial() +
                          collision("<sphere radius='0.1'/>", "<origin xyz='0.5 0 0' rpy='0 0 0.25'/>") + "</link>";
  const std::string fixed =
      "<joint name='fix' type='fixed'><parent link='arm'/><child link='tip'/>"
      "<origin xyz='0 0 1' rpy='0 0 1.5707963267948966'/></joint>";
  const LoadedModel loaded = parseUrdf(
      robot(link("base") + link("arm") + tip + joint("hinge", "continuous", "base", "arm") + fixed), "r.urdf");
  const auto shapes = collisionShapes(loaded);
  ASSERT_EQ(shapes.size(), 1u);
  EXPECT_EQ(shapes[0].link, loaded.model.link("arm"));
  EXPECT_EQ(shapes[0].frame, loaded.model.frame("tip"));
  EXPECT_LT((shapes[0].shape.X_LS.p - Vector3d(0.0, 0.5, 1.0)).norm(), 1e-15);
  EXPECT_LT((shapes[0].shape.X_LS.R.col(0) - Vector3d(-std::sin(0.25), std::cos(0.25), 0.0)).norm(), 1e-15);
  EXPECT_LT((shapes[0].shape.bound.centre - Vector3d(0.0, 0.5, 1.0)).norm(), 1e-15);
}

TEST(CollisionShapes, OfAMeshAreItsScaledHull) {
  TempFolder folder;
  folder.write("cube.obj",
               "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\nv 0.5 0.5 0.5\n"
               "f 1 2 3\nf 4 5 6\nf 7 8 9\n");
  const auto shapes = collisionShapes(
      bodyWith(collision("<mesh filename='cube.obj' scale='0.1 0.2 -0.3'/>"), (folder.path() / "r.urdf").string()));
  ASSERT_EQ(shapes.size(), 1u);
  const Shape& hull = shapes[0].shape;
  EXPECT_EQ(hull.kind, ShapeKind::hull);
  EXPECT_EQ(hull.vertices.size(), 8u);
  EXPECT_EQ(shapes[0].mesh.outside, 0.0);
  for (const Vector3d& vertex : hull.vertices)
    EXPECT_TRUE((vertex.x() == 0.0 || vertex.x() == 0.1) && (vertex.y() == 0.0 || vertex.y() == 0.2) &&
                (vertex.z() == 0.0 || vertex.z() == -0.3));
}

/// A box as twelve triangles that are seen from outside; `first` is the number of vertices before it.
std::string boxObj(const Vector3d& low, const Vector3d& high, int first) {
  std::ostringstream text;
  for (int k = 0; k < 8; ++k)
    text << "v " << (k & 1 ? high : low).x() << ' ' << (k & 2 ? high : low).y() << ' ' << (k & 4 ? high : low).z()
         << '\n';
  for (const std::array<int, 4>& face : std::initializer_list<std::array<int, 4>>{
           {0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}) {
    text << 'f';
    for (const int corner : face) text << ' ' << first + corner + 1;
    text << '\n';
  }
  return text.str();
}

TEST(CollisionShapes, OfAMeshSayHowMuchOfTheHullItFills) {
  TempFolder folder;
  // Two boxes of 1 m³ side by side with 2 m between them: their hull holds 4 m³.
  folder.write("gap.obj", boxObj({0, 0, 0}, {1, 1, 1}, 0) + boxObj({3, 0, 0}, {4, 1, 1}, 8));
  folder.write("box.obj", boxObj({0, 0, 0}, {1, 1, 1}, 0));
  folder.write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n");
  const auto fitOf = [&](const std::string& file) {
    return collisionShapes(
               bodyWith(collision("<mesh filename='" + file + "'/>"), (folder.path() / "r.urdf").string()))[0]
        .mesh;
  };
  EXPECT_NEAR(fitOf("gap.obj").filled, 0.5, 1e-12);
  EXPECT_NEAR(fitOf("box.obj").filled, 1.0, 1e-12);
  EXPECT_EQ(fitOf("open.obj").filled, 1.0) << "a surface that encloses nothing has no volume";
  EXPECT_TRUE(fitOf("box.obj").is_mesh);
}

TEST(CollisionShapes, WithFewerVerticesReportTheirError) {
  TempFolder folder;
  std::string circle;
  for (int i = 0; i < 100; ++i) {
    const double angle = i * M_PI / 50;
    circle += "v " + std::to_string(std::cos(angle)) + " " + std::to_string(std::sin(angle)) + " 0\n";
  }
  folder.write("disc.obj", circle + "v 0 0 1\nf 1 2 3\n");
  const LoadedModel loaded = bodyWith(collision("<mesh filename='disc.obj'/>"), (folder.path() / "r.urdf").string());
  const auto shapes = collisionShapes(loaded, {.max_vertices = 9, .tolerance = 0.0});
  EXPECT_EQ(shapes[0].shape.vertices.size(), 9u);
  // Eight corners of a disc: between the best (45° apart) and four of them 90° apart.
  EXPECT_GT(shapes[0].mesh.outside, 0.9 * (1.0 - std::cos(M_PI / 8)));
  EXPECT_LT(shapes[0].mesh.outside, 1.0 - std::cos(M_PI / 4));
}

TEST(CollisionShapes, ErrorsNameThePlaceInTheFile) {
  const auto problem = [](const std::string& parts) {
    return errorOf([&] { collisionShapes(bodyWith(std::string("\n").append(collision(parts)))); });
  };
  for (const char* geometry : {"<mesh filename='none.stl'/>", "<sphere radius='0'/>", "<box size='1 -1 1'/>",
                               "<cylinder radius='1' length='0'/>", "<cone radius='1'/>"})
    EXPECT_EQ(problem(geometry).where(), "body.urdf:3") << geometry;
  EXPECT_EQ(problem("<mesh filename='none.stl'/>").problem(), "link 'body': mesh 'none.stl' is not found");
  EXPECT_NE(problem("<sphere radius='0'/>").problem().find("radius is 0"), std::string::npos);
  EXPECT_NE(problem("<box size='1 1'/>").problem().find("three numbers"), std::string::npos);
  EXPECT_NE(problem("<sphere/>").problem().find("'radius' is missing"), std::string::npos);
}

TEST(CollisionShapes, ADamagedMeshIsAnErrorThatNamesRobotAndMesh) {
  TempFolder folder;
  folder.write("bad.stl", "not a mesh");
  const LoadedModel loaded = bodyWith(collision("<mesh filename='bad.stl'/>"), (folder.path() / "r.urdf").string());
  const Error error = errorOf([&] { collisionShapes(loaded); });
  EXPECT_NE(error.where().find("r.urdf:"), std::string::npos);
  EXPECT_NE(error.problem().find("bad.stl"), std::string::npos);
}

}  // namespace
}  // namespace footfall
