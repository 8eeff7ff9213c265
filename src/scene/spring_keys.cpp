#include "scene/spring_keys.hpp"

#include <fmt/format.h>

namespace footfall {
namespace {

FieldTable<SceneSpringEnd> endFields() {
  return {
      required(textField("link", &SceneSpringEnd::link, "a link or any frame, or `world`")),
      vectorField("point", &SceneSpringEnd::point, Quantity::length, "in that frame; default: its origin [m]"),
  };
}

}  // namespace

FieldTable<SceneSpring> springFields() {
  using enum Quantity;
  return {
      textField("name", &SceneSpring::name, "for messages; default: made from the frames"),
      required(sectionField("from", &SceneSpring::from, endFields(), "where one end is fixed")),
      required(sectionField("to", &SceneSpring::to, endFields(), "where the other end is fixed")),
      numberField("stiffness", &SceneSpring::stiffness, plain, atLeast(0.0), "default: 0 [N/m]"),
      numberField("damping", &SceneSpring::damping, plain, atLeast(0.0), "in line with the ends; default: 0 [N s/m]"),
      numberField("rest_length", &SceneSpring::rest_length, length, atLeast(0.0),
                  "without force; default: the distance of the ends at the start [m]"),
  };
}

void checkSpringKeys(const SceneValue& value, SceneSpring& spring) {
  if (value.has("rest_length") && spring.stiffness == 0.0)
    throw value.keyError("rest_length", "is given without a stiffness: a damper has no length of its own",
                         "give a stiffness, or leave it out");
}

void checkSpring(const SceneSpring& spring, std::size_t index) {
  if (spring.stiffness == 0.0 && spring.damping == 0.0)
    throw Error(spring.where, fmt::format("springs.{} has neither stiffness nor damping", index));
  if (spring.from.link == "world" && spring.to.link == "world")
    throw Error(spring.where, fmt::format("springs.{} ties the world to itself", index));
}

}  // namespace footfall
