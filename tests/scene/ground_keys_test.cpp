// The section `ground` of a scene: what is read, and every way in which it can be wrong.

#include <cmath>

#include "footfall/scene/scene.hpp"
#include "tools/test_tools.hpp"

namespace footfall {
namespace {

constexpr double kDegree = M_PI / 180.0;

Scene parse(const std::string& ground) { return parseScene("robot: {model: box}\nground:\n" + ground, "s.yaml"); }

TEST(GroundKeys, OneSurfaceOrAListOfThem) {
  EXPECT_DOUBLE_EQ(parse("  {friction: 0.4}\n").ground.friction, 0.4);
  const Scene scene = parse(
      "  - {shape: plane, friction: 0.1}\n"
      "  - {shape: box, position: [1, 2, 3], rpy: [0, 0, 90 deg], size: [1, 50 cm, 0.1], friction: 0.2}\n"
      "  - {shape: stairs, steps: 4, rise: 16 cm, run: 29 cm, width: 2, landing: 1, restitution: 0.3}\n");
  EXPECT_DOUBLE_EQ(scene.ground.friction, 0.1);
  ASSERT_EQ(scene.more_ground.size(), 2u);
  const SceneGround& box = scene.more_ground[0];
  EXPECT_EQ(box.shape, "box");
  EXPECT_EQ(box.where, "s.yaml:4");
  EXPECT_EQ(box.position, Vector3d(1, 2, 3));
  EXPECT_EQ(box.size, Vector3d(1, 0.5, 0.1));
  EXPECT_DOUBLE_EQ(box.rpy.z(), 90.0 * kDegree);
  EXPECT_DOUBLE_EQ(box.friction, 0.2);
  const SceneGround& stairs = scene.more_ground[1];
  EXPECT_EQ(stairs.steps, 4u);
  EXPECT_DOUBLE_EQ(stairs.rise, 0.16);
  EXPECT_DOUBLE_EQ(stairs.run, 0.29);
  EXPECT_DOUBLE_EQ(stairs.width, 2.0);
  EXPECT_DOUBLE_EQ(stairs.landing, 1.0);
  EXPECT_DOUBLE_EQ(stairs.restitution, 0.3);
}

TEST(GroundKeys, HeightFieldsByFileOrFormula) {
  const SceneGround file =
      parse("  {shape: height_field, file: a.pgm, cell: 5 cm, scale: 0.3, interpolation: bilinear}\n").ground;
  EXPECT_EQ(file.file, "a.pgm");
  EXPECT_DOUBLE_EQ(file.cell, 0.05);
  EXPECT_DOUBLE_EQ(file.scale, 0.3);
  EXPECT_EQ(file.interpolation, "bilinear");
  const SceneGround formula = parse("  {shape: height_field, formula: 0.1*sin(x), extent: [2, 300 cm]}\n").ground;
  EXPECT_EQ(formula.formula, "0.1*sin(x)");
  EXPECT_DOUBLE_EQ(formula.size_x, 2.0);
  EXPECT_DOUBLE_EQ(formula.size_y, 3.0);
}

TEST(GroundKeys, MotionsAndBelts) {
  const SceneGround ground = parse(
                                 "  motion:\n"
                                 "    translate:\n"
                                 "      - {direction: [0, 0, 2], table: [[0, 0], [500 ms, 10 cm]]}\n"
                                 "      - {sine: {amplitude: 2 cm, frequency: 3 Hz, phase: 90 deg}}\n"
                                 "    rotate:\n"
                                 "      - {axis: [1, 0, 0], point: [0, 0, 1], rates: [[0 s, 0], [1 s, 6 deg/s]]}\n"
                                 "  conveyor: {direction: [0, 1, 0], speed: 3.6 km/h}\n")
                                 .ground;
  ASSERT_EQ(ground.translations.size(), 2u);
  EXPECT_EQ(ground.translations[0].direction, Vector3d(0, 0, 2));
  EXPECT_EQ(ground.translations[0].law.kind, "table");
  EXPECT_EQ(ground.translations[0].law.points.back(), std::pair(0.5, 0.1));
  EXPECT_EQ(ground.translations[1].law.kind, "sine");
  EXPECT_DOUBLE_EQ(ground.translations[1].law.amplitude, 0.02);
  EXPECT_DOUBLE_EQ(ground.translations[1].law.phase, 90.0 * kDegree);
  ASSERT_EQ(ground.rotations.size(), 1u);
  EXPECT_EQ(ground.rotations[0].point, Vector3d(0, 0, 1));
  EXPECT_EQ(ground.rotations[0].law.kind, "rates");
  EXPECT_DOUBLE_EQ(ground.rotations[0].law.points.back().second, 6.0 * kDegree);
  EXPECT_EQ(ground.conveyor.direction, Vector3d::UnitY());
  EXPECT_DOUBLE_EQ(ground.conveyor.law.speed, 1.0);
}

/// The problem of a ground that is given in the third line of a scene.
std::string problemOf(const std::string& ground) {
  const Error error = errorOf([&] { parse("  " + ground + "\n"); });
  EXPECT_EQ(error.where(), "s.yaml:3") << error.what();
  return error.problem();
}

TEST(GroundErrors, OfNumbers) {
  EXPECT_EQ(problemOf("[{friction: 1}, {friction: -0.1}]"), "ground.1.friction is -0.1, expected 0 or more");
  EXPECT_EQ(problemOf("{shape: box, size: [1, -2, 1]}"), "ground.size.1 is -2, expected more than 0");
  EXPECT_EQ(problemOf("{shape: stairs, steps: 0}"), "ground.steps is 0, expected 1 to 10000");
  EXPECT_EQ(problemOf("{shape: stairs, rise: 0 m}"), "ground.rise is 0, expected more than 0");
  EXPECT_EQ(problemOf("{shape: height_field, formula: x, extent: [1, 0]}"),
            "ground.extent.1 is 0, expected more than 0");
}

TEST(GroundErrors, OfShapes) {
  EXPECT_EQ(problemOf("{shape: bx, size: [1, 1, 1]}"), "ground.shape is 'bx', which is not one of the choices");
  EXPECT_EQ(problemOf("{shape: box}"), "ground has no 'size', which a box needs");
  EXPECT_EQ(problemOf("{size: [1, 1, 1]}"), "ground.size does not belong to the shape 'plane'");
  EXPECT_EQ(problemOf("[]"), "ground is empty, expected at least one surface");
  EXPECT_EQ(problemOf("{shape: height_field}"), "ground needs either a file or a formula");
  EXPECT_EQ(problemOf("{shape: height_field, file: a.csv}"), "ground has no 'cell', the distance of the file's nodes");
  EXPECT_EQ(problemOf("{shape: height_field, formula: x}"),
            "ground has no 'extent', the rectangle in which the formula holds");
}

TEST(GroundErrors, OfMotions) {
  EXPECT_EQ(problemOf("{motion: {translate: [{direction: [1, 0, 0]}]}}"),
            "ground.motion.translate.0 does not say how it moves");
  EXPECT_EQ(problemOf("{conveyor: {direction: [1, 0, 0]}}"), "ground.conveyor does not say how it moves");
  EXPECT_EQ(problemOf("{conveyor: {speed: 1, table: [[0, 0]]}}"), "ground.conveyor.table is given beside 'speed'");
  EXPECT_EQ(problemOf("{conveyor: {direction: [0, 0, 2], speed: 1}}"),
            "ground.conveyor runs along the normal of the plane: nothing would move");
  EXPECT_EQ(problemOf("{incline: 90 deg, conveyor: {direction: [-1, 0, 0], speed: 1}}"),
            "ground.conveyor runs along the normal of the plane: nothing would move");
  EXPECT_NO_THROW(parse("  {incline: 90 deg, conveyor: {direction: [0, 0, 1], speed: 1}}\n"));
  EXPECT_EQ(problemOf("{conveyor: {direction: [0, 0, 0], speed: 1}}"),
            "ground.conveyor.direction has no direction: all its numbers are zero");
  EXPECT_EQ(problemOf("{motion: {rotate: [{table: [[0, 0], [0, 1 deg]]}]}}"),
            "ground.motion.rotate.0.table.1.0 is 0, expected more than the 0 s of the row before");
  EXPECT_EQ(problemOf("{motion: {rotate: [{table: [[0, 0, 1]]}]}}"),
            "ground.motion.rotate.0.table.0 has 3 entries, expected [time, value]");
}

}  // namespace
}  // namespace footfall
