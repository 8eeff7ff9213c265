// Every way in which a scene file can be wrong: the error says file and line, what was found, and what to do.

#include "footfall/scene/scene.hpp"
#include "footfall/scene/world.hpp"
#include "tools/test_tools.hpp"

namespace footfall {
namespace {

Error errorIn(const std::string& text) {
  return errorOf([&] { parseScene(text, "s.yaml"); });
}

/// The problem of a scene whose second line is this one.
std::string problemOf(const std::string& line) {
  const Error error = errorIn("robot: {model: box}\n" + line + "\n");
  EXPECT_EQ(error.where(), "s.yaml:2") << error.what();
  return error.problem();
}

TEST(SceneError, UnknownKeysGetASuggestion) {
  const Error section = errorIn("robot: {model: box}\ngrund: {friction: 1}\n");
  EXPECT_STREQ(section.what(), "s.yaml:2: grund is not a known key\n  hint: did you mean 'ground'?");
  const Error inner = errorIn("robot:\n  model: box\nphysics:\n  step: 1 ms\n  solvr: osqp\n");
  EXPECT_STREQ(inner.what(), "s.yaml:5: physics.solvr is not a known key\n  hint: did you mean 'solver'?");
  const Error listed = errorIn("robot: {model: box}\ncontacts:\n  - frame: a\n    raduis: 1\n");
  EXPECT_STREQ(listed.what(), "s.yaml:4: contacts.0.raduis is not a known key\n  hint: did you mean 'radius'?");
}

TEST(SceneError, Views) {
  EXPECT_EQ(errorIn("robot: {model: box}\nview: {layers: {cone: true}}\n").hint(), "did you mean 'cones'?");
  EXPECT_EQ(problemOf("view: {layers: {cones: 1}}"), "view.layers.cones is '1', expected true or false");
  EXPECT_EQ(problemOf("view: {plots: [base.position.z]}"),
            "view.plots.0 is 'base.position.z', expected a list: [a, b, …]");
  EXPECT_EQ(problemOf("view: {plots: [[]]}"), "view.plots.0 is empty, expected at least one channel");
  EXPECT_EQ(problemOf("view: {camera: {position: [1, 0, 0], from: top}}"), "view.camera has both position and from");
  EXPECT_EQ(problemOf("view: {camera: {position: [1, 0, 0], target: [1, 0, 0]}}"),
            "the camera stands at the point that it looks at");
  EXPECT_EQ(problemOf("view: {tab: plot}").substr(0, 16), "view.tab is 'plo");
  EXPECT_EQ(problemOf("view: {speed: -1}").substr(0, 15), "view.speed is -");
}

TEST(SceneError, NotYaml) {
  const Error error = errorIn("robot:\n  model: [box\n");
  EXPECT_EQ(error.where().substr(0, 7), "s.yaml:");
  EXPECT_EQ(error.problem().substr(0, 16), "this is not YAML");
  EXPECT_EQ(errorIn("hello").problem(), "the scene is 'hello', expected a map: {key: value, …}");
}

TEST(SceneError, MissingParts) {
  EXPECT_EQ(errorIn("").problem(), "the scene has no 'robot', which is needed");
  EXPECT_EQ(errorIn("robot: {base: {}}").problem(), "robot has no 'model', which is needed");
  EXPECT_EQ(problemOf("contacts: [{radius: 1}]"), "contacts.0 has no 'frame', which is needed");
  EXPECT_EQ(problemOf("pushes: [{link: a, force: [1, 0, 0]}]"), "pushes.0 has no 'duration', which is needed");
  EXPECT_EQ(problemOf("pushes: [{link: a, duration: 1}]"), "the push on 'a' has neither force nor moment");
}

TEST(SceneError, KeysThatABodyOfItsKindDoesNotHave) {
  const auto refused = [](const std::string& body, const std::string& problem) {
    EXPECT_EQ(problemOf("bodies: [{name: a, " + body + "}]"), "the body 'a' is a " + problem);
  };
  refused("shape: box, size: [1, 1, 1], radius: 1", "box, which has no 'radius'");
  refused("shape: box, size: [1, 1, 1], length: 1", "box, which has no 'length'");
  refused("shape: sphere, radius: 1, size: [1, 1, 1]", "sphere, which has no 'size'");
  refused("shape: sphere, radius: 1, length: 1", "sphere, which has no 'length'");
  refused("shape: sphere, radius: 1, initial: {knee: 1}", "sphere, which has no 'initial'");
  refused("model: box, size: [1, 1, 1]", "model, which has no 'size'");
  refused("model: box, mass: 2", "model, which has no 'mass'");
}

TEST(SceneError, Bodies) {
  EXPECT_EQ(problemOf("bodies: [{name: a}]"), "the body 'a' needs either 'model' or 'shape'");
  EXPECT_EQ(problemOf("bodies: [{name: a, shape: box}]"), "the body 'a' is a box without size");
  EXPECT_EQ(problemOf("bodies: [{name: a, shape: capsule, radius: 1}]"), "the body 'a' has no length");
  EXPECT_EQ(problemOf("bodies: [{name: a, shape: sphere, radius: 1, mass: 0}]").substr(0, 18), "bodies.0.mass is 0");
  EXPECT_EQ(problemOf("bodies: [{name: a/b, shape: sphere, radius: 1}]"), "'a/b' cannot be the name of a body");
  EXPECT_EQ(problemOf("bodies: [{name: com, shape: sphere, radius: 1}]"), "'com' cannot be the name of a body");
  const auto as_joint = [] {
    buildWorld(
        parseScene("robot: {model: cart_pole, base: {fixed: true}}\n"
                   "bodies: [{name: pole, shape: sphere, radius: 1, position: [9, 0, 2]}]",
                   "s.yaml"));
  };
  EXPECT_NE(errorOf(as_joint).problem().find("'pole' is called as"), std::string::npos);
  EXPECT_EQ(problemOf("bodies: [{name: a, shape: sphere, radius: 1}, {name: a, shape: sphere, radius: 1}]"),
            "there are two bodies 'a'");
  EXPECT_EQ(problemOf("bodies: [{name: a, shape: sphere, radius: 1, copies: []}]"), "bodies.0.copies is empty");
  EXPECT_EQ(problemOf("collisions: {exclude: [[a]]}"), "collisions.exclude.0 has 1 entries, expected two names");
}

TEST(SceneError, KeysThatWouldSayNothing) {
  EXPECT_EQ(problemOf("bodies: [{name: a, shape: sphere, radius: 1, fixed: true, angular_velocity: [0, 0, 1]}]"),
            "the body 'a' is fixed, and has a velocity");
  EXPECT_EQ(problemOf("bodies: [{name: a, shape: sphere, radius: 1, color: [255, 0, 0]}]"),
            "the body 'a' has the color [255, 0, 0], expected numbers from 0 to 1");
  // A wheel with `radius` would be a ball, whatever its axis.
  EXPECT_EQ(problemOf("contacts: [{frame: wheel, radius: 0.1, axis: x}]"), "contacts.0.axis is given, but no circle");
  EXPECT_EQ(problemOf("contacts: [{frame: wheel, axis: y}]"), "contacts.0.axis is given, but no circle");
  EXPECT_EQ(problemOf("contacts: [{frame: foot, collision: true, footprint: [[0, 0]]}]"),
            "contacts.0.footprint is given beside 'collision'");
  EXPECT_EQ(problemOf("contacts: [{frame: foot, collision: true, radius: 0.1}]"),
            "contacts.0.radius is given beside 'collision'");
  EXPECT_EQ(problemOf("contacts: [{frame: all, radius: 0.1}]"), "the contact of 'all' has no 'collision: true'");
  EXPECT_EQ(problemOf("bodies: [{name: a, shape: sphere, radius: 1, mass: 2, density: 3}]"),
            "bodies.0.density is given beside 'mass'");
  EXPECT_EQ(problemOf("bodies: [{name: a, model: box, density: 3}]"),
            "bodies.0.density belongs to shapes, and this body is a model");
  EXPECT_EQ(problemOf("loops: [{between: [a, world], joint: ball, within: 1 cm}]"),
            "loops.0.within is given, but the loop is there from the start and always closed");
  EXPECT_EQ(problemOf("loops: [{between: [a, world], joint: ball, axis: [0, 0, 1]}]"),
            "loops.0.axis is given, but a ball has none");
  EXPECT_EQ(problemOf("loops: [{frame: a, fixed: true, axis: [0, 0, 1]}]"),
            "loops.0.axis is given, but a weld has none");
  EXPECT_EQ(problemOf("actuators: [{joints: [a], damping_ratio: 0.7}]"),
            "actuators.0.damping_ratio is given without a natural_frequency: the torque follows at once");
  EXPECT_EQ(problemOf("springs: [{from: {link: a}, to: {link: b}, damping: 1, rest_length: 0.1}]"),
            "springs.0.rest_length is given without a stiffness: a damper has no length of its own");
  const auto build = [](const std::string& rest) {
    return errorOf([&] { buildWorld(parseScene("robot:\n  model: box\n" + rest, "s.yaml")); });
  };
  const Error spring = build("springs:\n  - {from: {link: box}, to: {link: box, point: [1, 0, 0]}, stiffness: 1}");
  EXPECT_EQ(spring.where(), "s.yaml:4");
  EXPECT_EQ(spring.problem(), "the spring between 'box' and 'box' has both ends on one rigid body");
}

TEST(SceneError, ThingsThatAreGivenTwice) {
  EXPECT_EQ(problemOf("contacts: [{frame: foot, footprint: [[0, 0], [1, 0]]}, {frame: foot, footprint: [[1, 0, 0]]}]"),
            "the point [1, 0, 0] of 'foot' is given twice");
  EXPECT_NO_THROW(
      parseScene("robot: {model: box}\ncontacts: [{frame: a, radius: 1}, {frame: a, radius: 2}]", "s.yaml"));
  EXPECT_EQ(
      problemOf("loops: [{name: a, between: [b, world], joint: ball}, {name: a, between: [c, world], joint: ball}]"),
      "there are two loops 'a'");
  const std::string spring = "{name: a, from: {link: b}, to: {link: world}, stiffness: 1}";
  EXPECT_EQ(problemOf("springs: [" + spring + ", " + spring + "]"), "there are two springs 'a'");
}

/// Of a scene with the quadruped, whose fourth line is this one.
Error quadrupedError(const std::string& line, const std::string& base = "on_ground: true") {
  const std::string scene = "robot:\n  model: quadruped\n  base: {" + base + "}\n" + line + "\n";
  const Error error = errorOf([&] { buildWorld(parseScene(scene, "s.yaml")); });
  EXPECT_EQ(error.where(), "s.yaml:4") << error.what();
  return error;
}

TEST(SceneError, NamesThatNothingDependsOn) {
  const std::string contacts = "contacts: [{frame: all, collision: true}]\n";
  const auto collisions = [&](const std::string& keys) {
    return quadrupedError("collisions: {" + keys + "}\n" + contacts);
  };
  EXPECT_EQ(collisions("pairs: [{between: [trnk, lf_foot]}]").hint(), "did you mean 'trunk'?");
  EXPECT_EQ(collisions("exclude: [[trunk, lf_fot]]").problem(), "there is no frame 'lf_fot'");
  EXPECT_EQ(collisions("only: [[trunk, lf_fot]]").problem(), "there is no frame 'lf_fot'");
  EXPECT_EQ(collisions("srdf: nobody.srdf").problem(), "collisions.srdf: there is no file 'nobody.srdf'");
  EXPECT_EQ(collisions("self: true, pairs: [{between: [lf_thigh, lf_thigh]}]").problem(),
            "'lf_thigh' and 'lf_thigh' are one shape, which does not meet itself");
  EXPECT_EQ(
      collisions("self: true, pairs: [{between: [lf_thigh, rf_thigh]}, {between: [rf_thigh, lf_thigh]}]").problem(),
      "collisions.pairs names 'rf_thigh' and 'lf_thigh' twice");
  const auto fixed = [](const std::string& line) { return quadrupedError(line, "fixed: true").problem(); };
  EXPECT_EQ(fixed("hold: {enabled: false, target: {lf_kfee: 1}}"), "there is no movable joint 'lf_kfee'");
  EXPECT_EQ(fixed("hold: {joints: [lf_kfe, lf_kfe]}"), "hold.joints names 'lf_kfe' twice");
  EXPECT_EQ(fixed("hold: {joints: [lf_kfe], target: {rf_kfe: 1}}"),
            "hold.target names 'rf_kfe', which is not one of hold.joints");
  EXPECT_EQ(fixed("prescribed: [{joint: lf_kfe, sine: {amplitude: 0.1, frequency: 1}}]\nhold: {target: {lf_kfe: 1}}"),
            "prescribed joint 'lf_kfe' is held by a spring too (hold)");
  EXPECT_EQ(fixed("torques: {lf_kfe: 1}\nprescribed: [{joint: lf_kfe, sine: {amplitude: 0.1, frequency: 1}}]"),
            "torques names 'lf_kfe', whose motion is prescribed");
}

TEST(SceneError, ALinkTouchesWithItsShapesOnce) {
  const Error error = quadrupedError("contacts: [{frame: all, collision: true}, {frame: lf_foot, collision: true}]");
  EXPECT_EQ(error.problem(), "the collision shapes of 'lf_foot' touch already, by another entry of contacts");
}

TEST(SceneError, PartsThatAreNotThereOrDoNotFit) {
  EXPECT_STREQ(errorIn("robot: {model: box}\nphysics: {engine: natve}\n").what(),
               "s.yaml:2: physics.engine is 'natve', which is not one of the choices\n  hint: did you mean 'native'?");
  EXPECT_STREQ(errorIn("robot: {model: box}\nphysics:\n  step: 1 ms\n  solver: ospq\n").what(),
               "s.yaml:4: physics.solver is 'ospq', which is not one of the choices\n  hint: did you mean 'osqp'?");
  const Error warp = errorIn("robot: {model: box}\nphysics: {engine: warp}\n");
  EXPECT_NE(warp.hint().find("'native'"), std::string::npos);
  EXPECT_EQ(warp.hint().find("'pinocchio'"), warp.hint().rfind("'pinocchio'")) << "it is listed once";
  EXPECT_NE(warp.hint().find("`footfall doctor` lists plug-ins"), std::string::npos);
  const Error named = errorOf([] { parseScene("robot: {model: box}", "s.yaml", {{"physics.engine", "natve"}}); });
  EXPECT_EQ(named.where(), "--set physics.engine=natve");
  const Error law = quadrupedError("physics: {contact: gauss, friction_law: cone}", "fixed: true");
  EXPECT_EQ(law.problem(), "physics.friction_law: the contact model 'gauss' is a QP on the friction pyramid");
}

TEST(SceneError, KeysOfAnotherContactModelAreToldAsWarnings) {
  // One line is to be enough to compare models, so they may stay in the scene.
  const auto warnings = [](const std::string& physics) {
    return buildWorld(
               parseScene("robot: {model: quadruped, base: {fixed: true}}\nphysics: {" + physics + "}", "s.yaml"))
        ->warnings;
  };
  EXPECT_TRUE(warnings("contact: compliant, stiffness: 1e4, dissipation: 2").empty());
  EXPECT_EQ(warnings("contact: rigid, stiffness: 1e5").at(0),
            "s.yaml:2: physics.stiffness is not read with contact: rigid");
  EXPECT_EQ(warnings("contact: compliant, friction_law: cone").at(0),
            "s.yaml:2: physics.friction_law is not read with contact: compliant");
  EXPECT_TRUE(warnings("contact: rigid, tolerance: 1e-9, solver: native").empty());
}

TEST(SceneError, AHeightThatNothingReadsIsToldAsAWarning) {
  const auto warnings = [](const std::string& position, const std::string& ground) {
    return buildWorld(parseScene("robot: {model: quadruped, base: {on_ground: true, position: " + position +
                                     "}}\ncontacts: [{frame: lf_foot}]\n" + ground,
                                 "s.yaml"))
        ->warnings;
  };
  const std::vector<std::string> told = warnings("[0.5, 0, 5]", "");
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].find("s.yaml:1: robot.base.position: its height, 5 m, is not read"), 0u) << told[0];
  EXPECT_TRUE(warnings("[0.5, 0, 0]", "").empty());
  // Here it says on which of the two the robot stands.
  EXPECT_TRUE(
      warnings("[0, 0, 5]", "ground: [{shape: plane}, {shape: box, position: [0, 0, 1], size: [2, 2, 0.1]}]").empty());
  EXPECT_TRUE(warnings("[0, 0, 5]", "ground: {incline: 10 deg}").empty()) << "it is moved along the normal";
}

TEST(SceneError, CollisionsOfARobotThatMeetsTheGroundAloneAreToldAsWarnings) {
  const std::string scene =
      "robot: {model: quadruped, base: {on_ground: true}}\n"
      "contacts: [{frame: all, collision: true}]\ncollisions: {friction: 0.3}\n";
  const std::vector<std::string> warnings = buildWorld(parseScene(scene, "s.yaml"))->warnings;
  ASSERT_EQ(warnings.size(), 1);
  EXPECT_EQ(warnings[0].substr(0, 45), "s.yaml:3: collisions.friction does nothing: t");
  EXPECT_TRUE(
      buildWorld(parseScene(scene + "bodies: [{name: a, shape: sphere, radius: 0.1, position: [9, 0, 1]}]\n", "s.yaml"))
          ->warnings.empty());
  const std::string ball = "bodies: [{name: a, shape: sphere, radius: 0.1, position: [9, 0, 1]}]\n";
  EXPECT_EQ(buildWorld(parseScene(ball + "collisions: {restitution: 0.3}\n", "s.yaml"))->warnings.at(0).substr(0, 48),
            "s.yaml:2: collisions.restitution does nothing: i");
}

TEST(SceneError, JointsThatTheRobotDoesNotHaveAreErrorsOfTheScene) {
  const Error initial =
      errorOf([] { buildWorld(parseScene("robot:\n  model: cart_pole\n  initial: {pol: 1}\n", "s.yaml")); });
  EXPECT_EQ(initial.where(), "s.yaml:2");
  EXPECT_NE(initial.problem().find("cart_pole.urdf: there is no joint 'pol'"), std::string::npos) << initial.what();
  EXPECT_EQ(initial.hint(), "did you mean 'pole'?");
}

TEST(SceneError, UnitsThatDoNotFitTheJoint) {
  const auto build = [](const std::string& robot, const std::string& rest) {
    buildWorld(parseScene("robot:\n  model: cart_pole\n  base: {fixed: true}\n" + robot + rest, "s.yaml"));
  };
  const auto refused = [&](const std::string& robot, const std::string& rest, const std::string& problem) {
    const Error error = errorOf([&] { build(robot, rest); });
    EXPECT_EQ(error.where(), "s.yaml:4");
    EXPECT_EQ(error.problem(), problem);
  };
  refused("  initial: {pole: 2 cm}\n", "", "robot.initial.pole is '2 cm', but the joint 'pole' turns");
  refused("  initial: {cart: 2 deg}\n", "", "robot.initial.cart is '2 deg', but the joint 'cart' slides");
  refused("  initial_velocity: {pole: 2 km/h}\n", "",
          "robot.initial_velocity.pole is '2 km/h', but the joint 'pole' turns");
  refused("", "hold: {target: {cart: 1 rad}}\n", "hold.target.cart is '1 rad', but the joint 'cart' slides");
  refused("", "prescribed: [{joint: cart, sine: {amplitude: 5 deg, frequency: 1 Hz}}]\n",
          "prescribed.0.sine.amplitude is '5 deg', but the joint 'cart' slides");
  refused("", "prescribed: [{joint: pole, table: [[0 s, 0], [1 s, 3 cm]]}]\n",
          "prescribed.0.table.1.1 is '3 cm', but the joint 'pole' turns");
  refused("", "bodies: [{name: other, model: cart_pole, fixed: true, position: [0, 5, 0], initial: {pole: 1 mm}}]\n",
          "bodies.0.initial.pole is '1 mm', but the joint 'other/pole' turns");
  // A phase is an angle of the sine, and plain numbers are what the joint has.
  EXPECT_NO_THROW(build("  initial: {pole: 20 deg, cart: 5 cm}\n",
                        "prescribed: [{joint: cart, sine: {amplitude: 5 cm, frequency: 1 Hz, phase: 90 deg}}]\n"));
}

TEST(SceneError, DoubledKeys) {
  EXPECT_EQ(errorIn("robot: {model: box}\nrobot: {model: ball}\n").problem(), "robot is given twice");
}

TEST(SceneError, NumbersThatAreNone) {
  EXPECT_EQ(problemOf("ground: {friction: high}"), "ground.friction is 'high', expected a plain number");
  EXPECT_EQ(problemOf("ground: {friction: nan}"), "ground.friction is 'nan', expected a plain number");
  EXPECT_EQ(problemOf("ground: {friction: .inf}"), "ground.friction is '.inf', expected a plain number");
  EXPECT_EQ(problemOf("ground: {friction: [1]}"), "ground.friction is a list, expected a plain number");
  EXPECT_EQ(problemOf("ground: {friction: }"), "ground.friction is nothing, expected a plain number");
}

TEST(SceneError, WrongUnits) {
  EXPECT_EQ(
      problemOf("physics: {step: 1 m}"),
      "physics.step is '1 m', with the unit 'm', expected a time (s, ms, us, min; a number alone is in SI units)");
  EXPECT_EQ(problemOf("ground: {friction: 1 N}"),
            "ground.friction is '1 N', with the unit 'N', expected a plain number");
}

TEST(SceneError, NumbersOutOfRange) {
  EXPECT_EQ(problemOf("physics: {step: -1 ms}"), "physics.step is -0.001, expected more than 0");
  EXPECT_EQ(problemOf("physics: {step: 0}"), "physics.step is 0, expected more than 0");
  EXPECT_EQ(problemOf("ground: {friction: -0.1}"), "ground.friction is -0.1, expected 0 or more");
  EXPECT_EQ(problemOf("ground: {restitution: 1.1}"), "ground.restitution is 1.1, expected 0 to 1");
  EXPECT_EQ(problemOf("ground: {incline: 181 deg}"), "ground.incline is 3.15905, expected 0 to 3.14159");
  EXPECT_EQ(problemOf("run: {duration: 0}"), "run.duration is 0, expected more than 0");
  EXPECT_EQ(problemOf("contacts: [{frame: a, radius: -1 cm}]"), "contacts.0.radius is -0.01, expected 0 or more");
  EXPECT_EQ(problemOf("contacts: [{frame: a, circle: 0.3, axis: [0, 0, 0]}]"), "contacts.0.axis has no direction");
  EXPECT_EQ(problemOf("contacts: [{frame: a, circle: 0.3, radius: 0.1}]"),
            "the contact of 'a' has both circle and radius");
  EXPECT_EQ(problemOf("contacts: [{frame: a, circle: 0.3, face: 1 mm}]"),
            "the contact of 'a' has both circle and face");
  EXPECT_EQ(problemOf("physics: {tolerance: 1e-3}"), "physics.acceptable 1e-06 is less than physics.tolerance 0.001");
  EXPECT_NO_THROW(parseScene("robot: {model: box}\nground: {incline: 180 deg}", "s.yaml"));
}

TEST(SceneError, WrongSizes) {
  EXPECT_EQ(problemOf("contacts: [{frame: a, footprint: []}]"),
            "contacts.0.footprint is empty, expected at least one point");
  EXPECT_EQ(problemOf("contacts: [{frame: a, footprint: [[1, 2], [1]]}]"),
            "contacts.0.footprint.1 has 1 entries, expected [x, y] or [x, y, z]");
  EXPECT_EQ(problemOf("contacts: [{frame: a, footprint: [1, 2]}]"),
            "contacts.0.footprint.0 is '1', expected a list: [a, b, …]");
  EXPECT_EQ(problemOf("ground: {point: [0, 0]}"), "ground.point has 2 entries, expected 3: [x, y, z]");
  EXPECT_EQ(problemOf("contacts: {frame: a}"), "contacts is a map, expected a list: [a, b, …]");
  EXPECT_EQ(problemOf("ground: plane"), "ground is 'plane', expected a map: {key: value, …}");
}

TEST(SceneError, WrongChoices) {
  const Error error = errorIn("robot: {model: box}\nphysics: {contact: rigd}\n");
  EXPECT_STREQ(error.what(),
               "s.yaml:2: physics.contact is 'rigd', which is not one of the choices\n  hint: did you mean 'rigid'?");
  EXPECT_EQ(problemOf("ground: {shape: sea}"), "ground.shape is 'sea', which is not one of the choices");
  EXPECT_EQ(problemOf("hold: {enabled: maybe}"), "hold.enabled is 'maybe', expected true or false");
}

TEST(SceneError, NamesTheOverrideThatIsWrong) {
  const auto changed = [](const std::string& path, const std::string& value) {
    return errorOf([&] {
      parseScene("robot: {model: box}\nphysics: {step: 1}\ncontacts: [{frame: a}]\n", "s.yaml", {{path, value}});
    });
  };
  EXPECT_STREQ(changed("physics.step", "-1").what(), "--set physics.step=-1: physics.step is -1, expected more than 0");
  EXPECT_EQ(changed("physcs.step", "1").where(), "--set physcs.step=1");
  EXPECT_EQ(changed("physics.stp", "1").hint(), "did you mean 'step'?");
  EXPECT_EQ(changed("physics.step.x", "1").problem(), "there is nothing called 'x' inside of a single value");
  EXPECT_EQ(changed("contacts.1.radius", "1").problem(), "'1' is not the number of an entry, expected 0 to 0");
  EXPECT_EQ(changed("contacts.0.radius", "-1").where(), "--set contacts.0.radius=-1");
  EXPECT_EQ(changed("ground", "{friction: -1}").where(), "--set ground={friction: -1}");
  EXPECT_EQ(changed("physics.step", "[1").where(), "--set physics.step=[1");
}

TEST(SceneError, ABodyThatStartsInsideSomethingIsNamedWithItsOwnLine) {
  const auto where = [](const std::string& position) {
    const Scene scene = parseScene(
        "robot: {model: box, base: {position: [0, 0, 0.1]}}\n"
        "contacts: [{frame: all, collision: true}]\n"
        "bodies:\n"
        "  - {name: far, shape: sphere, radius: 0.1, mass: 1, position: [5, 0, 1], copies: [[0, 0, 0], [0, 0, 1]]}\n"
        "  - {name: table, shape: box, size: [1, 1, 0.1], position: [9, 0, 1], fixed: true}\n"
        "  - {name: ball, shape: sphere, radius: 0.1, mass: 1, position: " +
            position + "}\n",
        "s.yaml");
    return errorOf([&] { buildWorld(scene); }).where();
  };
  EXPECT_EQ(where("[3, 0, 0.05]"), "s.yaml:6") << "in the ground";
  EXPECT_EQ(where("[0, 0, 0.25]"), "s.yaml:6") << "in the robot";
  EXPECT_EQ(where("[9, 0, 1.1]"), "s.yaml:6") << "in another body";
  EXPECT_EQ(where("[5, 0, 2.1]"), "s.yaml:6") << "in a copy";
  EXPECT_EQ(errorOf([&] {
              buildWorld(parseScene("bodies:\n  - {name: ball, shape: sphere, radius: 0.1, mass: 1}\n", "s.yaml"));
            }).where(),
            "s.yaml:2");
}

TEST(SceneError, OtherFilesOfAUserAreToldApart) {
  for (const std::string text : {"<robot name='x'/>", "<?xml version=\"1.0\"?>\n<robot name=\"x\"/>",
                                 "\xEF\xBB\xBF\n <!-- a robot -->\n<robot/>", "<mujoco/>"}) {
    const Error error = errorIn(text);
    EXPECT_EQ(error.where(), "s.yaml") << text;
    EXPECT_EQ(error.problem(), "this is XML, expected YAML") << text;
    EXPECT_NE(error.hint().find("robot: {model: FILE}"), std::string::npos) << text;
  }
  EXPECT_EQ(errorIn("\x89MCAP0\r\n").problem(), "this is a log, expected YAML");
  EXPECT_EQ(errorIn(std::string("PK\x03\x04\0\0: \"\\q", 11)).problem(), "this is no text, expected YAML");
  // A file without keys is one text to YAML: of a log of a million rows the first line is enough.
  const Error table = errorIn("time [s],x [-]\n0,1\n" + std::string(100'000, '7'));
  EXPECT_LT(std::string(table.what()).size(), 200u);
  EXPECT_NE(table.problem().find("time [s],x [-]"), std::string::npos) << table.what();
  // Letters of more than one byte are not cut in two.
  const std::string problem = errorIn("robot: " + std::string(72, 'a') + "äääääääää ä\n").problem();
  EXPECT_NE(problem.find("aääää…'"), std::string::npos) << problem;
}

TEST(SceneError, TabsAreNamed) {
  const Error error = errorIn("robot:\n\tmodel: box\n");
  EXPECT_EQ(error.where(), "s.yaml:2");
  EXPECT_EQ(error.hint(), "a tab stands before it: indent with spaces");
  EXPECT_EQ(errorIn("robot: [\n").hint(), "");
}

TEST(SceneError, FileThatCannotBeRead) {
  const TempFolder folder;
  EXPECT_EQ(errorOf([&] { loadScene((folder.path() / "no.yaml").string()); }).problem(),
            "cannot be read: No such file or directory");
  EXPECT_EQ(errorOf([&] { loadScene(folder.path().string()); }).problem(), "is a folder, expected a file");
}

}  // namespace
}  // namespace footfall
