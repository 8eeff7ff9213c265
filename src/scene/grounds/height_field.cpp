#include "footfall/terrain/height_field.hpp"

#include <fmt/format.h>

#include "footfall/base/internal/read_text.hpp"
#include "footfall/terrain/formula.hpp"
#include "scene/grounds/ground_kind.hpp"

namespace footfall {
namespace {

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

void checkHeightField(const SceneValue& value, const SceneGround& ground) {
  if (ground.file.empty() == ground.formula.empty())
    throw value.error("needs either a file or a formula",
                      "formula: 0.05*sin(3*x), extent: [4, 4] - or file: hills.pgm");
  if (!ground.file.empty() && ground.cell == 0.0) throw value.error("has no 'cell', the distance of the file's nodes");
  if (!ground.formula.empty() && ground.size_x == 0.0)
    throw value.error("has no 'extent', the rectangle in which the formula holds");
}

std::shared_ptr<const HeightMap> buildHeightMap(const SceneGround& ground) {
  if (!ground.formula.empty()) return std::make_shared<FormulaMap>(ground.formula, ground.size_x, ground.size_y);
  const Interpolation interpolation =
      ground.interpolation == "bilinear" ? Interpolation::bilinear : Interpolation::bicubic;
  return std::make_shared<HeightGrid>(parseHeights(readText(ground.file), ground.file), ground.cell, ground.scale,
                                      interpolation);
}

std::shared_ptr<const Terrain> buildHeightField(const SceneGround& ground) {
  return std::make_shared<HeightField>(buildHeightMap(ground), ground.position, materialOf(ground));
}

}  // namespace

GroundKind heightFieldGround() {
  using enum Quantity;
  return {
      "height_field",
      {
          textField("file", &SceneGround::file, "height_field: rows of numbers (CSV), or a PGM image"),
          numberField("cell", &SceneGround::cell, length, positive(), "height_field: distance of the file's nodes [m]"),
          numberField("scale", &SceneGround::scale, plain, {},
                      "height_field: the file's heights are multiplied with it [m]"),
          choiceField("interpolation", &SceneGround::interpolation, {"bicubic", "bilinear"},
                      "height_field: between the nodes"),
          textField("formula", &SceneGround::formula, "height_field: height in x and y, as 0.05*sin(3*x)*cos(2*y) [m]"),
          extentField(),
      },
      {"position"},
      checkHeightField,
      buildHeightField};
}

}  // namespace footfall
