#pragma once

#include <vector>

#include "footfall/collide/broad_phase.hpp"
#include "footfall/contact/contact.hpp"

namespace footfall {

/// Finds the pairs of shapes that could meet within a step: whole robots and objects first, and the shapes of those
/// that are near each other; of a robot that meets itself the pairs that may. Scratch memory.
class NearShapes {
 public:
  explicit NearShapes(const Model& model);

  /// Shapes by their numbers in the model, in ascending order, untouched pairs left out.
  /// @param boxes one around each of the model's shapes; those of shapes that meet no others are not looked at
  void find(const std::vector<collide::AxisAlignedBox>& boxes, std::vector<ShapePair>& near);

  /// Those that meet others.
  const std::vector<int>& shapes() const { return shapes_; }

 private:
  struct Family {                ///< the shapes of a tree
    std::vector<int> shapes;     ///< of the model, in ascending order
    std::vector<ShapePair> own;  ///< that meet each other
  };
  void findBetween(const Family& a, const Family& b, const collide::AxisAlignedBox& box_a,
                   const collide::AxisAlignedBox& box_b, const std::vector<collide::AxisAlignedBox>& boxes,
                   std::vector<ShapePair>& near);
  bool meet(const ShapePair& pair) const;

  const Model& model_;
  std::vector<int> shapes_;
  std::vector<Family> families_;
  bool some_apart_ = false;  ///< pairs of two families are untouched
  std::vector<collide::AxisAlignedBox> family_boxes_;
  collide::BroadPhase broad_phase_;  ///< of families
  std::vector<collide::BroadPhase::IndexPair> near_families_;
  std::vector<int> of_a_, of_b_;  ///< shapes that reach into the other family's box
};

}  // namespace footfall
