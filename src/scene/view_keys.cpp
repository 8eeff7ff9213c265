#include "scene/view_keys.hpp"

#include <fmt/format.h>

namespace footfall {
namespace {

/// What the studio can show or leave out; studio/page/src/layers.ts has the same names.
const std::vector<std::string>& layerNames() {
  static const std::vector<std::string> names = {
      "body",    "transparent", "collision", "ground",  "contacts", "forces", "impulses", "pushes", "cones",  "com",
      "support", "zmp",         "frames",    "inertia", "loops",    "traces", "ghosts",   "follow", "shadows"};
  return names;
}

Field<SceneView> layersField() {
  std::string properties;
  for (const std::string& name : layerNames())
    properties += (properties.empty() ? "" : ", ") + quoteJson(name) + R"(: {"type": "boolean"})";
  return {"layers", "what the 3D view shows, by name: {cones: true, com: false}; the others as they were left",
          fmt::format(R"("type": "object", "additionalProperties": false, "properties": {{{}}})", properties),
          [](const SceneValue& value, SceneView& view) {
            for (const auto& [name, entry] : value.entries()) {
              checkKnownKey(value, name, layerNames());
              view.layers[name] = entry.flag();
            }
          }};
}

Field<SceneView> plotsField() {
  const std::string channels = listSchema(R"("type": "string")");
  return {"plots", "channels of each plot: [[base.position.z], [l_sole.force.z, r_sole.force.z]]",
          listSchema(channels + R"(, "minItems": 1)"), [](const SceneValue& value, SceneView& view) {
            view.plots.clear();
            for (const SceneValue& plot : value.items()) {
              view.plots.push_back(readTexts(plot));
              if (view.plots.back().empty()) throw plot.error("is empty, expected at least one channel");
            }
          }};
}

/// A vector that may be left out.
Field<SceneCamera> placeField(std::string name, Vector3d SceneCamera::*place, bool SceneCamera::*given,
                              std::string help) {
  return {std::move(name), std::move(help), vectorSchema(Quantity::length),
          [=](const SceneValue& value, SceneCamera& camera) {
            camera.*place = readVector(value, Quantity::length);
            camera.*given = true;
          }};
}

FieldTable<SceneCamera> cameraFields() {
  return {
      choiceField("from", &SceneCamera::from, {"home", "front", "side", "back", "top"},
                  "the side from which it looks; default: home"),
      choiceField("show", &SceneCamera::show, {"robot", "scene"},
                  "what is to be in the picture; default: scene, the robot with boxes and stairs around it"),
      placeField("position", &SceneCamera::position, &SceneCamera::placed,
                 "of the camera in the world, in place of `from` and `show` [m]"),
      placeField("target", &SceneCamera::target, &SceneCamera::aimed,
                 "what is in the middle of the picture; default: the robot [m]"),
  };
}

}  // namespace

FieldTable<SceneView> viewFields() {
  return {
      sectionField("camera", &SceneView::camera, cameraFields(), "where it stands at first"),
      layersField(),
      plotsField(),
      choiceField("tab", &SceneView::tab, {"plots", "contacts", "balance", "diagram", "link", "live"},
                  "the part at the right that is open; default: plots"),
      numberField("speed", &SceneView::speed, Quantity::plain, between(0.0, 1000.0),
                  "simulated seconds for each second, 0: as fast as it goes; default: 1"),
  };
}

void checkView(const SceneView& view) {
  const SceneCamera& camera = view.camera;
  if (!camera.placed) return;
  const char* other = !camera.from.empty() ? "from" : !camera.show.empty() ? "show" : nullptr;
  if (other != nullptr)
    throw Error(camera.where, fmt::format("view.camera has both position and {}", other),
                "a position alone says where the camera stands");
  if (camera.aimed && (camera.position - camera.target).norm() < 1e-6)
    throw Error(camera.where, "the camera stands at the point that it looks at", "move view.camera.position");
}

}  // namespace footfall
