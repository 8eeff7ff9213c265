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

Field<SceneLoop> instantField(std::string name, std::optional<double> SceneLoop::*member, std::string help) {
  return {std::move(name), std::move(help), numberSchema(Quantity::time),
          [=](const SceneValue& value, SceneLoop& loop) {
            const double time = value.number(Quantity::time);
            if (!(time >= 0.0)) throw value.error("is before the start, expected zero or more");
            loop.*member = time;
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
      instantField("from", &SceneLoop::from,
                   "when it is made, as both frames are then; default: it is always there [s]"),
      instantField("until", &SceneLoop::until, "when it is released; default: never [s]"),
      flagField("commanded", &SceneLoop::commanded,
                "true: it is made and released by the input `ties` of the block Robot, or by code"),
      numberField("within", &SceneLoop::within, Quantity::length, atLeast(0.0),
                  "with `from`, `until` or `commanded`: how far apart the two links may be when it is made [m]"),
  };
}

void checkLoopKeys(const SceneValue& value, SceneLoop& loop) {
  if (value.has("within") && !loop.isTie())
    throw value.keyError("within", "is given, but the loop is there from the start and always closed",
                         "ties have it: add `from`, `until` or `commanded: true`");
  const std::string joint = loop.joint.empty() ? "weld" : loop.joint;
  if (value.has("axis") && joint != "hinge" && joint != "slider")
    throw value.keyError("axis", fmt::format("is given, but a {} has none", joint), "hinges and sliders have one");
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
  if (loop.commanded && (loop.from || loop.until))
    refuse("is `commanded` and has times, too", "leave `from` and `until` out, or `commanded`");
  if (loop.until && *loop.until <= loop.from.value_or(0.0))
    refuse(fmt::format("is released at `until`, {} s, and made at `from`, {} s", *loop.until, loop.from.value_or(0.0)),
           "`until` comes after `from`");
}

}  // namespace footfall
