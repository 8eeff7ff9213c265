#include "scene/body_keys.hpp"

#include <fmt/format.h>

#include <set>

#include "scene/joint_units.hpp"

namespace footfall {
namespace {

/// A list of pairs of names.
Field<SceneCollisions> namePairsField(std::string name, std::vector<std::vector<std::string>> SceneCollisions::*member,
                                      std::string help) {
  return {std::move(name), std::move(help), listSchema(twoTextsSchema()),
          [=](const SceneValue& value, SceneCollisions& collisions) {
            for (const SceneValue& item : value.items()) (collisions.*member).push_back(readTwoTexts(item, "names"));
          }};
}

Field<SceneCollisionPair> pairNamesField() {
  return {"between", "two links, frames or bodies", twoTextsSchema(),
          [](const SceneValue& value, SceneCollisionPair& pair) { pair.between = readTwoTexts(value, "names"); }};
}

Field<SceneBody> copiesField() {
  return {"copies", "as many bodies name_0, name_1, …, each moved by [x, y, z] from `position` [m]",
          listSchema(vectorSchema(Quantity::length)), [](const SceneValue& value, SceneBody& body) {
            for (const SceneValue& item : value.items()) body.copies.push_back(readVector(item, Quantity::length));
            if (body.copies.empty()) throw value.error("is empty", "leave it out for a single body");
          }};
}

[[noreturn]] void refuseBody(const SceneBody& body, const std::string& what, const std::string& hint) {
  throw Error(body.where, fmt::format("the body '{}' {}", body.name, what), hint);
}

/// Keys that would say nothing about a body of this kind: whoever writes them means another one.
void checkKeysOfItsKind(const SceneBody& body) {
  const std::string kind = body.shape.empty() ? "model" : body.shape;
  const auto refuse = [&](bool given, const char* key, const char* hint) {
    if (given) refuseBody(body, fmt::format("is a {}, which has no '{}'", kind, key), hint);
  };
  refuse(kind != "box" && !body.size.isZero(0.0), "size", "only boxes have one; others have a radius and a length");
  refuse((kind == "box" || kind == "model") && body.radius > 0.0, "radius", "spheres, capsules and cylinders have one");
  refuse(kind != "capsule" && kind != "cylinder" && body.length > 0.0, "length", "capsules and cylinders have one");
  refuse(kind != "sphere" && kind != "capsule" && body.face > 0.0, "face", "spheres and capsules have one");
  refuse(kind == "model" && body.mass > 0.0, "mass", "the file of the model says it");
  refuse(kind != "model" && !body.initial.empty(), "initial", "only models have joints");
}

void checkBody(const SceneBody& body) {
  const auto refuse = [&](const std::string& what, const std::string& hint) { refuseBody(body, what, hint); };
  if (body.model.empty() == body.shape.empty())
    refuse("needs either 'model' or 'shape'", "write {model: robot.urdf} or {shape: sphere, radius: 0.1}");
  checkKeysOfItsKind(body);
  if (body.fixed && !(body.velocity.isZero(0.0) && body.angular_velocity.isZero(0.0)))
    refuse("is fixed, and has a velocity", "remove one of them");
  const bool colored = body.color != SceneBody().color;
  if (colored && !(body.color.minCoeff() >= 0.0 && body.color.maxCoeff() <= 1.0))
    refuse(fmt::format("has the color [{}, {}, {}], expected numbers from 0 to 1", body.color.x(), body.color.y(),
                       body.color.z()),
           "red is [1, 0, 0]");
  if (body.shape.empty()) return;
  if (body.shape == "box" && !(body.size.minCoeff() > 0.0))
    refuse("is a box without size", "write size: [0.1, 0.1, 0.1]");
  if (body.shape != "box" && !(body.radius > 0.0)) refuse("has no radius", "write radius: 0.05");
  if ((body.shape == "cylinder" || body.shape == "capsule") && !(body.length > 0.0))
    refuse("has no length", "write length: 0.2");
}

}  // namespace

FieldTable<SceneBody> bodyFields() {
  using enum Quantity;
  return {
      required(textField("name", &SceneBody::name, "of the body, in front of the names of its links: body/link")),
      textField("model", &SceneBody::model, "URDF: a path, package://…, model://… or a short name"),
      choiceField("shape", &SceneBody::shape, {"box", "sphere", "capsule", "cylinder"},
                  "in place of a model: one rigid body of this shape, of uniform density"),
      vectorField("size", &SceneBody::size, length, "of a box: its full lengths [m]"),
      numberField("radius", &SceneBody::radius, length, positive(), "of a sphere, capsule or cylinder [m]"),
      numberField("length", &SceneBody::length, length, positive(),
                  "of a cylinder, or of the straight part of a capsule, along z [m]"),
      numberField("face", &SceneBody::face, length, atLeast(0.0),
                  "of a sphere or capsule: radius of the small face that it touches with; 0: a point [m]"),
      numberField("mass", &SceneBody::mass, plain, positive(), "of the shape; default: by its density [kg]"),
      numberField("density", &SceneBody::density, plain, positive(), "of the shape; default: 1000 [kg/m³]"),
      vectorField("color", &SceneBody::color, plain, "red, green and blue from 0 to 1"),
      withJointUnits(numberMapField("initial", &SceneBody::initial, Quantity::position, {},
                                    "joint positions of a model at the start; 0 if not named [rad or m]")),
      flagField("fixed", &SceneBody::fixed, "true: it stays where it is"),
      vectorField("position", &SceneBody::position, length, "of its base in the world [m]"),
      vectorField("rpy", &SceneBody::rpy, angle, "roll, pitch and yaw [rad]"),
      vectorField("velocity", &SceneBody::velocity, speed, "world axes [m/s]"),
      vectorField("angular_velocity", &SceneBody::angular_velocity, turn_rate, "world axes [rad/s]"),
      numberField("friction", &SceneBody::friction, plain, atLeast(0.0),
                  "where it meets another body: of the two, the geometric mean counts; the ground has its own"),
      numberField("restitution", &SceneBody::restitution, plain, between(0.0, 1.0),
                  "where it meets another body: of the two, the larger one counts"),
      copiesField(),
  };
}

void checkBodyKeys(const SceneValue& value, SceneBody& body) {
  refuseBeside(value, "density", "mass", "either of them says what the body weighs: remove one");
  if (!body.model.empty() && value.has("density"))
    throw value.keyError("density", "belongs to shapes, and this body is a model",
                         "the file of the model has its mass");
}

FieldTable<SceneCollisions> collisionFields() {
  using enum Quantity;
  const FieldTable<SceneCollisionPair> pair = {
      required(pairNamesField()),
      numberField("friction", &SceneCollisionPair::friction, plain, atLeast(0.0), "between the two"),
      numberField("restitution", &SceneCollisionPair::restitution, plain, between(0.0, 1.0), "between the two"),
  };
  return {
      flagField("self", &SceneCollisions::self,
                "true: links of one robot touch each other, but for neighbours and those that touch in the zero "
                "posture; default: false"),
      namePairsField("exclude", &SceneCollisions::exclude, "pairs of links, frames or bodies that do not touch"),
      namePairsField("only", &SceneCollisions::only, "the only pairs of links, frames or bodies that touch"),
      textField("srdf", &SceneCollisions::srdf,
                "SRDF file whose disabled pairs of the robot's links do not touch: a path or package://…"),
      sectionListField("pairs", &SceneCollisions::pairs, pair, "friction and restitution of single pairs"),
      numberField("friction", &SceneCollisions::friction, plain, atLeast(0.0),
                  "of the robot where it meets another body: of the two, the geometric mean counts"),
      numberField("restitution", &SceneCollisions::restitution, plain, between(0.0, 1.0),
                  "of the robot where it meets another body: of the two, the larger one counts"),
      flagField("separate_start", &SceneCollisions::separate_start,
                "true: what starts inside of each other, or inside the ground, is moved apart; false: refused"),
      countField(
          "hull_corners", &SceneCollisions::hull_corners,
          "of the convex hull that a mesh touches with, at most (4 to 256; default 64): more follow round meshes "
          "better and take more time"),
  };
}

void checkBodies(const Scene& scene) {
  if (scene.collisions.hull_corners < 4 || scene.collisions.hull_corners > 256)
    throw Error(scene.collisions.where,
                fmt::format("hull_corners is {}, expected 4 to 256", scene.collisions.hull_corners),
                "a solid has at least four corners");
  if (scene.robot.model.empty() && scene.bodies.empty())
    throw Error(scene.source, "the scene has no 'robot', which is needed",
                "write robot: {model: …}, or bodies alone: bodies: [{name: …, shape: …}]");
  std::set<std::string> names;
  for (const SceneBody& body : scene.bodies) {
    checkBody(body);
    static const std::set<std::string> kTaken = {"world", "ground", "base", "com", "energy", "momentum"};
    if (body.name.empty() || kTaken.contains(body.name) || body.name.find_first_of("/. \t") != std::string::npos)
      throw Error(body.where, fmt::format("'{}' cannot be the name of a body", body.name),
                  "expected letters, digits, - or _; world, ground, base, com, energy and momentum are taken");
    if (!names.insert(body.name).second)
      throw Error(body.where, fmt::format("there are two bodies '{}'", body.name), "names are given once");
  }
}

}  // namespace footfall
