#include "step/tied_model.hpp"

#include <algorithm>
#include <numeric>

#include "footfall/step/tie.hpp"

namespace footfall {

RigidGroups::RigidGroups(const Model& model, const std::vector<Loop>& ties) : parent_(model.links.size() + 1) {
  std::iota(parent_.begin(), parent_.end(), 0);
  if (!model.floating_base) unite(LinkIndex(0), LinkIndex());
  for (std::size_t j = 0; j < model.joints.size(); ++j)
    if (model.joints[j].kind == JointKind::fixed) unite(LinkIndex(static_cast<int>(j) + 1), model.joints[j].parent);
  for (const std::vector<Loop>* loops : {&model.loops, &ties})
    for (const Loop& loop : *loops)
      if (loop.kind == LoopKind::weld) unite(loop.link_a, loop.link_b);
}

int RigidGroups::groupOf(LinkIndex link) const {
  int at = link.valid() ? static_cast<int>(link) : static_cast<int>(parent_.size()) - 1;
  while (parent_[at] != at) at = parent_[at] = parent_[parent_[at]];
  return at;
}

void RigidGroups::unite(LinkIndex a, LinkIndex b) { parent_[groupOf(a)] = groupOf(b); }

namespace {

bool ties(const Loop& tie, LinkIndex a, LinkIndex b) {
  return (tie.link_a == a && tie.link_b == b) || (tie.link_a == b && tie.link_b == a);
}

}  // namespace

/// Forces between parts that cannot move against each other are not determined, and links with one joint between them
/// are neighbours: neither touches.
Model withTies(const Model& model, const std::vector<Loop>& made) {
  Model tied = model;
  tied.loops.insert(tied.loops.end(), made.begin(), made.end());
  const RigidGroups groups(model, made);
  for (CollisionShape& shape : tied.shapes) shape.meets_ground = shape.meets_ground && !groups.withWorld(shape.link);
  const int shapes = static_cast<int>(model.shapes.size());
  for (int a = 0; a < shapes; ++a)
    for (int b = a + 1; b < shapes; ++b) {
      const LinkIndex link_a = model.shapes[a].link, link_b = model.shapes[b].link;
      if (link_a == link_b) continue;
      const auto joins = [&](const Loop& tie) { return ties(tie, link_a, link_b); };
      if (groups.together(link_a, link_b) || std::any_of(made.begin(), made.end(), joins))
        tied.untouched_pairs.push_back({a, b});
    }
  std::sort(tied.untouched_pairs.begin(), tied.untouched_pairs.end());
  return tied;
}

}  // namespace footfall
