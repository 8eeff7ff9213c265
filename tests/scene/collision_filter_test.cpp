// Which links of a scene touch each other, and which do not and why.

#include "footfall/scene/internal/collision_filter.hpp"

#include <gtest/gtest.h>

#include <map>

#include "footfall/scene/internal/scene_setup.hpp"
#include "tools/test_tools.hpp"

namespace footfall {
namespace {

std::string ball(const std::string& name, const std::string& radius = "0.3") {
  return "<link name='" + name + "'>" + inertial() + "<collision><geometry><sphere radius='" + radius +
         "'/></geometry></collision></link>";
}

/// Four balls on hinges, 1 m above each other; a hand without shapes is fixed to the last one.
std::string tower() {
  return robot(ball("a") + ball("b") + ball("c") + ball("d") + link("hand") + joint("ab", "continuous", "a", "b") +
               joint("bc", "continuous", "b", "c") + joint("cd", "continuous", "c", "d") +
               joint("dh", "fixed", "d", "hand"));
}

class CollisionFilter : public testing::Test {
 protected:
  /// Reasons by "a - b" for what the section says.
  std::map<std::string, Apart> apart(const std::string& collisions, const std::string& more = "") {
    folder_.write("robot.urdf", tower());
    const auto path = folder_.write(
        "scene.yaml",
        "robot: {model: robot.urdf, base: {position: [0, 0, 1]}}\ncollisions: " + collisions + "\n" + more);
    const Scene scene = loadScene(path.string());
    warnings_.clear();
    const Model model = buildModel(scene, warnings_);
    std::vector<std::string> again;
    std::map<std::string, Apart> found;
    for (const ApartShapes& pair : apartShapes(scene, model, again)) {
      const auto nameOf = [&](int shape) { return model.frames[model.shapes[shape].frame].name; };
      found[nameOf(pair.shapes.a) + " - " + nameOf(pair.shapes.b)] = pair.why;
      EXPECT_TRUE(std::binary_search(model.untouched_pairs.begin(), model.untouched_pairs.end(), pair.shapes));
    }
    EXPECT_EQ(found.size(), model.untouched_pairs.size());
    return found;
  }

  TempFolder folder_;
  std::vector<std::string> warnings_;
};

using Reasons = std::map<std::string, Apart>;
const Reasons kNeighbours = {{"a - b", Apart::neighbours}, {"b - c", Apart::neighbours}, {"c - d", Apart::neighbours}};

TEST_F(CollisionFilter, NeighboursDoNotTouch) { EXPECT_EQ(apart("{self: true}"), kNeighbours); }

TEST_F(CollisionFilter, LinksOfOneRobotTouchOnlyWhereThatIsAskedFor) {
  Reasons expected = kNeighbours;
  for (const char* pair : {"a - c", "a - d", "b - d"}) expected[pair] = Apart::one_robot;
  EXPECT_EQ(apart("{self: false}", "bodies: [{name: stone, shape: sphere, radius: 0.1, position: [3, 0, 1]}]"),
            expected);
}

TEST_F(CollisionFilter, ExcludedAndUnlistedPairsSayWhich) {
  Reasons expected = kNeighbours;
  expected["a - c"] = Apart::excluded;
  EXPECT_EQ(apart("{self: true, exclude: [[c, a]]}"), expected);
  expected["a - c"] = expected["b - d"] = Apart::not_listed;
  EXPECT_EQ(apart("{self: true, only: [[a, d]]}"), expected);
}

TEST_F(CollisionFilter, PairsOfAnSrdfFileDoNotTouch) {
  folder_.write("pairs.srdf",
                "<robot name='r'><disable_collisions link1='d' link2='a' reason='Never'/>"
                "<disable_collisions link1='a' link2='hand'/><disable_collisions link1='a' link2='tail'/></robot>");
  Reasons expected = kNeighbours;
  expected["a - d"] = Apart::disabled_by_srdf;
  EXPECT_EQ(apart("{self: true, srdf: pairs.srdf}"), expected);
  ASSERT_EQ(warnings_.size(), 1u);  // the hand has no shapes, and the robot has no tail
  EXPECT_NE(warnings_[0].find("no links tail"), std::string::npos) << warnings_[0];
}

TEST_F(CollisionFilter, OfSeveralRobotsIsThatOfEach) {
  // `low` and `high` touch in the zero posture, a link lies between them.
  folder_.write("close.urdf",
                robot(ball("low") + link("rod") + ball("high", "1.8") + joint("lr", "continuous", "low", "rod") +
                      joint("rh", "continuous", "rod", "high")));
  const Reasons found = apart("{self: true}",
                              "bodies:\n"
                              "  - {name: one, model: close.urdf, position: [5, 0, 1]}\n"
                              "  - {name: two, model: close.urdf, position: [10, 0, 1]}\n"
                              "  - {name: stone, shape: sphere, radius: 0.1, position: [15, 0, 1]}\n");
  Reasons expected = kNeighbours;
  expected["one/low - one/high"] = expected["two/low - two/high"] = Apart::touching_at_zero;
  EXPECT_EQ(found, expected);
}

TEST_F(CollisionFilter, AMissingSrdfFileIsNamed) {
  const Error error = errorOf([&] { apart("{self: true, srdf: nowhere.srdf}"); });
  EXPECT_EQ(error.problem(), "collisions.srdf: there is no file 'nowhere.srdf'");
  EXPECT_NE(error.where().find("scene.yaml:2"), std::string::npos);
}

}  // namespace
}  // namespace footfall
