#include "scene/ground_keys.hpp"

#include <algorithm>

#include "footfall/scene/ground_shapes.hpp"
#include "scene/grounds/ground_kind.hpp"
#include "scene/time_law_keys.hpp"

namespace footfall {
namespace {

bool contains(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

/// A key that belongs to this shape, and not to every ground.
bool isOwn(const GroundKind& kind, const std::string& key) {
  const auto same = [&](const Field<SceneGround>& field) { return field.name == key; };
  return contains(kind.placed_by, key) || std::any_of(kind.keys.begin(), kind.keys.end(), same);
}

/// A plug-in's shape has a place, and everything else in `parameters`.
void refuseKeysOfBuiltInShapes(const SceneValue& value, const std::string& shape) {
  for (const auto& [key, entry] : value.entries())
    for (const GroundKind& built_in : groundKinds())
      if (isOwn(built_in, key) && key != "position" && key != "rpy")
        throw value.keyError(key, fmt::format("does not belong to the shape '{}', which is a plug-in", shape),
                             fmt::format("parameters: {{{}: …}} hands it on", key));
}

/// A key of another shape would have no effect: say so.
void refuseKeysOfOtherShapes(const SceneValue& value, const GroundKind& kind) {
  for (const auto& [key, entry] : value.entries()) {
    if (key == "parameters")
      throw value.keyError(key, fmt::format("does not belong to the shape '{}'", kind.name), "it belongs to plug-ins");
    std::string owners;
    for (const GroundKind& other : groundKinds())
      if (isOwn(other, key)) owners += (owners.empty() ? "" : " or ") + other.name;
    if (!owners.empty() && !isOwn(kind, key))
      throw value.keyError(key, fmt::format("does not belong to the shape '{}'", kind.name), "it belongs to " + owners);
  }
}

template <class S>
FieldTable<S> joined(FieldTable<S> first, const FieldTable<S>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// A direction or an axis: any length but zero.
template <class S>
Field<S> directionField(std::string name, Vector3d S::*member, std::string help) {
  return {std::move(name), std::move(help), vectorSchema(Quantity::plain), [=](const SceneValue& value, S& section) {
            section.*member = readVector(value, Quantity::plain);
            if (section.*member == Vector3d::Zero()) throw value.error("has no direction: all its numbers are zero");
          }};
}

FieldTable<SceneGround> motionFields() {
  using enum Quantity;
  const FieldTable<SceneTranslation> translation =
      joined({directionField("direction", &SceneTranslation::direction, "in the world")},
             timeLawFields<SceneTranslation>(length, speed));
  const FieldTable<SceneRotation> rotation =
      joined({directionField("axis", &SceneRotation::axis, "in the world, as it is at the start"),
              vectorField("point", &SceneRotation::point, length, "on the axis [m]")},
             timeLawFields<SceneRotation>(angle, turn_rate));
  return {
      sectionListField("translate", &SceneGround::translations, translation, "along directions, all at once"),
      sectionListField("rotate", &SceneGround::rotations, rotation, "about axes, one after the other"),
  };
}

Field<SceneGround> conveyorField() {
  const FieldTable<SceneConveyor> belt =
      joined({directionField("direction", &SceneConveyor::direction, "of the belt, in the world")},
             timeLawFields<SceneConveyor>(Quantity::length, Quantity::speed));
  return sectionField("conveyor", &SceneGround::conveyor, belt, "the surface runs while the shape stays");
}

/// Of every ground; shapes say whether they take the last two.
FieldTable<SceneGround> commonFields() {
  using enum Quantity;
  return {
      numberField("friction", &SceneGround::friction, plain, atLeast(0.0), "Coulomb's coefficient"),
      numberField("restitution", &SceneGround::restitution, plain, between(0.0, 1.0), "0: inelastic, 1: elastic"),
      vectorField("position", &SceneGround::position, length,
                  "centre of a box, foot of stairs, middle of a height field [m]"),
      vectorField("rpy", &SceneGround::rpy, angle, "box, stairs: roll, pitch and yaw [rad]"),
  };
}

/// In the order in which editors list them: what most scenes need comes first.
FieldTable<SceneGround> surfaceFields() {
  FieldTable<SceneGround> fields = {choiceOrPluginField("shape", &SceneGround::shape, groundShapes(), "terrain",
                                                        "of the ground, or the name of a plug-in")};
  for (const GroundKind& kind : groundKinds()) {
    fields = joined(fields, kind.keys);
    if (&kind == &groundKinds().front()) fields = joined(fields, commonFields());
  }
  return joined(
      fields,
      {
          numberMapField("parameters", &SceneGround::parameters, Quantity::plain, {}, "of a plug-in's shape, SI units"),
          groupField("motion", motionFields(), "of the whole ground: a lift, a tilting or shaking table"),
          conveyorField(),
      });
}

void requireLaw(const std::string& where, const std::string& path, const SceneTimeLaw& law) {
  if (law.kind.empty())
    throw Error(where, path + " does not say how it moves",
                "one of: speed: 1, sine: {…}, table: [[time, value], …], smooth_table: […], rates: […]");
}

void checkMotion(const SceneGround& ground, const std::string& path) {
  for (std::size_t k = 0; k < ground.translations.size(); ++k)
    requireLaw(ground.translations[k].where, fmt::format("{}.motion.translate.{}", path, k),
               ground.translations[k].law);
  for (std::size_t k = 0; k < ground.rotations.size(); ++k)
    requireLaw(ground.rotations[k].where, fmt::format("{}.motion.rotate.{}", path, k), ground.rotations[k].law);
  if (!ground.conveyor.where.empty()) requireLaw(ground.conveyor.where, path + ".conveyor", ground.conveyor.law);
}

SceneGround readSurface(const SceneValue& value, const FieldTable<SceneGround>& table) {
  SceneGround ground;
  ground.where = value.where();
  readSection(value, table, ground);
  if (const GroundKind* kind = findGroundKind(ground.shape)) {
    refuseKeysOfOtherShapes(value, *kind);
    if (kind->check) kind->check(value, ground);
  } else {
    refuseKeysOfBuiltInShapes(value, ground.shape);
  }
  checkMotion(ground, value.path());
  return ground;
}

void readSurfaces(const SceneValue& value, const FieldTable<SceneGround>& table, Scene& scene) {
  std::vector<SceneGround> surfaces;
  for (const SceneValue& item : value.items()) surfaces.push_back(readSurface(item, table));
  if (surfaces.empty()) throw value.error("is empty, expected at least one surface");
  scene.ground = surfaces.front();
  scene.more_ground.assign(surfaces.begin() + 1, surfaces.end());
}

}  // namespace

Field<Scene> groundField() {
  const FieldTable<SceneGround> table = surfaceFields();
  const std::string surface = sectionSchema(table);
  return {"ground", "what the robot stands on: one surface, or a list of them",
          fmt::format(R"("anyOf": [{{{}}}, {{{}, "minItems": 1}}])", surface, listSchema(surface)),
          [=](const SceneValue& value, Scene& scene) {
            if (value.isList())
              readSurfaces(value, table, scene);
            else
              scene.ground = readSurface(value, table);
          }};
}

}  // namespace footfall
