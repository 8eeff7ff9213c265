#include "scene/loop_keys.hpp"

#include <fmt/format.h>

namespace footfall {
namespace {

Field<SceneLoop> betweenField() {
  return {"between", "the two frames that stay together; one may be `world`", twoTextsSchema(),
          [](const SceneValue& value, SceneLoop& loop) { loop.between = readTwoTexts(value, "frames"); }};
}

Field<SceneLoop> loopAxisField() {
  return {"axis", "of a hinge or a slider, in the first frame; default: [0, 0, 1]", vectorSchema(Quantity::plain),
          [](const SceneValue& value, SceneLoop& loop) {
            loop.axis = readVector(value, Quantity::plain);
            if (!(loop.axis.norm() > 0.0)) throw value.error("has no direction");
            loop.axis.normalize();
          }};
}

}  // namespace

FieldTable<SceneLoop> loopFields() {
  return {
      textField("name", &SceneLoop::name, "for outputs and messages; default: made from the frames"),
      betweenField(),
      choiceField("joint", &SceneLoop::joint, {"ball", "hinge", "slider", "weld"}, "what it leaves free"),
      loopAxisField(),
      textField("frame", &SceneLoop::frame, "with `fixed`, in place of `between` and `joint`"),
      flagField("fixed", &SceneLoop::fixed, "true: the frame stays in the world where it is at the start"),
  };
}

void checkLoop(const SceneLoop& loop, std::size_t index) {
  const auto refuse = [&](const std::string& what, const std::string& hint) {
    throw Error(loop.where, fmt::format("loops.{} {}", index, what), hint);
  };
  const std::string forms = "write {between: [a, b], joint: hinge} or {frame: a, fixed: true}";
  if (loop.between.empty() == loop.frame.empty()) refuse("needs either 'between' or 'frame'", forms);
  if (loop.frame.empty() && loop.joint.empty())
    refuse("has no 'joint', which is needed", "choices: ball, hinge, slider, weld");
  if (loop.fixed == loop.frame.empty()) refuse("needs 'frame' and 'fixed: true' together", forms);
  if (!loop.frame.empty() && !loop.joint.empty()) refuse("has 'joint', but a fixed frame is always welded", forms);
  if (loop.frame.empty() && loop.between[0] == loop.between[1])
    refuse(fmt::format("ties '{}' to itself", loop.between[0]), "");
}

}  // namespace footfall
