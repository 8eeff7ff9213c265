#include "scene/ground_keys.hpp"

#include <numbers>

#include "scene/time_law_keys.hpp"

namespace footfall {
namespace {

// A little more than π, so that "180 deg" is never refused for its rounding.
constexpr double kHalfTurn = std::numbers::pi * (1.0 + 1e-12);

/// The keys that belong to a shape, beside those that every ground has.
struct ShapeKeys {
  std::string shape;
  std::vector<std::string> keys;
};

const std::vector<ShapeKeys>& shapeKeys() {
  static const std::vector<ShapeKeys> shapes = {
      {"plane", {"point", "incline", "heading"}},
      {"box", {"position", "rpy", "size"}},
      {"stairs", {"position", "rpy", "steps", "rise", "run", "width", "landing"}},
      {"height_field", {"position", "file", "cell", "scale", "interpolation", "formula", "extent"}},
  };
  return shapes;
}

std::vector<std::string> shapeNames() {
  std::vector<std::string> names;
  for (const ShapeKeys& shape : shapeKeys()) names.push_back(shape.shape);
  return names;
}

bool contains(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

/// A plug-in's shape has a place, and everything else in `parameters`.
void refuseKeysOfBuiltInShapes(const SceneValue& value, const std::string& shape) {
  for (const auto& [key, entry] : value.entries())
    for (const ShapeKeys& built_in : shapeKeys())
      if (contains(built_in.keys, key) && key != "position" && key != "rpy")
        throw value.keyError(key, fmt::format("does not belong to the shape '{}', which is a plug-in", shape),
                             fmt::format("parameters: {{{}: …}} hands it on", key));
}

/// A key of another shape would have no effect: say so.
void refuseKeysOfOtherShapes(const SceneValue& value, const std::string& shape) {
  if (!contains(shapeNames(), shape)) return refuseKeysOfBuiltInShapes(value, shape);
  for (const auto& [key, entry] : value.entries()) {
    if (key == "parameters")
      throw value.keyError(key, fmt::format("does not belong to the shape '{}'", shape), "it belongs to plug-ins");
    std::string owners;
    bool own = false;
    for (const ShapeKeys& candidate : shapeKeys()) {
      if (!contains(candidate.keys, key)) continue;
      own = own || candidate.shape == shape;
      owners += (owners.empty() ? "" : " or ") + candidate.shape;
    }
    if (!own && !owners.empty())
      throw value.keyError(key, fmt::format("does not belong to the shape '{}'", shape), "it belongs to " + owners);
  }
}

Field<SceneGround> sizeField() {
  return {"size", "of the box along its own axes [m]", vectorSchema(Quantity::length),
          [](const SceneValue& value, SceneGround& ground) {
            ground.size = readVector(value, Quantity::length);
            for (const SceneValue& item : value.items()) readNumber(item, Quantity::length, positive());
          }};
}

Field<SceneGround> stepsField() {
  return {"steps", "of the stairs", R"("type": "integer", "minimum": 1)",
          [](const SceneValue& value, SceneGround& ground) {
            constexpr std::uint64_t kMost = 10000;
            ground.steps = readCount(value);
            if (ground.steps < 1 || ground.steps > kMost)
              throw value.error(fmt::format("is {}, expected 1 to {}", ground.steps, kMost));
          }};
}

Field<SceneGround> extentField() {
  const std::string one = numberSchema(Quantity::length, positive());
  return {"extent", "[x, y] of the rectangle around `position` in which the formula holds [m]",
          fmt::format(R"("type": "array", "minItems": 2, "maxItems": 2, "items": {{{}}})", one),
          [](const SceneValue& value, SceneGround& ground) {
            const std::vector<SceneValue> items = value.items();
            if (items.size() != 2) throw value.error(fmt::format("has {} entries, expected [x, y]", items.size()));
            ground.size_x = readNumber(items[0], Quantity::length, positive());
            ground.size_y = readNumber(items[1], Quantity::length, positive());
          }};
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

FieldTable<SceneGround> surfaceFields() {
  using enum Quantity;
  return {
      choiceOrPluginField("shape", &SceneGround::shape, shapeNames(), "terrain",
                          "of the ground, or the name of a plug-in"),
      vectorField("point", &SceneGround::point, length, "plane: a point of it [m]"),
      numberField("incline", &SceneGround::incline, angle, between(0.0, kHalfTurn),
                  "plane: angle to the horizontal [rad]"),
      numberField("heading", &SceneGround::heading, angle, {},
                  "plane: direction of descent, about the world's z [rad]"),
      numberField("friction", &SceneGround::friction, plain, atLeast(0.0), "Coulomb's coefficient"),
      numberField("restitution", &SceneGround::restitution, plain, between(0.0, 1.0), "0: inelastic, 1: elastic"),
      vectorField("position", &SceneGround::position, length,
                  "centre of a box, foot of stairs, middle of a height field [m]"),
      vectorField("rpy", &SceneGround::rpy, angle, "box, stairs: roll, pitch and yaw [rad]"),
      sizeField(),
      stepsField(),
      numberField("rise", &SceneGround::rise, length, positive(), "stairs: of one step [m]"),
      numberField("run", &SceneGround::run, length, positive(), "stairs: depth of one tread [m]"),
      numberField("width", &SceneGround::width, length, positive(), "stairs: across [m]"),
      numberField("landing", &SceneGround::landing, length, atLeast(0.0), "stairs: added to the last tread [m]"),
      textField("file", &SceneGround::file, "height_field: rows of numbers (CSV), or a PGM image"),
      numberField("cell", &SceneGround::cell, length, positive(), "height_field: distance of the file's nodes [m]"),
      numberField("scale", &SceneGround::scale, plain, {},
                  "height_field: the file's heights are multiplied with it [m]"),
      choiceField("interpolation", &SceneGround::interpolation, {"bicubic", "bilinear"},
                  "height_field: between the nodes"),
      textField("formula", &SceneGround::formula, "height_field: height in x and y, as 0.05*sin(3*x)*cos(2*y) [m]"),
      extentField(),
      numberMapField("parameters", &SceneGround::parameters, plain, {}, "of a plug-in's shape, SI units"),
      groupField("motion", motionFields(), "of the whole ground: a lift, a tilting or shaking table"),
      conveyorField(),
  };
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

void checkHeightField(const SceneValue& value, const SceneGround& ground) {
  if (ground.file.empty() == ground.formula.empty())
    throw value.error("needs either a file or a formula",
                      "formula: 0.05*sin(3*x), extent: [4, 4] - or file: hills.pgm");
  if (!ground.file.empty() && ground.cell == 0.0) throw value.error("has no 'cell', the distance of the file's nodes");
  if (!ground.formula.empty() && ground.size_x == 0.0)
    throw value.error("has no 'extent', the rectangle in which the formula holds");
}

SceneGround readSurface(const SceneValue& value, const FieldTable<SceneGround>& table) {
  SceneGround ground;
  ground.where = value.where();
  readSection(value, table, ground);
  refuseKeysOfOtherShapes(value, ground.shape);
  if (ground.shape == "box" && ground.size == Vector3d::Zero()) throw value.error("has no 'size', which a box needs");
  if (ground.shape == "height_field") checkHeightField(value, ground);
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
