#include "footfall/model/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "footfall/base/error.hpp"
#include "footfall/base/suggest.hpp"

namespace footfall {
namespace {

template <class Items>
int positionOf(const Items& items, std::string_view name) {
  for (std::size_t i = 0; i < items.size(); ++i)
    if (items[i].name == name) return static_cast<int>(i);
  return -1;
}

template <class Items>
std::vector<std::string> namesOf(const Items& items) {
  std::vector<std::string> names;
  names.reserve(items.size());
  for (const auto& item : items) names.push_back(item.name);
  return names;
}

template <class Items>
[[noreturn]] void throwUnknown(const Model& model, const char* kind, std::string_view name, const Items& items) {
  throw Error(model.name, fmt::format("there is no {} '{}'", kind, name), suggestOrList(name, namesOf(items)));
}

}  // namespace

double Model::totalMass() const {
  double mass = 0.0;
  for (const Link& link : links) mass += link.inertia.mass;
  return mass;
}

int Model::motors() const {
  std::size_t count = 0;
  for (const Transmission& transmission : transmissions) count += transmission.motors.size();
  return static_cast<int>(count);
}

std::vector<FrameIndex> Model::soles() const {
  std::vector<FrameIndex> found;
  for (const ContactCandidate& candidate : candidates)
    if (std::find(found.begin(), found.end(), candidate.frame) == found.end()) found.push_back(candidate.frame);
  return found;
}

bool Model::collides() const {
  return std::any_of(shapes.begin(), shapes.end(), [](const CollisionShape& shape) { return shape.meets_shapes; });
}

PairMaterial Model::pairMaterial(ShapePair pair) const {
  const auto given = std::lower_bound(pair_materials.begin(), pair_materials.end(), pair,
                                      [](const PairMaterial& m, const ShapePair& p) { return m.pair < p; });
  if (given != pair_materials.end() && given->pair == pair) return *given;
  const CollisionShape &a = shapes[pair.a], &b = shapes[pair.b];
  return {pair, std::sqrt(a.friction * b.friction), std::max(a.restitution, b.restitution)};
}

bool Model::hasPrescribedJoints() const {
  return std::any_of(dofs.begin(), dofs.end(), [](const Dof& dof) { return dof.prescribed; });
}

bool Model::hasMotorDynamics() const {
  for (const Transmission& transmission : transmissions)
    for (const Motor& motor : transmission.motors)
      if (!motor.followsAtOnce()) return true;
  return false;
}

FrameIndex Model::frame(std::string_view wanted) const {
  const int i = positionOf(frames, wanted);
  if (i < 0) throwUnknown(*this, "frame", wanted, frames);
  return FrameIndex(i);
}

LinkIndex Model::link(std::string_view wanted) const {
  const int i = positionOf(links, wanted);
  if (i >= 0) return LinkIndex(i);
  const int lumped = positionOf(frames, wanted);
  if (lumped < 0) throwUnknown(*this, "link", wanted, links);
  throw Error(
      name, fmt::format("'{}' is not a link of its own: it is fixed to '{}'", wanted, links[frames[lumped].link].name),
      "ask for it as a frame");
}

DofIndex Model::dof(std::string_view wanted) const {
  const int i = positionOf(dofs, wanted);
  if (i >= 0) return DofIndex(i);
  const int follower = positionOf(joints, wanted);
  if (follower < 0) throwUnknown(*this, "movable joint", wanted, dofs);
  throw Error(name, fmt::format("joint '{}' has no coordinate of its own", wanted),
              fmt::format("it follows '{}'", dofs[joints[follower].dof].name));
}

}  // namespace footfall
