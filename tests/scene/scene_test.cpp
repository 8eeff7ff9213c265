// What a good scene file becomes.

#include "footfall/scene/scene.hpp"

#include <yaml-cpp/yaml.h>

#include <fstream>
#include <numbers>
#include <sstream>

#include "tools/source_dir.hpp"
#include "tools/test_tools.hpp"

namespace footfall {
namespace {

constexpr double kPi = std::numbers::pi;

TEST(Scene, ReadsEverySection) {
  const Scene scene = parseScene(R"(
robot:
  model: model://iCub/robots/iCubGazeboV2_5/model.urdf
  joints: [l_knee, r_knee]
  initial: {l_knee: -30 deg, slide: 5 cm, neck: 0.25}
  base: {fixed: true, position: [1, 2 cm, -3 mm], roll: 0.1, yaw: 180 deg, velocity: [3.6 km/h, 0, 0]}
  massless_links: ignore
contacts:
  - {frame: l_sole, footprint: [[-0.06, 0.04], [0.11, 0.04, 0.01]]}
  - {frame: ball, radius: 2 cm}
ground: {shape: plane, incline: 5 deg, heading: 0.5, friction: 0.33, restitution: 0.8, point: [0, 0, 1]}
physics: {engine: pinocchio, contact: gauss, friction_law: pyramid, solver: osqp, integrator: rk4, step: 2 ms,
          gravity: [0, 0, -1.62 m/s²], tolerance: 1e-8, acceptable: 1e-5}
hold: {enabled: false, stiffness: 100, joint_damping: {l_knee: 3}, gravity_compensation: false}
pushes:
  - {link: chest, force: [0, 0.1 kN, 0], moment: [0, 0, 2 N m], start: 1 s, duration: 100 ms}
run: {duration: 2 min, log: out.csv, log_period: 10 ms}
)",
                                 "s.yaml");
  EXPECT_EQ(scene.robot.model, "model://iCub/robots/iCubGazeboV2_5/model.urdf");
  EXPECT_EQ(scene.robot.joints, (std::vector<std::string>{"l_knee", "r_knee"}));
  EXPECT_DOUBLE_EQ(scene.robot.initial.at("l_knee"), -kPi / 6.0);
  EXPECT_DOUBLE_EQ(scene.robot.initial.at("slide"), 0.05);
  EXPECT_DOUBLE_EQ(scene.robot.initial.at("neck"), 0.25);
  EXPECT_TRUE(scene.robot.fixed_base);
  EXPECT_TRUE(scene.robot.base_position.isApprox(Vector3d(1, 0.02, -0.003)));
  EXPECT_TRUE(scene.robot.base_rpy.isApprox(Vector3d(0.1, 0, kPi)));
  EXPECT_DOUBLE_EQ(scene.robot.base_velocity.x(), 1.0);
  EXPECT_EQ(scene.robot.massless_links, MasslessLinks::ignore);
  ASSERT_EQ(scene.contacts.size(), 2u);
  ASSERT_EQ(scene.contacts[0].points.size(), 2u);
  EXPECT_EQ(scene.contacts[0].points[0], Vector3d(-0.06, 0.04, 0.0));
  EXPECT_EQ(scene.contacts[0].points[1], Vector3d(0.11, 0.04, 0.01));
  EXPECT_EQ(scene.contacts[1].points, std::vector<Vector3d>{Vector3d::Zero()});
  EXPECT_DOUBLE_EQ(scene.contacts[1].radius, 0.02);
  EXPECT_DOUBLE_EQ(scene.ground.incline, kPi / 36.0);
  EXPECT_DOUBLE_EQ(scene.ground.heading, 0.5);
  EXPECT_DOUBLE_EQ(scene.ground.friction, 0.33);
  EXPECT_DOUBLE_EQ(scene.ground.restitution, 0.8);
  EXPECT_EQ(scene.ground.point, Vector3d(0, 0, 1));
  EXPECT_EQ(scene.physics.engine, "pinocchio");
  EXPECT_EQ(scene.physics.contact, "gauss");
  EXPECT_EQ(scene.physics.friction_law, "pyramid");
  EXPECT_EQ(scene.physics.solver, "osqp");
  EXPECT_EQ(scene.physics.integrator, "rk4");
  EXPECT_DOUBLE_EQ(scene.physics.step, 2e-3);
  EXPECT_EQ(scene.physics.gravity, Vector3d(0, 0, -1.62));
  EXPECT_DOUBLE_EQ(scene.physics.tolerance, 1e-8);
  EXPECT_FALSE(scene.hold.enabled);
  EXPECT_DOUBLE_EQ(scene.hold.stiffness, 100.0);
  EXPECT_DOUBLE_EQ(scene.hold.joint_damping.at("l_knee"), 3.0);
  EXPECT_FALSE(scene.hold.gravity_compensation);
  ASSERT_EQ(scene.pushes.size(), 1u);
  EXPECT_EQ(scene.pushes[0].force, Vector3d(0, 100, 0));
  EXPECT_EQ(scene.pushes[0].moment, Vector3d(0, 0, 2));
  EXPECT_DOUBLE_EQ(scene.pushes[0].duration, 0.1);
  EXPECT_DOUBLE_EQ(scene.run.duration, 120.0);
  EXPECT_EQ(scene.run.log, "out.csv");
  EXPECT_DOUBLE_EQ(scene.run.log_period, 0.01);
}

TEST(Scene, SingleAnglesOfTheBaseReplaceThoseOfRpyWhereverTheyStand) {
  const auto rpy = [](const std::string& base, const std::vector<SceneOverride>& overrides = {}) {
    return parseScene("robot: {model: box, base: {" + base + "}}", "s.yaml", overrides).robot.base_rpy;
  };
  EXPECT_EQ(rpy("rpy: [1, 2, 3], yaw: 0.5"), Vector3d(1.0, 2.0, 0.5));
  EXPECT_EQ(rpy("yaw: 0.5, rpy: [1, 2, 3]"), Vector3d(1.0, 2.0, 0.5));
  EXPECT_EQ(rpy("rpy: [1, 2, 3]", {{"robot.base.pitch", "0"}}), Vector3d(1.0, 0.0, 3.0));
}

TEST(Scene, SaysHowItIsToBeShown) {
  const Scene scene = parseScene(R"(
robot: {model: m.urdf}
hold: {target: {l_knee: 10 deg}}
view:
  camera: {position: [1, 2, 50 cm], target: [0, 0, 0.5]}
  layers: {cones: true, com: false}
  plots: [[base.position.z], [l_sole.force.z, r_sole.force.z]]
  tab: contacts
  speed: 0.1
)",
                                 "s.yaml");
  EXPECT_DOUBLE_EQ(scene.hold.target.at("l_knee"), kPi / 18.0);
  EXPECT_TRUE(scene.view.camera.placed);
  EXPECT_EQ(scene.view.camera.position, Vector3d(1.0, 2.0, 0.5));
  EXPECT_TRUE(scene.view.camera.aimed);
  EXPECT_TRUE(scene.view.layers.at("cones"));
  EXPECT_FALSE(scene.view.layers.at("com"));
  ASSERT_EQ(scene.view.plots.size(), 2u);
  EXPECT_EQ(scene.view.plots[1], (std::vector<std::string>{"l_sole.force.z", "r_sole.force.z"}));
  EXPECT_EQ(scene.view.tab, "contacts");
  EXPECT_EQ(scene.view.speed, 0.1);
}

TEST(Scene, BecomesATextWithItsChanges) {
  const TempFolder folder;
  const auto file =
      folder.write("s.yaml", "# a comment\nrobot: {model: box}\nground: {friction: 0.6, incline: 3 deg}\n");
  const std::string text = sceneText(file, {{"ground.friction", "0.2"}, {"physics.gravity", "[0, 0, -1.62]"}});
  const Scene scene = parseScene(text, "again.yaml");
  EXPECT_EQ(scene.ground.friction, 0.2);
  EXPECT_DOUBLE_EQ(scene.ground.incline, kPi / 60.0);
  EXPECT_EQ(scene.physics.gravity.z(), -1.62);
}

TEST(Scene, RemembersWhereItsSectionsAre) {
  const Scene scene =
      parseScene("robot:\n  model: box\nground:\n  friction: 1\ncontacts:\n  - {frame: a}\n  - {frame: b}\n", "s.yaml");
  EXPECT_EQ(scene.robot.where, "s.yaml:2");
  EXPECT_EQ(scene.ground.where, "s.yaml:4");
  EXPECT_EQ(scene.contacts[1].where, "s.yaml:7");
  EXPECT_EQ(scene.run.where, "s.yaml");
}

TEST(Scene, SectionsMayBeEmpty) {
  const Scene scene = parseScene("robot: {model: box}\nhold:\nrun: {}\n", "s.yaml");
  EXPECT_TRUE(scene.hold.enabled);
  EXPECT_DOUBLE_EQ(scene.run.duration, SceneRun().duration);
}

TEST(SceneOverride, ReplacesAddsAndReachesIntoLists) {
  const std::string text = "robot: {model: box}\ncontacts: [{frame: a}, {frame: b}]\nphysics: {solver: native}\n";
  const Scene scene = parseScene(text, "s.yaml",
                                 {{"physics.solver", "osqp"},
                                  {"physics.step", "2 ms"},
                                  {"run.duration", "1 s"},
                                  {"contacts.1.radius", "3 cm"},
                                  {"robot.base.position", "[1, 2, 3]"},
                                  {"physics.solver", "daqp"}});
  EXPECT_EQ(scene.physics.solver, "daqp") << "the last one wins";
  EXPECT_DOUBLE_EQ(scene.physics.step, 2e-3);
  EXPECT_DOUBLE_EQ(scene.run.duration, 1.0);
  EXPECT_DOUBLE_EQ(scene.contacts[0].radius, 0.0);
  EXPECT_DOUBLE_EQ(scene.contacts[1].radius, 0.03);
  EXPECT_EQ(scene.robot.base_position, Vector3d(1, 2, 3));
}

TEST(SceneFile, FindsAModelThatLiesBesideIt) {
  const TempFolder folder;
  folder.write("models/my.urdf", "x");
  const std::string path = folder.write("s.yaml", "robot: {model: models/my.urdf}\n").string();
  EXPECT_EQ(loadScene(path).robot.model, (folder.path() / "models/my.urdf").string());
  const std::string other = folder.write("t.yaml", "robot: {model: box}\n").string();
  EXPECT_EQ(loadScene(other).robot.model, "box");
}

TEST(SceneFile, ChangesReachIntoTheFileOfItsDiagram) {
  const TempFolder folder;
  folder.write("legs.yaml", "blocks: {gain: {block: Gain, factor: 1}}\n");
  folder.write("d.yaml", "blocks: {a: {block: Gain, factor: 2}, b: Gain}\nsubdiagrams: {Legs: legs.yaml}\n");
  const std::string path = folder.write("s.yaml", "robot: {model: box}\ndiagram: d.yaml\n").string();
  const Scene scene = loadScene(path, {{"diagram.blocks.a.factor", "3"},
                                       {"diagram.blocks.b.factor", "5"},
                                       {"diagram.subdiagrams.Legs.blocks.gain.factor", "4"}});
  EXPECT_EQ(scene.diagram.blocks.at(0).parameters.at(0).second.text, "3");
  EXPECT_EQ(scene.diagram.blocks.at(1).kind, "Gain");
  EXPECT_EQ(scene.diagram.blocks.at(1).parameters.at(0).second.text, "5");
  EXPECT_EQ(scene.diagram.subdiagrams.at(0).blocks.at(0).parameters.at(0).second.text, "4");
}

TEST(SceneTemplate, IsAGoodSceneOfARobotOfOurs) {
  const Scene scene = parseScene(sceneTemplate(), "template");
  UrdfOptions options;
  options.joints = scene.robot.joints;
  options.positions = scene.robot.initial;
  options.resources = ResourcePath({std::filesystem::path(sourceDir()) / "models"});
  const Model model = loadUrdf(scene.robot.model, options).model;
  for (const SceneContact& contact : scene.contacts) EXPECT_NO_THROW(model.frame(contact.frame));
  for (const ScenePush& push : scene.pushes) EXPECT_NO_THROW(model.frame(push.link));
}

TEST(Scenes, OfThisProjectAreGood) {
  int scenes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(sourceDir()) / "scenes")) {
    if (entry.path().extension() != ".yaml") continue;
    EXPECT_NO_THROW(loadScene(entry.path().string())) << entry.path();
    ++scenes;
  }
  EXPECT_GT(scenes, 0);
}

/// Every key of a scene is a property of the schema; the small part of JSON schema that our schema uses.
void expectKeysIn(const YAML::Node& schema, const YAML::Node& value, const std::string& path) {
  if (value.IsSequence() && schema["items"]) {
    for (const auto& item : value) expectKeysIn(schema["items"], item, path + "[]");
  }
  if (!value.IsMap() || !schema["properties"]) return;
  for (const auto& entry : value) {
    const YAML::Node property = schema["properties"][entry.first.Scalar()];
    ASSERT_TRUE(property.IsDefined()) << path << "." << entry.first.Scalar();
    expectKeysIn(property, entry.second, path + "." + entry.first.Scalar());
  }
}

TEST(SceneSchema, IsJsonThatKnowsTheKeysOfTheTemplate) {
  const YAML::Node schema = YAML::Load(sceneSchema());  // JSON is YAML
  EXPECT_FALSE(schema["additionalProperties"].as<bool>());
  EXPECT_EQ(schema["anyOf"][0]["required"][0].Scalar(), "robot");
  EXPECT_EQ(schema["properties"]["physics"]["properties"]["contact"]["anyOf"][0]["enum"].size(), 3u);
  expectKeysIn(schema, YAML::Load(sceneTemplate()), "");
}

TEST(SceneSchema, NamesTheDefaultsOfThePhysics) {
  const YAML::Node properties = YAML::Load(sceneSchema())["properties"]["physics"]["properties"];
  for (const auto& entry : properties)
    EXPECT_NE(entry.second["description"].Scalar().find("default"), std::string::npos) << entry.first.Scalar();
}

TEST(SceneSchema, OfTheDocumentsIsUpToDate) {
  std::ifstream in(std::filesystem::path(sourceDir()) / "docs" / "scene.schema.json");
  std::ostringstream text;
  text << in.rdbuf();
  EXPECT_EQ(text.str(), sceneSchema()) << "write it again: footfall init --schema > docs/scene.schema.json";
}

}  // namespace
}  // namespace footfall
